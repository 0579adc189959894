"""What a report says in words and numbers, apart from its figures and tables."""

import platform
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

import numpy as np
import sklearn

from foldless._version import __version__
from foldless.core import Certificate, FitCounts, ranks_of
from foldless.core.certificate import SEVERAL, difference, rounded_up
from foldless.report._wording import counted, number
from foldless.report.pages import _tables as tables
from foldless.results import Baseline, Comparison, Evaluation, Finding, Findings, Prevalence, Selection
from foldless.results._measure_words import criterion_in_words
from foldless.results.estimate import NO_NUMBER
from foldless.results.shift import Shift

FITS = {
    "run": "trained",
    "shared": "shared",
    "resumed": "read from the journal",
    "final": "trained at the end",
    "estimate": "trained for the estimate",
}
DESIGNED = ("quantity", "upper", "confidence", "method", "assumes", "terms", "candidates", "notes")
NAMED = 3  # members of an average


def model_name(selection: Selection) -> str:
    """The chosen candidate, or that the model is an average of several."""
    n = len(selection.members)
    return f"An average of {n} models" if n > 1 else selection.best.candidate.name


def lede(selection: Selection) -> str:
    """The choice in one sentence, after the name of the chosen one."""
    criterion, best = selection.criterion, selection.best
    by = criterion_in_words(criterion.name)
    if len(selection.members) > 1:
        first = list(selection.members.items())[:NAMED]
        named = ", ".join(f"{candidate.name} (weight {weight:.2f})" for candidate, weight in first)
        more = " and others" if len(selection.members) > NAMED else ""
        return f"chosen by {by} from {selection.n_candidates:,} candidates{_score(selection)}: {named}{more}."
    n = selection.n_candidates
    trained = "the labels that were not held out" if criterion.holds_out else "every label"
    if any(fit.labels is not None for fit in best.fits):
        trained = "pool rows, with the labels that the candidate gave them"
    ends = f"; it is trained on {trained}" if selection.model is not None else ""
    if len(best.fits) > 1 and "every" in trained:
        ends = f"; the model is an average of {len(best.fits)} fits"
    if not np.isfinite(best.score):
        return f"was chosen, although {by} gave it no valid score{ends}."
    if n == 1:
        return f"was the only candidate with a score by {by}{_score(selection, ': ')}{ends}."
    ranks = ranks_of(criterion, selection.ranking)
    tied = sum(rank == 1 for rank in ranks.values()) - 1
    most = "highest" if criterion.better == "higher" else "lowest"
    equal = f", tied with {counted(tied, 'other')}" if tied else ""
    if _bounds(selection):
        return f"has the {most} bound of {n:,} candidates by {by}{equal}{ends}."
    if best.rank.by is not None:
        return f"ranks first of {n:,} candidates by {by}{_score(selection)}{equal}{ends}."
    return f"has the {most} score of {n:,} candidates by {by}{_score(selection)}{equal}{ends}."


def accuracy(selection: Selection) -> str:
    """What is known of the accuracy of the chosen model, as a sentence; empty where nothing is."""
    line = selection.accuracy_line
    return f"{line[:1].upper()}{line[1:]}." if line else ""


def baseline(baseline: Baseline | None) -> str:
    """What a constant prediction has, as a sentence; empty where no accuracy is known."""
    if baseline is None:
        return ""
    tested = "" if baseline.on_test is None else f", and {baseline.on_test:.3f} on the test rows"
    text = f"{baseline}{tested}."
    return f"{text[:1].upper()}{text[1:]}"


def _score(selection: Selection, before: str = ", with ranking score ") -> str:
    """The score that ranks, where no estimate says how good the model is: one number is enough."""
    return "" if selection.estimate is not None else f"{before}{number(selection.best.score)}"


def tiles(selection: Selection) -> list[tuple[str, str, str]]:
    """The numbers that one looks for first: what, how much, and a remark."""
    scores = [choice.score for choice in selection.ranking if np.isfinite(choice.score)]
    better = f"{selection.criterion.better} is better"
    tiles = []
    if (certificate := selection.certificate) is not None:
        confidence = f"with confidence {certificate.confidence}"
        tiles.append((f"{certificate.quantity} at most", rounded_up(certificate.upper), confidence))
    tiles += _measures(selection)
    if (estimate := selection.estimate) is not None:
        remark = estimate.interval if estimate.about_pool else f"{estimate.interval}; {NO_NUMBER}"
        what = f"estimated {estimate.quantity_in_words} on {estimate.population}"
        tiles.append((what, f"{estimate.value:.3f}", remark))
    if (truth := selection.best_test_accuracy) is not None:
        best = max(selection.test_accuracy.values()) if len(selection.test_accuracy) > 1 else None
        remark = "of the chosen model, on test rows" if best is None else f"the best candidate has {number(best)}"
        tiles.append((f"test {selection.quantity}", number(truth), remark))
    if (baseline := selection.baseline) is not None:
        tested = "" if baseline.on_test is None else f", {baseline.on_test:.3f} on test rows"
        tiles.append((baseline.name, f"{baseline.share:.3f}", f"{selection.quantity} of a constant{tested}"))
    if estimate is None and truth is None and not _bounds(selection):  # else it is in the ranking only
        resamples = [note for note in selection.best.notes if note.startswith("scored on")]
        tiles.append(("ranking score", number(selection.best.score), ", ".join([better, *resamples[:1]])))
    if len(scores) > 1 and _bounds(selection):
        tiles.append(("lead over the next", number(abs(scores[0] - scores[1])), "all bounds hold at once"))
    lost = [counted(len(selection.failed), "failed", "failed")] if selection.failed else []
    lost += [f"{len(selection.unfinished):,} not finished"] if selection.unfinished else []
    every = selection.n_candidates + len(selection.failed) + len(selection.unfinished)
    tiles.append(("candidates", f"{every:,}", ", ".join(lost) or "all complete"))
    saved = selection.n_fits.shared + selection.n_fits.resumed
    tiles.append(("fits trained", f"{selection.n_fits.run + selection.n_fits.final:,}", f"{saved:,} shared or resumed"))
    if selection.differences:
        alike = len(selection.not_told_apart)
        tiles.append(("statistically tied", f"{alike:,}", f"of {len(selection.differences):,} compared by labels"))
    if (shift := selection.shift) is not None:
        tiles.append(compared(shift))
    if selection.regression:
        return tiles
    n_classes = len(selection.label_shares)
    if selection.shares is None:
        tiles.append(("classes", f"{n_classes:,}", "no pool"))
    else:
        predicted = int((selection.shares.to_numpy() > 0).sum())
        tiles.append(("classes", f"{n_classes:,}", f"{predicted:,} predicted in the pool"))
    return tiles


def compared(shift: Shift) -> tuple[str, str, str]:
    """The tile of the tests of labels against pool."""
    return "difference of labels and pool", "detected" if shift.alarm else "none detected", shift.strength


def _measures(selection: Selection) -> list[tuple[str, str, str]]:
    """The metrics that were named, beside those of a constant; accuracy has its own."""
    tiles = []
    for each in selection.measures:
        known = each.estimate
        if known.quantity != selection.quantity:
            on_test = "" if each.on_test is None else f"{each.on_test:.3f} on test rows"
            remarks = filter(None, (known.interval, each.baseline, on_test))
            tiles.append((known.quantity_in_words, f"{known.value:.3f}", "; ".join(map(str, remarks))))
    return tiles


def legend(selection: Selection) -> str:
    better = f"{tables.arrow(selection)} {selection.criterion.better} is better."
    tied = selection.not_told_apart
    return f"{better} {tables.TIED} statistically tied with the chosen one." if tied else better


def certificate(certificate: Certificate | None, listed: Sequence[Finding] = ()) -> dict[str, Any] | None:
    """Every field of a certificate, its summands as a table; those that are not foreseen here too.

    Notes that say what is ``listed`` among the findings are left out.
    """
    if certificate is None:
        return None
    known = {name: getattr(certificate, name) for name in DESIGNED}
    others = {f.name: getattr(certificate, f.name) for f in fields(certificate) if f.name not in DESIGNED and f.repr}
    problems = {finding.problem for finding in listed}
    notes = [note for note in certificate.notes if getattr(note, "problem", note) not in problems]
    return {
        **known,
        "upper": rounded_up(certificate.upper),
        "confidence": str(certificate.confidence),
        "terms": tables.terms(certificate) if certificate.terms else None,
        "notes": [sentence for sentence in (certificate.nothing, *notes) if sentence],
        "others": others,
    }


def beside(selection: Selection, other: Selection | None) -> dict[str, Any] | None:
    """The certificate of another selection, whose it is, and why it differs."""
    if other is None or selection.certificate is None or other.certificate is None:
        return None
    return {
        "certificate": certificate(other.certificate),
        "whose": other.best.candidate.name,
        "why": difference(selection.certificate, other.certificate),
        "several": SEVERAL,
    }


def assumes(selection: Selection) -> list[str]:
    """What the score assumes beyond what the certificate assumes."""
    certified = () if selection.certificate is None else selection.certificate.assumes
    return [sentence for sentence in selection.assumes if sentence not in certified]


def _bounds(selection: Selection) -> bool:
    """Whether the score is itself the bound that is certified."""
    return selection.certificate is not None and selection.criterion.better == "lower"


def fits(n_fits: FitCounts) -> list[tuple[str, int]]:
    return [(FITS.get(name, name), count) for name, count in n_fits.items()]


def notes(result: Selection | Comparison | Evaluation | Prevalence | Findings) -> list[str]:
    """Why it stopped, unless a note says so, and the notes that stand neither beside a certificate nor in a table.

    What was found in the data has a table of its own on the pages of selections and comparisons.
    """
    stopped = getattr(result, "stopped", None)
    noted = stopped is None or any(str(stopped) in note for note in result.notes)
    certificate = getattr(result, "certificate", None)
    beside = () if certificate is None else certificate.notes
    listed = result.findings if isinstance(result, Selection | Comparison) else ()
    rest = [note for note in result.notes if note not in beside and note not in listed]
    return [*([] if noted else [f"stopped early: {stopped}"]), *rest]


def provenance(
    result: Selection | Comparison | Evaluation | Prevalence | Findings, made_by: str | None, about: Sequence[str]
) -> dict[str, Any]:
    """What is common to all reports: notes, the data, and how the report was made, when and with what."""
    now = datetime.now().astimezone()
    versions = {
        "foldless": __version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "Python": platform.python_version(),
    }
    return {
        "notes": notes(result),
        "about": [about] if isinstance(about, str) else list(about),
        "made_by": made_by,
        "versions": versions,
        "date": now.strftime("%Y-%m-%d %H:%M %Z"),
        "iso_date": now.isoformat(timespec="seconds"),
    }
