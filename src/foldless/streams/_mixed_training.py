"""Train on several files at once, where the order of rows does not matter: parameter mixing.

The first rows fix the classes and the scale of the features for all. Then the files are dealt out to as many learners
as there are jobs, the largest first, and each learner reads its files in their order, in a process of its own, with a
checkpoint of its own. The model is the average of their weights, w = Σ n_i w_i / Σ n_i over n_i rows each, and is
evaluated on the rows that all have held out. With n rows in k parts the variance of the average is about that of one
learner on all rows, and its bias that of a learner on n/k rows: what is lost shrinks as the parts grow.

References
----------
McDonald, Hall & Mann (2010). Distributed training strategies for the structured perceptron. NAACL. (parameter mixing)
Zhang, Duchi & Wainwright (2013). Communication-efficient algorithms for statistical optimization. JMLR 14.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from foldless.core import Array
from foldless.data._features import concatenate
from foldless.engine._stopping import Stop, is_death
from foldless.errors import BadInput
from foldless.io._faults import Ledger, OnError
from foldless.io._parts import Place, StreamPart
from foldless.learners.online._linear_learner import OneVsRest
from foldless.saving._names import saved
from foldless.streams._batches import Stream
from foldless.streams._plan import Plan
from foldless.streams._reservoir import ReservoirRows
from foldless.streams._resume import Resumable, interrupted
from foldless.streams._trainer import State, Trainer
from foldless.streams.prequential import ConfusionMatrix, PrequentialEvaluation

SEED_STEP = 1_000_003  # between the seeds of two learners


@saved("foldless.saving")
class AveragedWeights(OneVsRest):
    """The mean of the weights of linear classifiers; it learns nothing more.

    Parameters
    ----------
    measure : str
        What the learners optimized.
    """

    def __init__(self, measure: Any = None):
        self.measure = measure

    def around(self, learners: Sequence[Any], rows: Sequence[int]) -> "AveragedWeights":
        """The average of fitted learners, by the rows that each has learned from."""
        first = learners[0]
        if not all(hasattr(learner, "coef_") and hasattr(learner, "intercept_") for learner in learners):
            raise BadInput(
                f"{type(first).__name__} has no weights that can be averaged",
                place="n_jobs", remedy="use a linear learner, or one job",
            )  # fmt: skip
        shares = np.asarray(rows, dtype=float) / sum(rows)
        self.classes_, self.n_features_in_ = first.classes_, int(first.n_features_in_)
        self.coef_ = _mean([learner.coef_ for learner in learners], shares)
        self.intercept_ = _mean([np.asarray(learner.intercept_) for learner in learners], shares)
        return self

    def fit(self, X: Any, y: Any) -> "AveragedWeights":  # noqa: ARG002 (scikit-learn's signature)
        """It is made of learners that have learned."""
        raise BadInput("an average of learners does not learn: train the learners, and average them")


def _mean(parts: Sequence[Array], shares: Array) -> Array:
    total = np.zeros(parts[0].shape, dtype=np.float64)
    for part, share in zip(parts, shares, strict=True):
        total += share * part
    return total.astype(np.result_type(*parts), copy=False)


@dataclass(eq=False)
class _Share:
    """What one learner is to do: files, plan, the state it begins with, and where its checkpoint is."""

    parts: list[StreamPart]
    plan: Plan
    state: State
    path: Path | None
    every: int
    on_error: OnError

    def learn(self) -> tuple[State, Ledger, bool, bool]:
        """The state at the end of the files, faults and sentences, and whether it resumed and ended."""
        with Stop() as stop:
            stream = Stream(self.parts, self.plan.batch, self.state.schema, lambda: stop.reason is not None)
            trainer = Trainer(stream, self.plan, self.state.learner, Ledger(self.on_error))
            run = Resumable(trainer, self.path, self.every, stop, lambda _: None)
            resumed = run.resume()
            if not resumed:
                trainer.take(self.state)
            state = run.run()
        return state, trainer.ledger, resumed, trainer.ended


def train_mixed(
    stream: Stream, plan: Plan, learner: Any, ledger: Ledger, n_jobs: int, path: Path | None, every: int
) -> tuple[State, Plan, list[str]]:
    """Train as many learners as there are jobs, or files: the state of their average, its plan, and notes."""
    groups = dealt(stream.parts, n_jobs)
    trainer = Trainer(Stream(stream.parts, plan.batch), plan, clone(learner), Ledger("skip"))
    first = trainer.run(lambda so_far: so_far.state is None)  # of the first rows: columns, classes and scale
    named = replace(plan, classes=tuple(map(str, first.classes.tolist())), hold=-(-plan.hold // len(groups)))
    plans = [replace(named, seed=(plan.seed + SEED_STEP * at) % 2**32) for at in range(len(groups))]
    shares = [
        _Share(group, plans[at], _fresh(first, plans[at], learner), beside(path, at, len(groups)), every,
               ledger.on_error)
        for at, group in enumerate(groups)
    ]  # fmt: skip
    try:
        done = list(Parallel(n_jobs=len(shares))(delayed(share.learn)() for share in shares))
    except Exception as error:  # each learner that did not die has left its checkpoint
        if not is_death(error):
            raise
        raise interrupted("a worker process died, possibly out of memory", _all_beside(path)) from error
    notes = [
        f"the model is the average of {len(groups)} learners, each of which has read different files: the order of "
        f"rows across files is ignored, and prequential scores are those of the learners"
    ]
    for _, its, resumed, _ in done:
        for sentence in its.messages:
            ledger.tell(sentence)
        ledger.counts.update({kind: ledger.counts.get(kind, 0) + n for kind, n in its.counts.items()})
        if resumed and len(notes) < 2:
            notes.append(f"it resumed from {_all_beside(path)}")
    states = [state for state, *_ in done]
    if not all(ended for *_, ended in done):
        raise interrupted(f"interrupted after {sum(state.rows for state in states):,} rows", _all_beside(path))
    for share in shares:
        if share.path is not None:
            share.path.unlink(missing_ok=True)
    joined = replace(plan, learner=f"average of {len(groups)} {plan.learner}")
    return averaged(states, str(plan.params["measure"])), joined, notes


def _all_beside(path: Path | None) -> str | None:
    return None if path is None else f"the checkpoints beside {path}"


def dealt(parts: Sequence[StreamPart], n: int) -> list[list[StreamPart]]:
    """The files in as many groups, of about equal sizes; each group in the order of the stream."""
    if any(part.path is None for part in parts) or len(parts) < 2:
        what = f"there is one, {parts[0].name}" if parts[0].path is not None else f"{parts[0].name} is none"
        raise BadInput(
            f"several jobs need several files, and {what}",
            value=n, place="n_jobs", remedy=("name several files", "use one job"),
        )  # fmt: skip
    sizes = [part.path.stat().st_size for part in parts if part.path is not None]
    groups: list[list[int]] = [[] for _ in range(min(n, len(parts)))]
    loads = np.zeros(len(groups))
    for at in sorted(range(len(parts)), key=lambda at: -sizes[at]):
        lightest = int(np.argmin(loads))
        groups[lightest].append(at)
        loads[lightest] += sizes[at]
    return [[parts[at] for at in sorted(group)] for group in groups]


def beside(path: Path | None, at: int, n: int) -> Path | None:
    return None if path is None else path.with_name(f"{path.name}.{at + 1}of{n}")


def averaged(states: Sequence[State], measure: str) -> State:
    """The state of all learners together: their average, their evaluations, and the rows that they have held out."""
    whole = [state for state in states if state.rows]
    first, k = whole[0], len(whole[0].classes)
    model = AveragedWeights(measure).around([state.learner for state in whole], [state.rows for state in whole])
    tables = [
        ConfusionMatrix(sum(getattr(state.evaluation, name).table for state in whole)) for name in ("whole", "recent")
    ]
    held = ReservoirRows(sum(state.held.size for state in whole), first.held.seed)
    kept = [state.held for state in whole if len(state.held)]
    if kept:
        order = np.random.default_rng(first.held.seed).permutation(sum(map(len, kept)))  # they are in no order
        held.X = concatenate([each.X for each in kept])[order]
        held.codes = np.concatenate([each.codes for each in kept])[order]
    outside = np.sum([state.ranges.outside for state in whole], axis=0)
    return replace(
        first, learner=model, evaluation=PrequentialEvaluation(k, *tables), held=held, place=Place(),
        ranges=replace(first.ranges, outside=outside, rows=sum(state.ranges.rows for state in whole)),
        rows=sum(state.rows for state in whole),
    )  # fmt: skip


def _fresh(first: State, plan: Plan, learner: Any) -> State:
    """A state that has learned nothing yet, on the scale of the first rows."""
    return replace(
        first, learner=clone(learner), evaluation=PrequentialEvaluation(len(first.classes)), place=Place(), rows=0,
        held=ReservoirRows(plan.hold, plan.seed),
        ranges=replace(first.ranges, outside=np.zeros_like(first.ranges.outside), rows=0),
    )  # fmt: skip
