"""measured: a chosen model by any metric, from what its fits said of labels that they left out, without a fit."""

import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from foldless.accuracy._assumptions import CONFIDENCE, ONE_POPULATION, ROUGH
from foldless.accuracy._measured import ModelAnswers
from foldless.accuracy._measured import measured as with_interval
from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.errors import CannotAnswer
from foldless.judging._judge import AnswerScorer, Scoring, scorer_of
from foldless.judging._scoring import ClassJudge
from foldless.judging.costs import Costs
from foldless.results._measure_words import in_words
from foldless.results.baseline import Baseline
from foldless.results.estimate import LIKE_LABELS, NEW_ROWS, Estimate
from foldless.results.measured import MeasuredScore
from foldless.results.selection import Selection

BY_SAME_LABELS = "the model was chosen with the same labels, so the value may be too high: it is not corrected for that"
MAX_CONSTANTS = 20  # classes of which each is tried as a constant
NOT_LEFT_OUT = "there are no out-of-fold predictions"


def measured(
    selection: Selection, scoring: Scoring | Sequence[Scoring], *, confidence: float = CONFIDENCE
) -> Selection:
    """Add metrics to a selection, each with an interval and beside that of a constant prediction.

    Parameters
    ----------
    selection : Selection
        That of a search with ``scoring=`` and ``estimate=True``, which keeps out-of-fold predictions.
    scoring : str, `foldless.Metric`, callable, or several
        scikit-learn's names, or scorers of predictions.
    confidence : how often the intervals contain the true value

    Returns
    -------
    Selection
        The same with ``measures``; a note says which metric cannot be estimated.
    """
    several = [scoring] if isinstance(scoring, str) or callable(scoring) else list(scoring)
    scores, notes = list(selection.measures), list[str]()
    for one in several:
        try:
            score, more = _measured(selection, one, confidence)
        except CannotAnswer as error:
            notes.append(f"there is no estimate of {in_words(name_of(one))}: {error.problem}")
            continue
        scores.append(score)
        notes += more
    held_out = replace(selection.held_out, measures=tuple(scores))
    return replace(selection, held_out=held_out, notes=tuple(dict.fromkeys([*selection.notes, *notes])))


def name_of(scoring: Any) -> str:
    """What a metric is called beside its number."""
    if isinstance(scoring, str | AnswerScorer):
        return str(scoring)
    inside = getattr(scoring, "_score_func", scoring)
    return str(getattr(inside, "__name__", inside))


def better_of(scoring: Any) -> str:
    """Which numbers of a metric are better, as people read it."""
    return "lower" if getattr(scoring, "lower_is_better", False) else "higher"


def constant(scoring: Scoring, classes: Array, y: Array) -> Baseline | None:
    """What always saying one class has, the best for this metric, with the class shares as probabilities.

    None where the metric is not defined for it.
    """
    shares = np.bincount(y, minlength=len(classes)) / len(y)
    if isinstance(scoring, Costs):
        by_class = shares @ scoring.matrix(classes)
        return Baseline(plain_value(classes[int(by_class.argmin())]), float(by_class.min()))
    judge, most = ClassJudge(scoring, classes), int(shares.argmax())
    by_labels = judge.wanted[0] == "labels" and len(classes) <= MAX_CONSTANTS
    values: dict[int, float] = {}
    with warnings.catch_warnings(), suppress(CannotAnswer):
        warnings.simplefilter("ignore")  # a class that is never said
        for at in range(len(classes)) if by_labels else [most]:
            values[at] = ModelAnswers(classes, y, np.full(len(y), at), np.tile(shares, (len(y), 1))).score(judge)
    if not values:
        return None
    best = max(values, key=lambda at: (values[at], shares[at]))
    return Baseline(plain_value(classes[best]), values[best])


def _measured(selection: Selection, scoring: Scoring, confidence: float) -> tuple[MeasuredScore, list[str]]:
    known = selection.held_out.out_of_fold
    if known is None:
        raise CannotAnswer(NOT_LEFT_OUT)
    answers = ModelAnswers(known.classes, known.y, known.labels, known.probabilities)
    rng = np.random.default_rng(0)  # of blocks of rows: the same metric has the same interval
    interval, notes = with_interval(scoring, answers, known.units, confidence, rng, out_of_fold=True)
    like_labels = selection.estimate is not None and not selection.estimate.about_pool
    estimate = Estimate(
        name_of(scoring), interval.value, interval.lower, interval.upper, confidence, "held-out labels",
        (ONE_POPULATION, BY_SAME_LABELS, ROUGH), len(known.y), notes=tuple(notes),
        population=LIKE_LABELS if like_labels else NEW_ROWS,
    )  # fmt: skip
    baseline = constant(scoring, known.classes, known.y)
    on_test, more = _on_test(selection, scoring)
    if on_test is not None and baseline is not None:
        baseline = replace(baseline, on_test=_constant_on_test(selection, scoring, baseline))
    return MeasuredScore(estimate, baseline, better_of(scoring), on_test), [*notes, *more]


def _on_test(selection: Selection, scoring: Scoring) -> tuple[float | None, list[str]]:
    """The metric of the chosen model on the test rows, or a note on why it is not known there."""
    if selection.ground is None or selection.model is None or selection.ground.data.test is None:
        return None, []
    data = selection.ground.data
    if (data.test_y < 0).any():
        return None, [f"{in_words(name_of(scoring))} of the test rows is not known: some are of classes without labels"]
    sign = -1.0 if better_of(scoring) == "lower" else 1.0
    try:
        score = scorer_of(scoring)(selection.model, data.test, np.asarray(data.classes)[data.test_y])
    except (ValueError, CannotAnswer) as error:
        return None, [f"{in_words(name_of(scoring))} of the test rows is not known: {str(error).splitlines()[0]}"]
    return sign * float(score), []


def _constant_on_test(selection: Selection, scoring: Scoring, baseline: Baseline) -> float | None:
    """What always saying the class of the baseline has on the test rows."""
    assert selection.ground is not None
    data = selection.ground.data
    classes, truth = np.asarray(data.classes), data.test_y
    code = [plain_value(label) for label in classes].index(baseline.label)
    if isinstance(scoring, Costs):
        return float(scoring.matrix(classes)[truth, code].mean())
    shares = np.bincount(selection.ground.task.y, minlength=len(classes)) / len(selection.ground.task.y)
    with warnings.catch_warnings(), suppress(CannotAnswer, ValueError):
        warnings.simplefilter("ignore")  # a class that is never said
        answers = ModelAnswers(classes, truth, np.full(len(truth), code), np.tile(shares, (len(truth), 1)))
        return answers.score(ClassJudge(scoring, classes))
    return None
