"""Splits of foldless for the ``cv`` argument of scikit-learn: every label at once, or the resamples of a race."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import type_of_target

from foldless.core import Array, Classes, PoolRows, Rows, Target, Task, Values
from foldless.core._resampling import check_whole
from foldless.criteria.racing import RESAMPLES, resamples
from foldless.data._features import n_rows
from foldless.errors import BadInput


class EveryLabel:
    """One split in which all rows train and test: for scorers that hold out rows by themselves.

    A plain metric on it is the training score. −1 in ``y`` is a label like any other; see `CriterionScorer`.
    """

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002 (scikit-learn's)
        return 1

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: ARG002
        rows = np.arange(n_rows(X))
        yield rows, rows

    def __repr__(self) -> str:
        return "EveryLabel()"


class RaceResamples:
    """The resamples that ``auto`` races on: three times three folds that keep the class shares, then bootstraps.

    With 400 rows, or groups, the folds are twice five; with fewer than 40 all are bootstraps. −1 in ``y`` is a class.

    Parameters
    ----------
    n_splits : int
        How many of them, up to 12.
    random_state : int, RandomState or None
        The seed.
    """

    def __init__(self, n_splits: int = 9, random_state: Any = None):
        check_whole("n_splits", n_splits)
        if n_splits > RESAMPLES:
            raise BadInput(f"a race has {RESAMPLES} resamples, got n_splits={n_splits!r}: ask for fewer")
        self.n_splits = n_splits
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002 (scikit-learn's)
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: ARG002
        """Positions to train on and to test on."""
        if y is None:
            raise BadInput("a race keeps class shares, so its resamples need y: pass it to split(X, y)")
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        for train, test in resamples(_task(np.asarray(y), groups, seed))[: self.n_splits]:
            yield train.indices, test.indices

    def __repr__(self) -> str:
        return f"RaceResamples(n_splits={self.n_splits}, random_state={self.random_state!r})"


def _task(y: Array, groups: Any, seed: int) -> Task:
    target: Target = Values(y)
    if type_of_target(y) != "continuous":
        classes, codes = np.unique(y, return_inverse=True)
        target = Classes(codes, classes)
    groups = None if groups is None else np.asarray(groups)
    return Task(target, Rows(range(len(y))), PoolRows(Rows(range(0))), (), 0, seed, groups)
