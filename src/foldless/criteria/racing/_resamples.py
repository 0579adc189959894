"""The resamples that ``auto`` trains on, and the rows that it asks about."""

import numpy as np

from foldless.core import Classes, Fold, Rows, Task
from foldless.core._resampling import batches

FOLDS = ((400, 5, 2), (40, 3, 3))  # labels, or groups, from which so many folds, so many times, precede bootstraps
RESAMPLES = 12
POOL = 400  # pool rows that are asked about


def resamples(task: Task, n: int = RESAMPLES) -> list[Fold]:
    """Folds that keep the class shares, several times, then bootstraps; few labels have bootstraps only.

    A bootstrap repeats rows, which favors smooth candidates. That helps where labels are few, and misleads where they
    are many: neighbors, for one, are then counted twice. With many labels a candidate that is slow to learn may be the
    best with all of them and not with two thirds.
    """
    k, repeats = next(((k, repeats) for least, k, repeats in FOLDS if task.n_units >= least), (0, 0))
    folds: list[Fold] = []
    for repeat in range(repeats):
        if task.groups is not None:
            folds += task.folds(k, repeat)
            continue
        rng = task.rng(f"folds of a race {repeat}")
        for part in batches(k, task.y, rng, stratify=isinstance(task.target, Classes)):
            rest = np.setdiff1d(np.arange(len(task.y)), part)
            folds.append(Fold(task.labeled.at(rest), task.labeled.at(np.sort(part))))
    folds = [fold for fold in folds if len(np.unique(task.codes(fold.train))) > 1][:n]
    return folds if len(folds) == n else [*folds, *task.bootstraps(n - len(folds))]


def one_of_each(task: Task) -> bool:
    """Whether every class has one label: then no row can be left out, since its class would be missing in training."""
    return isinstance(task.target, Classes) and task.groups is None and len(np.unique(task.y)) == len(task.y)


def rows_asked(task: Task) -> Rows:
    """The rows that every fit is asked about: the labeled ones, and some of the pool."""
    pool = task.unlabeled.indices
    if len(pool) > POOL:
        pool = np.sort(task.rng("pool of a race").choice(pool, POOL, replace=False))
    return Rows(np.concatenate([task.labeled.indices, pool]))
