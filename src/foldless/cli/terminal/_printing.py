"""The results for people: a table, the choice in one line, and what the number rests on."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from rich.cells import cell_len

from foldless.cli.terminal import _certified as certified
from foldless.cli.terminal._console import BESIDE_MEMBERS, MAX_ROWS, Screen, dashed, named, number, typed
from foldless.cli.terminal._printable import printable
from foldless.cli.terminal._verdict import measures
from foldless.core.certificate import raised
from foldless.errors import counted
from foldless.results import Baseline, Difference, Estimate, Evaluation, Shift
from foldless.results.baseline import accuracy_line
from foldless.results.contribution import signed
from foldless.selection.cost import Cost
from foldless.tables import Problem

MAX_CLASSES, MAX_MISTAKES, MAX_FINDINGS = 10, 5, 5
TO_CONTINUE = "a next run could continue"  # in the words of a remedy
FITS = {
    "run": "run",
    "shared": "shared",
    "resumed": "from the journal",
    "final": "for the final model",
    "estimate": "for the estimate",
}
MEMBERS = 4  # of an average, that are named
CLASS, TIED = "class", "≈"
SHARES = MappingProxyType({"share in labels": "labels", "predicted share in pool": "pool"})


def selection(document: Mapping[str, Any], problem: Problem, journal: str | None) -> None:
    """A selection, as `documents.of_selection` gives it."""
    screen = Screen()
    ranking, choice, certificate = document["ranking"], document["choice"], document["certificate"]
    quantity = "R²" if document.get("task") == "regression" else "accuracy"
    screen.say(*problem.describe())
    better = f"{dashed(document['criterion'])}, {document['better']} is better"
    n = len({(entry["model"], typed(entry["params"])) for entry in ranking})  # each may have several choices
    screen.say(f"{n} candidate{'s' * (n > 1)} ranked by {better}")
    several = len({entry["model"] for entry in ranking}) > 1
    columns = {
        "rank": [number(entry["rank"]) for entry in ranking],
        "model": [entry["model"] for entry in ranking] if several else [],
        "parameters": [typed(entry["params"]) for entry in ranking],
        **(certified.columns(document) if certificate else _scores(ranking, f"test {quantity}")),
        f"{quantity} minus the chosen's": [_minus_chosen(entry) for entry in ranking],
        "notes": ["; ".join(entry["notes"]) for entry in ranking],
    }
    left_out = screen.table(columns, bold=0, max_rows=BESIDE_MEMBERS if choice.get("average") else MAX_ROWS)
    if any(entry.get("tied") for entry in ranking) and f"{quantity} minus the chosen's" not in left_out:
        screen.say(f"{TIED} statistically tied with the chosen one", style="dim")
    truth = [entry["test_accuracy"] for entry in ranking if entry.get("test_accuracy") is not None]
    estimate = Estimate(**document["estimate"]) if document["estimate"] else None
    # one number: the estimate, if there is one
    scored = [note for note in choice["notes"] if note.startswith("scored on")][:1]  # the number of resamples
    ranking_score = ", ".join([f"ranking score {number(choice['score'])}", *scored])
    score = "" if certificate or estimate else f" ({ranking_score})"
    screen.say(f"Chosen: {_model(choice)}{score}", style="bold")
    _members(screen, choice)
    named_measures = measures(document)
    tested = [f"Test {each.tested}" for each in named_measures if each.tested]
    screen.say(*map(sentence, [*(each.short for each in named_measures), *tested]), style="bold")
    baseline = Baseline(**document["baseline"]) if document["baseline"] else None
    line = accuracy_line(
        estimate, baseline, quantity=quantity, on_test=None if certificate else choice.get("test_accuracy"),
        best_on_test=max(truth) if len(truth) > 1 else None,
    )  # fmt: skip
    if line:
        screen.say(sentence(line), style="bold")
    elif baseline is not None:
        screen.say(sentence(f"{baseline.name} has {quantity} {baseline.share:.3f}"))
    if estimate is not None:
        screen.listed("It holds if", estimate.assumes)
    if certificate:
        certified.both(screen, document)
    _shares(screen, document["shares"])
    _tail(screen, document, journal)
    rest = [sentence for sentence in document["assumes"] if sentence not in (certificate or {}).get("assumes", ())]
    if rest:
        screen.listed("The score assumes that", rest)
    screen.written(document)


def comparison(document: Mapping[str, Any], problem: Problem, journal: str | None) -> None:
    """A comparison, as `documents.of_comparison` gives it."""
    screen = Screen()
    entries = document["criteria"]
    screen.say(*problem.describe())
    titles = {
        "test_accuracy": "test accuracy", "test_macro_f1": "macro F1", "test_r2": "test R²", "test_rmse": "test RMSE",
        "regret": "regret",
    }  # fmt: skip
    columns = {
        "criterion": [dashed(entry["criterion"]) for entry in entries],
        "choice": ["–" if e["model"] is None else f"{e['model']} {typed(e['params'])}".strip() for e in entries],
        "ranking score": [_score(entry) for entry in entries],
        "better": [entry["better"] or "–" for entry in entries],
        **certified.beside_scores(entries),
        **{title: [number(entry[key]) for entry in entries if key in entry] for key, title in titles.items()},
        "fits": [str(entry["fits"]) for entry in entries],
        "seconds": [number(entry["seconds"], 2) for entry in entries],
        "notes": ["; ".join(entry["notes"]) for entry in entries],
    }
    screen.table(columns)
    if document["baseline"]:
        baseline = Baseline(**document["baseline"])
        tested = "" if baseline.on_test is None else f", and {baseline.on_test:.3f} on the test rows"
        quantity = "R²" if baseline.label is None else "accuracy"
        screen.say(f"{sentence(baseline.name)} has {quantity} {baseline.share:.3f}{tested}")
    for entry in entries:
        if entry["certificate"]:
            whose = f"Certificate for {named(entry['model'], entry['params'])}:"
            certified.block(screen, whose, entry["certificate"])
    _tail(screen, document, journal)
    screen.written(document)


def planned(cost: Cost, problem: Problem) -> None:
    """What a run will take, before it is started."""
    screen = Screen()
    screen.say(*problem.describe())
    if len(cost.fits) > 1:
        screen.table(
            {
                "criterion": [dashed(name) for name in cost.fits],
                "fits": [f"{n:,}" for n in cost.fits.values()],
                "about": [cost.time(name) for name in cost.fits],
            }
        )
    screen.say(f"This run takes {dashed(str(cost))}; nothing was chosen", style="bold")


def prediction(document: Mapping[str, Any]) -> None:
    """What a saved model predicts for a new table, as `predicting` gives it."""
    screen, model = Screen(), document["model"]
    how = "trained on a stream" if model["criterion"] is None else f"chosen by {dashed(model['criterion'])}"
    screen.say(f"{counted(document['rows'], 'row')} labeled by {model['candidate']}, {how}")
    if model["certificate"]:
        certified.block(screen, "Certificate:", model["certificate"])
    _shares(screen, document["shares"], {"predicted share": "predicted"})
    screen.note(*document["notes"])
    screen.say(f"The rows with their labels, {document['column']}, are in {document['written']}")


def estimated(estimate: Estimate, *others: Estimate) -> None:
    """The estimates of a saved model by one metric or several."""
    screen = Screen()
    _estimate(screen, estimate, notes=list(dict.fromkeys(note for each in (estimate, *others) for note in each.notes)))
    screen.say(*map(str, others), style="bold")
    if estimate.shift is not None and not estimate.shift.alarm:
        screen.say(sentence(estimate.shift))


def evaluated(evaluation: Evaluation, document: Mapping[str, Any]) -> None:
    """The evaluation of a saved model: its estimates, its classes, and what it takes them for."""
    screen, entries = Screen(), document["classes"]
    screen.say(*(sentence(each.short) for each in evaluation.measures), style="bold")
    _estimate(screen, evaluation.accuracy, evaluation.baseline, evaluation.notes)
    screen.say(sentence(evaluation.macro_f1))
    reach = [(entry["recall_lower"], entry["recall_upper"]) for entry in entries]
    screen.table(
        {
            "class": [str(entry["class"]) for entry in entries],
            "rows": [str(entry["rows"]) for entry in entries],
            "predicted": [str(entry["predicted"]) for entry in entries],
            "precision": [number(entry["precision"], 3) for entry in entries],
            "recall": [number(entry["recall"], 3) for entry in entries],
            "interval": ["–" if low is None else f"{low:.3f}–{high:.3f}" for low, high in reach],
            "F1": [number(entry["f1"], 3) for entry in entries],
        }
    )
    screen.say("Precision, recall and F1: higher is better; the interval is that of the recall")
    wrong = evaluation.confusion - np.diag(evaluation.confusion.diagonal())
    for at in np.argsort(-wrong, axis=None, kind="stable")[:MAX_MISTAKES]:
        true, named = np.unravel_index(at, wrong.shape)
        if n := int(wrong[true, named]):
            of = f"of class {evaluation.classes[true]}"
            rows = counted(n, f"row {of} is", f"rows {of} are")
            screen.say(f"{rows} labeled {evaluation.classes[named]}")
    screen.written(document)


def sentence(value: object) -> str:
    """A text that begins with a capital letter."""
    text = str(value)
    return text[:1].upper() + text[1:]


def _estimate(screen: Screen, estimate: Estimate, baseline: Baseline | None = None, notes: Sequence[str] = ()) -> None:
    """An estimate, what is to be known before it is believed, and what it assumes."""
    screen.say(sentence(accuracy_line(estimate, baseline, quantity=estimate.quantity)), style="bold")
    screen.note(*notes)
    screen.listed("It holds if", estimate.assumes)


def _minus_chosen(entry: Mapping[str, Any]) -> str:
    """A difference to the chosen candidate with its interval, and the mark of a tie."""
    if entry.get("difference") is None:
        return ""
    return f"{Difference(**entry['difference']).minus_chosen()}{f' {TIED}' if entry['tied'] else ''}"


def _model(choice: Mapping[str, Any]) -> str:
    """The chosen model: a candidate, a vote of its fits, or an average of several."""
    members = choice.get("members", ())
    if not members:
        vote = f", by a vote of {choice['models']} fits" if choice["models"] > 1 else ""
        return f"{named(choice['model'], choice['params'])}{vote}"
    average = f"an average of {len(members)} models"
    if choice.get("average"):  # a table has them
        return average
    shown = ", ".join(f"{member['candidate']} {member['weight']:.2f}" for member in members[:MEMBERS])
    return f"{average}: {shown}{', …' * (len(members) > MEMBERS)}"


def _members(screen: Screen, choice: Mapping[str, Any]) -> None:
    """What each member of an average adds to it, where that is known."""
    average, members = choice.get("average"), choice.get("members", ())
    if not average:
        return
    screen.table(
        {
            "member": [member["candidate"] for member in members],
            "weight": [number(member["weight"], 2) for member in members],
            "change of accuracy": [signed(member["accuracy_without"] - average["accuracy"]) for member in members],
            "change of log loss": [signed(member["log_loss_without"] - average["log_loss"]) for member in members],
        }
    )
    screen.say(f"Changes if a member is left out, on the {average['rows']:,} held-out labels", style="dim")


def _scores(ranking: Sequence[Mapping[str, Any]], quantity: str) -> dict[str, list[str]]:
    return {
        "ranking score": [number(entry["score"]) for entry in ranking],
        quantity: [number(entry["test_accuracy"]) for entry in ranking if "test_accuracy" in entry],
    }


def _score(entry: Mapping[str, Any]) -> str:
    """A score; one that is a bound is rounded as bounds are."""
    certificate = entry["certificate"]
    return raised(entry["score"]) if certificate and entry["better"] == "lower" else number(entry["score"])


def _tail(screen: Screen, document: Mapping[str, Any], journal: str | None) -> None:
    counts = [f"{count} {FITS[name]}" for name, count in document["n_fits"].items() if count or name == "run"]
    screen.say(f"Fits: {', '.join(counts)}")
    if document["shift"] and not document["shift"]["alarm"]:  # an alarm is a note
        screen.say(sentence(Shift(**document["shift"])))
    beside = (document.get("certificate") or {}).get("notes", ())  # printed with the certificate
    _findings(screen, [finding for finding in document["findings"] if finding["sentence"] not in beside])
    listed = {finding["sentence"] for finding in document["findings"]}
    screen.note(*(note for note in document["notes"] if note not in beside and note not in listed))
    if document["stopped"] and not any(TO_CONTINUE in note for note in document["notes"]):  # which may say so
        without = "with --journal FILE a next run can continue"
        screen.note(f"the same command continues from {journal}" if journal else without)


def _findings(screen: Screen, findings: Sequence[Mapping[str, Any]]) -> None:
    """What was found in the data, each with the option that handles it; the rows are in the report and in --json."""
    if not findings:
        return
    screen.say("Found in the data", style="yellow")
    screen.say(*(f"  {finding['code']} {finding['sentence']}" for finding in findings[:MAX_FINDINGS]))
    if (more := len(findings) - MAX_FINDINGS) > 0:
        screen.say(f"  and {more} more, in --report FILE or --json", style="dim")


def _shares(screen: Screen, shares: Sequence[Mapping[str, Any]], rows: Mapping[str, str] = SHARES) -> None:
    """Class shares side by side, the largest classes first where there are many."""
    first, *_, last = (*rows.values(), *rows.values())
    if all(entry[last] is None for entry in shares):
        return
    shown = sorted(shares, key=lambda entry: -entry[first])[:MAX_CLASSES] if len(shares) > MAX_CLASSES else shares
    names = [printable(str(entry["class"])) for entry in shown]
    values = {title: [number(entry[key], 3) for entry in shown] for title, key in rows.items()}
    widths = [max(map(cell_len, cells)) for cells in zip(names, *values.values(), strict=True)]
    first_column = max(map(len, (CLASS, *values)))
    if first_column + sum(widths) + 2 * len(widths) > screen.console.width:  # then a row for each class
        screen.table({CLASS: names, **values})
    else:
        for title, cells in {CLASS: names, **values}.items():
            padded = [" " * (width - cell_len(cell)) + cell for width, cell in zip(widths, cells, strict=True)]
            screen.line("  ".join([title.ljust(first_column), *padded]), "dim" if title == CLASS else "")
    if len(shown) < len(shares):
        screen.say(f"and {len(shares) - len(shown)} smaller classes, which --json lists")
