"""What select, compare and certify share: the problem and its candidates, and the files written at the end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from foldless import saving, tables  # what they name is imported when it is used: help pages need none of it
from foldless.cli import _first_look as first_look
from foldless.cli import _options as options
from foldless.cli import _time_budget as time_budget
from foldless.cli._group import command_as_typed
from foldless.cli.terminal._printable import note
from foldless.errors import BadInput, PassPool, Unfinished

if TYPE_CHECKING:
    from foldless.core import Criterion
    from foldless.results import Finding
    from foldless.selection import Selection
    from foldless.tables import Problem


def opened(typed: Mapping[str, Any], *, pool_teaches: bool = True) -> "tuple[Problem, Any, dict[str, Any]]":
    """The problem, its candidates and the settings. Nothing is written before all that was typed can be used."""
    settings = options.settings(typed, {f"--{name}": typed[name] for name in ("predict", "save", "report")})
    problem = options.problem(typed, keep_labeled=not pool_teaches)
    if typed["predict"] is not None and problem.X_unlabeled is None:
        raise BadInput("--predict labels the pool, and there is none", remedy=PassPool())
    if typed["predict"] is not None:
        problem.check_predicted(typed["probabilities"])
    time_budget.prepare(typed)
    return problem, options.candidates(typed, problem, pool_teaches=pool_teaches), settings


def scorings(typed: Mapping[str, Any], problem: "Problem") -> list[Any]:
    """The metrics that were named, the one that decides first."""
    costs = problem.costs(typed.get("costs"), typed.get("cost", ()))
    if costs is not None and typed.get("at_least"):
        raise BadInput("--at-least and costs both decide: leave one of them out", value=typed["at_least"])
    first = [] if costs is None else [costs]
    if typed.get("at_least"):
        if problem.regression:
            raise BadInput(f"--at-least is for a class, and {problem.label!r} holds numbers to predict: leave it out")
        positive = problem.at_least(typed["at_least"], typed["positive"]).positive
        return list(problem.scorings(typed["scoring"] or ["average_precision"], positive))
    if typed["positive"] is not None and not typed["scoring"]:
        raise BadInput(
            "--positive is the class of a metric, and none is named: add --scoring f1, or leave it out",
            value=typed["positive"],
        )
    return [*first, *problem.scorings(typed["scoring"], typed["positive"])]


def by_metric(how: "Criterion", named: Sequence[Any]) -> "Criterion":
    """The criterion, if it can choose by the metric that was named."""
    if named and "scoring" not in getattr(how, "__dataclass_fields__", {}):
        raise BadInput(
            f"--criterion {how.name.replace('_', '-')} has a score of its own, which --scoring does not change: leave "
            f"one of the two out, or choose by auto or k-fold",
        )
    return how


def combines(
    typed: Mapping[str, Any], problem: "Problem", settings: dict[str, Any], seconds: float = options.PORTFOLIO_SECONDS
) -> bool:
    """Whether the portfolio is combined, which then has its time budget; values are predicted by one model."""
    if not typed["by_default"] or problem.regression:
        return False
    from foldless.core.time_budget import WorkingSeconds  # numpy, which help pages do not need

    settings["time_budget"] = settings["time_budget"] or WorkingSeconds(seconds)
    return True


def pool_answers(typed: Mapping[str, Any], problem: "Problem", selection: "Selection") -> tuple[Any, Sequence[str]]:
    """What the model says of the pool, if that is to be written, and notes on it."""
    if typed["predict"] is None or problem.stored:  # such a pool is labeled as it is written
        return None, []
    asked, notes = problem.asking(selection.model, selection.temperature, typed["probabilities"])
    return asked.about(problem.rows_to_predict), notes


def finish(
    typed: Mapping[str, Any], problem: "Problem", selection: "Selection", notes: Sequence[str], answers: Any
) -> None:
    """Write the files that were asked for, and print."""
    from foldless.cli import _documents as documents
    from foldless.cli.terminal import _printing as printing
    from foldless.cli.terminal._verdict import verdict
    from foldless.results.finding import among

    time_budget.answered()
    # what was found in the files replaces what arrays alone would show
    others = (note for note in selection.notes if getattr(note, "code", None) not in first_look.READ)
    selection = replace(selection, notes=(*problem.findings, *others))
    document = documents.of_selection(
        problem, selection, notes, written(typed), unlabeled_note(answers, selection.model)
    )
    write_model(typed, problem, selection, answers)

    def report() -> None:
        noted = selection.noting(among(problem.notes))
        found: list[Finding] = []
        if not typed["no_check"]:
            budget = None if first_look.has_looked(problem) else typed["time_budget"]
            look = partial(first_look.further, problem, noted)
            time_budget.in_time(budget, lambda: found.extend(look()), time_budget.PAGE)
        noted = noted.noting(found)
        noted = replace(noted, notes=tuple(map(documents.with_options, noted.notes)))
        noted.report(typed["report"], made_by=command_as_typed(), about=problem.describe())

    reported = write_report(typed, report, document)
    if typed.get("verbose", True) or document["certificate"]:  # which never stands without what it assumes
        show(document, typed, problem, lambda: printing.selection(document, problem, typed["journal"]))
    else:
        show(document, typed, problem, lambda: verdict(document, problem, typed))
    check_reported(reported)


def write_report(typed: Mapping[str, Any], report: Callable[[], object], document: dict[str, Any]) -> bool:
    """Write a report if one is asked for; whether there was time for it. The document does not name one that is not."""
    if typed["report"] is None or time_budget.in_time(typed["time_budget"], report, time_budget.REPORT):
        return True
    document["report"] = None
    return False


def check_reported(reported: bool) -> None:
    """Say at last that there is an answer without its report."""
    if not reported:
        raise Unfinished(
            "the time budget ran out before the report was written",
            remedy="pass a longer --time-budget, or no --report",
        )


def written(typed: Mapping[str, Any]) -> dict[str, str | None]:
    return {"predicted": typed["predict"], "saved": typed["save"], "report": typed["report"]}


def unlabeled_note(answers: Any, model: Any = None) -> list[str]:
    """A note on the rows that stay without a label, where there are any."""
    return [] if answers is None else tables.unlabeled_note(answers.labels, model)


def write_model(typed: Mapping[str, Any], problem: "Problem", selection: "Selection", answers: Any) -> None:
    if typed["save"] is not None:
        saving.save(selection, typed["save"], problem.schema)
    if answers is not None:
        problem.write_pool(typed["predict"], answers.labels, answers.beside(problem.predicted))
    elif typed["predict"] is not None:
        asked, notes = problem.asking(selection.model, selection.temperature, typed["probabilities"])
        for sentence in (*notes, *problem.label_pool(typed["predict"], selection.model, asked)):
            if not typed["quiet"]:
                note(sentence)


def show(
    document: Mapping[str, Any], typed: Mapping[str, Any], problem: "Problem", printed: Callable[[], None]
) -> None:
    """The document itself, or its tables and sentences."""
    from foldless.cli import _documents as documents

    if typed["as_json"]:
        documents.print_json(document)
    elif typed["quiet"] < options.SILENT:
        options.check_first(typed, problem)
        printed()
