"""Candidates that have learned nothing, which criteria that read the pool may take for good ones: ranked last.

A candidate is degenerate if it predicts one class for all rows it was trained on, if it is right about them no more
often than its class shares are by chance, or if it answers the same rows in another order with other labels, as a coin
does. With a_k labels and b_k predictions of class k among n rows, chance is right about Σ a_k b_k / n of them.

Where the metric of a criterion reads scores or probabilities, so does this: a candidate is degenerate if they are the
same for all rows, if they rank the rows of no class above the others by more than chance does (Mann and Whitney's U),
or if they rank the same rows in another order in another way. With rare positives a good ranking may name one class.

A criterion that asks a fit about the pool has it examined in the same round, so that no fit is trained for it. One that
judges by one split of the labels has its fits examined too. A criterion that certifies, and one that itself weighs
candidates of one class by held-out labels, have theirs examined only for coins: where 19 of 20 rows are of one class,
naming it always may be best. Regressors are not examined: where y is mostly noise its mean may be the best prediction.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from foldless.core.ask import Ask, Candidate, Fit, Response
from foldless.core.choice import Choice
from foldless.core.criterion import Criterion, Evaluation, OutOfTime
from foldless.core.rows import Array, Rows
from foldless.core.target import Classes
from foldless.core.task import Task
from foldless.judging._judge import is_of_answers
from foldless.judging._scoring import judge_of, mean_ranks

SEEN, TURNED = 1000, 100  # rows asked about: labels, and pool rows in two orders
MIN_DEVIATIONS = 1.0  # standard deviations above chance that a fit must be right about its own labels
COIN = 5.0  # the same for the agreement of the answers in two orders, where they differ at all
CONSTANT = "predicts one class for all rows it was trained on"
CHANCE = "is right about the rows it was trained on no more often than by chance"
RANDOM = "its predictions do not depend on the features"
CONSTANT_OUTPUT = "has the same scores for all rows it was trained on"
CHANCE_RANKING = "ranks the rows it was trained on no better than chance"
BELOW = "ranked below the others"


def guarded(criterion: Criterion, task: Task) -> Evaluation:
    """The evaluation of a criterion, whose choices of degenerate candidates say so."""
    if not isinstance(task.target, Classes):
        return (yield from criterion.evaluate(task))
    evaluation, examined, reasons = criterion.evaluate(task), set[Candidate](), dict[Candidate, str]()
    step: Callable[[], list[Ask]] = partial(next, evaluation)
    respond = _responding(criterion, task)
    turned, certifies = _turned(task), criterion.traits.doubts_luck and criterion.holds_out
    while True:
        try:
            asks = step()
        except StopIteration as end:
            if criterion.traits.weighs_constants and len(reasons) < len(task.candidates):
                reasons = {candidate: reason for candidate, reason in reasons.items() if reason == RANDOM}
            return [_marked(choice, reasons, task) for choice in end.value]
        fits = _fits(task, asks, examined, criterion.traits.doubts_luck)
        try:
            responses = [respond(fit.candidate) for fit in fits]
            further = [
                Ask(fit, rows, response)
                for fit, response in zip(fits, responses, strict=True)
                for rows in (_seen(task, fit), turned)
            ]
            answers = yield [*asks, *further]
        except OutOfTime as error:
            step = partial(evaluation.throw, OutOfTime(error.answers[: len(asks)]))
            continue
        about_fits = answers[len(asks) :]
        for fit, response, on_seen, on_turned in zip(fits, responses, about_fits[::2], about_fits[1::2], strict=True):
            examined.add(fit.candidate)
            look = examine if response == "labels" else examine_outputs
            reason = look(task.codes(_seen(task, fit)), on_seen, on_turned)
            if reason and (reason == RANDOM or not certifies):
                reasons[fit.candidate] = reason
        step = partial(evaluation.send, answers[: len(asks)])


def examine(truth: Array, labels: Array, turned: Array) -> str:
    """Why a fit is degenerate, or nothing: from labels it has seen, its own on these rows, and those of `_turned` rows.

    Examples
    --------
    >>> examine(np.array([0, 0, 1]), np.array([0, 0, 0]), np.array([0, 0, 0, 0]))
    'predicts one class for all rows it was trained on'
    >>> examine(np.array([0, 0, 1]), np.array([0, 0, 1]), np.array([0, 1, 1, 0]))
    ''
    """
    forth, back = np.split(turned, 2)
    if np.ptp(truth) > 0 and np.ptp(labels) == 0:
        return CONSTANT
    if (forth != back[::-1]).any() and beyond_chance(forth, back[::-1]) < COIN:
        return RANDOM
    return CHANCE if np.ptp(truth) > 0 and beyond_chance(truth, labels) < MIN_DEVIATIONS else ""


def examine_outputs(truth: Array, outputs: Array, turned: Array) -> str:
    """The same from scores or probabilities, a column of each class.

    Examples
    --------
    >>> rare = np.array([0.1, 0.2, 0.1, 0.2])  # the first class is likelier throughout
    >>> examine_outputs(np.array([0, 1, 0, 1]), np.column_stack([1 - rare, rare]), np.tile([[0.8, 0.2]], (4, 1)))
    ''
    """
    outputs, turned = np.nan_to_num(outputs), np.nan_to_num(turned)
    forth, back = np.split(turned, 2)
    several = np.ptp(truth) > 0
    if several and not np.ptp(outputs, axis=0).any():
        return CONSTANT_OUTPUT
    if not np.allclose(forth, back[::-1], rtol=1e-3, atol=1e-6) and _rank_agreement(forth, back[::-1]) < COIN:
        return RANDOM
    if not several:
        return ""
    above = max(_rank_sum(outputs[:, k], truth == k) for k in np.unique(truth[truth >= 0]))
    return CHANCE_RANKING if above < MIN_DEVIATIONS else ""


def _rank_agreement(first: Array, second: Array) -> float:
    """How many standard deviations more alike two rankings of rows are than random ones, in the class of most."""
    a, b = (np.apply_along_axis(mean_ranks, 0, outputs) - (len(outputs) + 1) / 2 for outputs in (first, second))
    spread = np.sqrt((a * a).sum(axis=0) * (b * b).sum(axis=0))
    correlation = np.divide((a * b).sum(axis=0), spread, out=np.zeros(len(spread)), where=spread > 0)
    return float(correlation.max() * np.sqrt(max(1, len(first) - 1)))


def _rank_sum(scores: Array, positive: Array) -> float:
    """How many standard deviations the positives rank above the others, by Mann and Whitney's U with ties."""
    ranks, n, m = mean_ranks(scores), len(scores), int(positive.sum())
    variance = m * (n - m) / n * ranks.var(ddof=1)
    return float((ranks[positive].sum() - m * (n + 1) / 2) / np.sqrt(variance)) if variance > 0 else 0.0


def beyond_chance(truth: Array, labels: Array) -> float:
    """How many standard deviations more pairs agree than if labels were dealt to the rows at random."""
    n, k = len(truth), 2 + max(int(truth.max()), int(labels.max()))
    a, b = (np.bincount(codes + 1, minlength=k).astype(float) for codes in (truth, labels))  # −1 is no class
    both = a * b
    variance = (both @ ((n - a) * (n - b)) + both.sum() ** 2 - both @ both) / (n * n * max(1, n - 1))
    agree = np.count_nonzero(truth == labels)
    return float((agree - both.sum() / n) / np.sqrt(variance)) if variance > 0 else np.inf


def _responding(criterion: Criterion, task: Task) -> Callable[[Candidate], Response]:
    """What to ask of a candidate, by what the metric of a criterion reads: labels where it has none."""
    scoring = getattr(criterion, "scoring", "accuracy")
    if scoring == "accuracy" or (criterion.traits.asks_metrics and not is_of_answers(scoring)):
        return lambda _: "labels"
    return judge_of(scoring, task).response


def _fits(task: Task, asks: list[Ask], examined: set[Candidate], every: bool) -> list[Fit]:
    """For each candidate that is asked about the pool for the first time, a fit to examine: on every label if asked.

    With ``every``, for each candidate that is asked about anything, if there is a pool.
    """
    fits: dict[Candidate, Fit] = {}
    for ask in asks:
        fit = ask.fit
        asked = len(task.unlabeled) and (every or (len(ask.rows) and ask.rows.bounds[1] >= task.unlabeled.start))
        if fit.candidate in examined or fit.labels is not None or not asked:
            continue
        if fit.candidate not in fits or fit.rows == task.labeled:
            fits[fit.candidate] = fit
    return list(fits.values())


def _seen(task: Task, fit: Fit) -> Rows:
    """Some of the labeled rows that a fit was trained on."""
    if len(fit.rows) <= SEEN:
        return fit.rows
    return fit.rows.at(np.sort(task.rng("labels of a fit").choice(len(fit.rows), SEEN, replace=False)))


def _turned(task: Task) -> Rows:
    """Some pool rows, then the same in the opposite order."""
    n = len(task.unlabeled)
    at = task.rng("rows in two orders").choice(n, min(TURNED, n), replace=False)
    return task.unlabeled.at(np.concatenate([at, at[::-1]]))


def _marked(choice: Choice, reasons: dict[Candidate, str], task: Task) -> Choice:
    if not (reason := reasons.get(choice.candidate, "")):
        return choice
    note = reason if len(reasons) == len(task.candidates) else f"{reason}: {BELOW}"
    return replace(choice, rank=choice.rank._replace(degenerate=True), notes=(*choice.notes, note))
