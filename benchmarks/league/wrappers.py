"""Criteria around criteria: with the candidates of one family, without the pool, with ties broken at random.

The league shows the candidates of all families to one comparison, and each criterion those of one family. Folds and
seeds do not depend on the other candidates, so it chooses as it would alone, and the families share their fits.
"""

from dataclasses import dataclass, replace

import numpy as np

from foldless.core import Choice, Criterion, Evaluation, PoolRows, Rank, Rows, Task


@dataclass(frozen=True)
class Around(Criterion):
    """A criterion around another, with the same properties."""

    criterion: Criterion

    better = property(lambda self: self.criterion.better)
    needs = property(lambda self: self.criterion.needs)
    assumes = property(lambda self: self.criterion.assumes)
    traits = property(lambda self: self.criterion.traits)
    holds_out = property(lambda self: self.criterion.holds_out)

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        return self.criterion.order_ties(tied)


@dataclass(frozen=True)
class Among(Around):
    """A criterion that sees the candidates of some estimators only."""

    estimators: tuple[str, ...] = ()

    def evaluate(self, task: Task) -> Evaluation:
        own = tuple(c for c in task.candidates if c.params["estimator"] in self.estimators)
        if not own:  # all of them failed
            return []
        return (yield from self.criterion.evaluate(replace(task, candidates=own, n_asked=len(own))))


@dataclass(frozen=True)
class WithoutPool(Around):
    """A criterion that is not shown the pool."""

    def evaluate(self, task: Task) -> Evaluation:
        return (yield from self.criterion.evaluate(replace(task, pool=PoolRows(Rows(np.empty(0, dtype=int))))))


@dataclass(frozen=True)
class TiesAtRandom(Around):
    """A criterion whose ties are broken at random, and not by the order of the grid."""

    def evaluate(self, task: Task) -> Evaluation:
        choices = yield from self.criterion.evaluate(task)
        lots = task.rng("ties at random").random(len(choices))
        return [replace(c, rank=Rank(c.score + 1e-9 * lot)) for c, lot in zip(choices, lots, strict=True)]
