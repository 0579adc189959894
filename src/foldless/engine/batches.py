"""Group fits that are cheaper together, also through the constant prefix of a Pipeline.

Two savings, which combine:

* **prefix**: candidates that are Pipelines and differ only in their last step share the steps before it. These are
  fitted once per training set and applied once per question.
* **batch**: a learner that can answer many fits at once says so with ``batch_over``, the names of what may differ
  inside a batch (its parameters, or ``"rows"`` and ``"labels"`` of the training set), and with ``answer_batch``.

Who is in a batch may change its numbers (a path starts each value from the one before), so a batch never depends on
the number of workers, and its members are part of the journal's key: it is journaled whole or solved again. Pipelines
that only share a prefix give the same numbers however they are cut, so those are cut to keep all workers busy.
"""

import copy
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import joblib
import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from foldless.batching import BatchLearner, Member, Part, Question
from foldless.core import Rows, digest
from foldless.data import Data
from foldless.engine.candidates import Recipe
from foldless.engine.fits import (
    Order,
    Outcome,
    align,
    answer,
    codes_of,
    frozen_bytes,
    is_constant,
    recorded_warnings,
    run_order,
)
from foldless.engine.pairwise import is_pairwise
from foldless.features import concatenate, n_rows

PATIENCE = 1.0  # seconds after which a worker comes back with what it has


class Work(NamedTuple):
    """An order and the recipe of its candidate."""

    order: Order
    recipe: Recipe


@dataclass(frozen=True, eq=False)
class Batch:
    """Orders that one learner answers at once, or a single one; ``signature`` names the members for the journal."""

    work: tuple[Work, ...]
    learner: bool = False
    signature: bytes = b""


@dataclass(frozen=True, eq=False)
class Group:
    """Batches that run on one worker, behind one prefix if they have one."""

    batches: tuple[Batch, ...]
    prefix: bool = False

    @property
    def work(self) -> tuple[Work, ...]:
        return tuple(chain.from_iterable(batch.work for batch in self.batches))

    @property
    def threaded(self) -> bool:
        """Whether its learner keeps all cores busy by itself."""
        return all(
            batch.learner and getattr(last_step(batch.work[0].recipe.estimator), "own_threads", False)
            for batch in self.batches
        )


def group(work: Sequence[Work], data: Data) -> list[Group]:
    """Cut the work into groups; fit parameters and callbacks do not reach into one, so with them all fits go alone."""
    by_prefix: dict[Any, list[Work]] = {}
    for item in work:
        by_prefix.setdefault(_prefix_key(item, data), []).append(item)
    groups = []
    for key, items in by_prefix.items():
        by_batch: dict[Any, list[Work]] = {}
        for item in items:
            by_batch.setdefault(_batch_key(item) if key[0] != "alone" else item.order.fit.key, []).append(item)
        batches = tuple(_batch(key, members) for key, members in by_batch.items())
        groups.append(Group(batches, prefix=key[0] == "prefix"))
    return groups


def cut(groups: Sequence[Group], n_jobs: int) -> list[Group]:
    """Cut groups at the borders of batches where there are fewer groups than workers."""
    pieces: list[Group] = []
    for whole in groups:
        n = min(len(whole.batches), -(-n_jobs // len(groups)))
        pieces += [replace(whole, batches=whole.batches[at::n]) for at in range(n)]
    return pieces


def split(whole: Group, n_done: int) -> tuple[Group, list[Group]]:
    """The batches behind the first outcomes, and what is left of the group, if anything."""
    at = n = 0
    while n < n_done:
        n += len(whole.batches[at].work)
        at += 1
    rest = whole.batches[at:]
    return replace(whole, batches=whole.batches[:at]), [replace(whole, batches=rest)] if rest else []


def run_group(group: Group, data: Data) -> list[Outcome]:
    """The outcomes of a group's work in its order, or of the first part of it where the whole would take long.

    What is left is to be queued again: a worker comes back often enough for progress, for the journal and for a stop.
    """
    if len(group.work) == 1 and not group.batches[0].learner:
        return _one_by_one(group.batches[0], data)
    with recorded_warnings() as told:
        outcomes = _run_together(group, data)
    return [replace(outcomes[0], warnings=outcomes[0].warnings + tuple(told)), *outcomes[1:]]


def _run_together(group: Group, data: Data) -> list[Outcome]:
    start = time.perf_counter()
    features: _Raw | _Transformed | None = None
    with suppress(Exception):  # a prefix that cannot be fitted shows its error when each pipeline is fitted alone
        features = _Transformed(group, data) if group.prefix else _Raw(group, data)
    prepared = time.perf_counter() - start
    patience = max(PATIENCE, 10 * prepared)  # a prefix fitted again for the rest costs a tenth at most
    outcomes: list[Outcome] = []
    for batch in group.batches:
        if outcomes and time.perf_counter() - start > patience:
            break
        outcomes += _run_batch(batch, features, data)
    share = prepared / len(outcomes)
    return [replace(outcome, fit_seconds=outcome.fit_seconds + share) for outcome in outcomes]


def _run_batch(batch: Batch, features: "_Raw | _Transformed | None", data: Data) -> list[Outcome]:
    """One batch; where it fails, each of its members alone, so that one bad member does not take the others along."""
    if features is not None:
        with suppress(Exception):
            return (_ask_learner if batch.learner else _fit_last_step)(batch, features, data)
    return _one_by_one(batch, data)


def _one_by_one(batch: Batch, data: Data) -> list[Outcome]:
    return [run_order(order, recipe.estimator, data) for order, recipe in batch.work]


def _ask_learner(batch: Batch, features: "_Raw | _Transformed", data: Data) -> list[Outcome]:
    """Hand a batch to its learner."""
    start = time.perf_counter()
    learner = clone(last_step(batch.work[0].recipe.estimator))
    members = [
        Member(
            {name: last_step(recipe.estimator).get_params()[name] for name in learner.batch_over - {"rows", "labels"}},
            features.train(order.fit.rows),
            data.classes[codes_of(order.fit, data)],
            tuple(Question(features.asked(ask.rows), ask.response) for ask in order.asks),
            order.keep,
        )
        for order, recipe in batch.work
    ]
    answered = list(learner.answer_batch(features.blocks, members))
    share = (time.perf_counter() - start) / len(members)
    outcomes = []
    for (order, recipe), given in zip(batch.work, answered, strict=True):
        aligned = [
            align(raw, ask.response, given.classes, data.classes)
            for raw, ask in zip(given.answers, order.asks, strict=True)
        ]
        reduced = tuple(a if ask.reduce is None else ask.reduce(a) for a, ask in zip(aligned, order.asks, strict=True))
        kept = order.keep and given.model is not None
        model = frozen_bytes(features.model(recipe.estimator, given.model)) if kept else None
        outcomes.append(Outcome(reduced, None, model, share))
    return outcomes


def _fit_last_step(batch: Batch, features: "_Raw | _Transformed", data: Data) -> list[Outcome]:
    """Fit the last step of one pipeline on what its prefix made of the rows."""
    ((order, recipe),) = batch.work
    start = time.perf_counter()
    train = features.blocks[features.train(order.fit.rows).block]
    model = clone(last_step(recipe.estimator)).fit(train, data.classes[codes_of(order.fit, data)])
    fitted = time.perf_counter()
    answers = tuple(
        answer(model, features.blocks[features.asked(ask.rows).block], ask, data.classes) for ask in order.asks
    )
    kept = frozen_bytes(features.model(recipe.estimator, model)) if order.keep else None
    return [Outcome(answers, None, kept, fitted - start, time.perf_counter() - fitted)]


class _Transformed:
    """Features behind a fitted prefix: one block per set of rows."""

    def __init__(self, group: Group, data: Data):
        first, recipe = group.work[0]
        self.prefix = clone(recipe.estimator)[:-1]
        codes = codes_of(first.fit, data)
        self.blocks = [self.prefix.fit_transform(data.take(first.fit.rows), data.classes[codes])]
        self.at: dict[Rows, Part] = {}
        for order, _ in group.work:
            for ask in order.asks:
                if ask.rows not in self.at:
                    self.at[ask.rows] = Part(len(self.blocks))
                    self.blocks.append(self.prefix.transform(data.take(ask.rows)))

    def train(self, _: Rows) -> Part:
        """What fit_transform made, which for some transformers is not what transform makes of the same rows."""
        return Part(0)

    def asked(self, rows: Rows) -> Part:
        return self.at[rows]

    def model(self, pipeline: Pipeline, last: Any) -> Pipeline:
        """The pipeline with its fitted steps."""
        whole = copy.copy(pipeline)
        whole.steps = [*self.prefix.steps, (pipeline.steps[-1][0], last)]
        return whole


class _Raw:
    """Features as the user passed them: the parts of the data, or all that is touched in one block where rows cross."""

    def __init__(self, group: Group, data: Data):
        asked = {order.fit.rows for order, _ in group.work} | {a.rows for order, _ in group.work for a in order.asks}
        touched = sorted({at for rows in asked for at in data.touched(rows)})
        parts, ends = data.parts, np.cumsum([n_rows(part) for part in data.parts])
        self.blocks = [parts[at] for at in touched]
        starts = {at: int(ends[at]) - n_rows(parts[at]) for at in touched}
        crossing = any(len(data.touched(rows)) > 1 for rows in asked)
        if crossing:
            self.blocks = [concatenate(self.blocks)]
        self.at: dict[Rows, Part] = {}
        for rows in asked:
            part = 0 if crossing else touched.index(data.touched(rows)[0])
            start = starts[touched[part]]
            whole = rows.scattered is None and (rows.start, len(rows)) == (start, n_rows(self.blocks[part]))
            self.at[rows] = Part(part, None if whole else rows.indices - start)

    def train(self, rows: Rows) -> Part:
        return self.at[rows]

    asked = train

    def model(self, _: Any, fitted: Any) -> Any:
        return fitted


def last_step(estimator: Any) -> Any:
    """The learner at the end of a pipeline, or the estimator itself."""
    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def _prefix_key(item: Work, data: Data) -> tuple[Any, ...]:
    """What must be equal for two fits to share a worker's group."""
    order, recipe = item
    fit, estimator = order.fit, recipe.estimator
    if data.fit_params or order.hook is not None or fit.candidate.semi_supervised or is_constant(codes_of(fit, data)):
        return ("alone", fit.key)
    # a subclass may do anything between its steps, such as drawing other rows
    plain = type(estimator) is Pipeline and len(estimator.steps) > 1 and estimator.transform_input is None
    if plain and not is_pairwise(estimator):
        last = estimator.steps[-1][0]
        return ("prefix", recipe.base, _tokens(recipe.params, lambda name: name.split("__")[0] != last), *fit.key[1:])
    if isinstance(estimator, BatchLearner):
        return ("batch", _batch_key(item))
    return ("alone", fit.key)


def _batch_key(item: Work) -> tuple[Any, ...]:
    """What must be equal for two fits to be answered by one call of their learner."""
    order, recipe = item
    learner = last_step(recipe.estimator)
    if not isinstance(learner, BatchLearner):
        return ("single", order.fit.key)
    rows, labels = order.fit.key[1:3]
    shared = _tokens(recipe.params, lambda name: name.split("__")[-1] not in learner.batch_over)
    through = isinstance(recipe.estimator, Pipeline)
    return (
        "learner",
        recipe.base,
        shared,
        rows if through or "rows" not in learner.batch_over else b"",
        labels if "labels" not in learner.batch_over else b"",
    )


def _batch(key: tuple[Any, ...], members: list[Work]) -> Batch:
    if key[0] != "learner":
        return Batch(tuple(members))
    names = [
        digest(
            repr(_tokens(recipe.params, lambda _: True)),
            *(part for part in order.fit.key[1:] if isinstance(part, bytes)),
        )
        for order, recipe in members
    ]
    return Batch(tuple(members), learner=True, signature=digest(*names))


def _tokens(params: Mapping[str, Any], wanted: Any) -> tuple[tuple[str, str], ...]:
    """Parameters as something that can be compared: plain values by repr, others by content."""
    plain = (int, float, str, bool, type(None), tuple, np.generic)
    return tuple(
        (name, repr(value) if isinstance(value, plain) else str(joblib.hash(value)))
        for name, value in sorted(params.items())
        if wanted(name)
    )
