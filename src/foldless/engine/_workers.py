"""Run a group of fits on one worker: hand batches to their learners, fit last steps behind a common prefix.

Where a batch fails, its members are fitted one by one, so that the numbers of the others do not depend on the bad one.
"""

from typing import Any

from sklearn.base import clone

from foldless.core.batch import Member, Question
from foldless.core.compiled_code import working_time
from foldless.data._sample import Sample
from foldless.engine._blocks import OfRowSet, Raw, Transformed
from foldless.engine._candidates import last_step
from foldless.engine._fits import (
    Outcome,
    align,
    answer_all,
    as_failure,
    frozen_bytes,
    in_user_labels,
    learned,
    learner_of,
    recorded_warnings,
    run_order,
    targets,
)
from foldless.engine._groups import OF_THE_FIT, Batch, Group, series_over
from foldless.errors import Overtime, warn_user
from foldless.learners import _forest_growth

PATIENCE = 1.0  # seconds after which a worker comes back with what it has


def run_group(group: Group, data: Sample) -> list[Outcome]:
    """The outcomes of a group's work in its order, or of the first part of it where the whole would take long.

    What is left is to be queued again: a worker comes back often enough for progress, for the journal and for a stop.
    """
    if len(group.work) == 1 and not group.batches[0].learner:
        return _one_by_one(group.batches[0], data)
    with recorded_warnings() as recorded:
        outcomes = _run_together(group, data)
    outcomes[0].warnings += tuple(recorded)
    return outcomes


def _run_together(group: Group, data: Sample) -> list[Outcome]:
    start = working_time()
    features: Raw | Transformed | Exception
    orders = [order for order, _ in group.work]
    try:
        behind = OfRowSet if group.of_rows else Transformed
        features = behind(group.work[0].recipe.estimator, orders, data) if group.prefix else Raw(orders, data)
    except (Exception, SystemExit) as error:  # a prefix that cannot be fitted, for example
        features = as_failure(error)
    learners = _Learners(seconds=working_time() - start)
    outcomes: list[Outcome] = []
    for batch in group.batches:
        # what is prepared again for the rest, a prefix or a series, costs a tenth at most
        if outcomes and working_time() - start > max(PATIENCE, 10 * learners.seconds):
            break
        try:
            outcomes += _run_batch(batch, features, learners, data)
        except Overtime:
            if not outcomes:
                raise
            break
    share = learners.seconds / len(outcomes)
    for outcome in outcomes:
        outcome.alone_seconds = outcome.fit_seconds + learners.seconds
        outcome.fit_seconds += share
    return outcomes


class _Learners:
    """One learner for each series of batches, and the seconds that went into what its batches share."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self._ready: dict[Any, Any] = {}

    def of(self, batch: Batch, blocks: list[Any], members: list[Member]) -> Any:
        if batch.series not in self._ready:
            start = working_time()
            learner = clone(last_step(batch.work[0].recipe.estimator))
            if series_over(learner):
                learner.prepare(blocks, members)
            self._ready[batch.series] = learner
            self.seconds += working_time() - start
        return self._ready[batch.series]


def _run_batch(
    batch: Batch, features: Raw | Transformed | Exception, learners: _Learners, data: Sample
) -> list[Outcome]:
    """One batch; where it fails, each of its members alone, so that one bad member does not take the others along.

    The outcome of that member then has the reason. Where there is none, the batch itself failed, and a warning follows.
    """
    try:
        if isinstance(features, Exception):
            raise features
        if batch.learner:
            return _ask_learner(batch, features, learners, data)
        if isinstance(features, Transformed):
            return _fit_last_step(batch, features, data)
    except (Exception, SystemExit) as error:
        outcomes = _one_by_one(batch, data)
        if not any(outcome.failed for outcome in outcomes):
            learner = type(last_step(batch.work[0].recipe.estimator)).__name__
            message = f"{learner} was fitted one at a time, because its batch failed: {type(error).__name__}: {error}"
            warn_user(message, RuntimeWarning)
        return outcomes
    return _one_by_one(batch, data)


def _one_by_one(batch: Batch, data: Sample) -> list[Outcome]:
    return [run_order(order, recipe.estimator, data) for order, recipe in batch.work]


def _ask_learner(batch: Batch, features: Raw | Transformed, learners: _Learners, data: Sample) -> list[Outcome]:
    start, shared = working_time(), learners.seconds
    last = last_step(batch.work[0].recipe.estimator)
    varying = (last.batch_over | series_over(last)).difference(OF_THE_FIT)
    learners_of = {work.recipe: last_step(work.recipe.estimator) for work in batch.work}
    params = {recipe: {name: getattr(of, name) for name in varying} for recipe, of in learners_of.items()}
    asked = [dict.fromkeys((ask.rows, ask.response) for ask in order.asks) for order, _ in batch.work]
    semi = batch.work[0].order.fit.candidate.semi_supervised
    known = learned(data, semi)
    members = [
        Member(
            params[recipe],
            features.train(order.fit),
            targets(order.fit, data),
            tuple(Question(features.asked(rows), response) for rows, response in questions),
            order.keep,
            features.unlabeled(order.fit),
            order.start,
        )
        for (order, recipe), questions in zip(batch.work, asked, strict=True)
    ]
    learner = learners.of(batch, features.blocks, members)
    before = getattr(learner, "shared_seconds", 0.0)
    answered = list(learner.answer_batch(features.blocks, members))
    learners.seconds += getattr(learner, "shared_seconds", 0.0) - before
    share = (working_time() - start - (learners.seconds - shared)) / len(members)
    outcomes = []
    for (order, recipe), questions, result in zip(batch.work, asked, answered, strict=True):
        aligned = {
            (rows, response): align(raw, response, result.classes, known)
            for (rows, response), raw in zip(questions, result.answers, strict=True)
        }
        answers = tuple(ask.reduced(aligned[ask.rows, ask.response]) for ask in order.asks)
        model = None
        if order.keep and result.model is not None:
            fitted = features.model(recipe.estimator, result.model)
            model = frozen_bytes(in_user_labels(fitted, recipe.estimator, semi, data))
        outcomes.append(Outcome(answers, None, model, share))
    return outcomes


def _fit_last_step(batch: Batch, features: Transformed, data: Sample) -> list[Outcome]:
    """Fit the last step of one pipeline on what its prefix made of the rows."""
    ((order, recipe),) = batch.work
    start = working_time()
    last = learner_of(last_step(recipe.estimator), features.y, data)
    _forest_growth.fit(last, features.blocks[0], features.y)
    fitted = working_time()
    semi = order.fit.candidate.semi_supervised
    model = in_user_labels(last, last, semi, data)
    answers = answer_all(model, order.asks, lambda rows: features.blocks[features.asked(rows).block], data.classes)
    kept = None
    if order.keep:
        kept = frozen_bytes(in_user_labels(features.model(recipe.estimator, last), recipe.estimator, semi, data))
    return [Outcome(answers, None, kept, fitted - start, working_time() - fitted)]
