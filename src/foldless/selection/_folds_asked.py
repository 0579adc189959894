"""Fits on folds that a criterion makes anyway are asked what an estimate will read, where an answer costs little.

A race and cross-validation train the chosen candidate on folds, and ask for labels. An estimate reads scores too:
without these questions it would train the same fits, or as many others, once more.
"""

import numpy as np

from foldless.core import Array, Ask, Candidate, Fit, Fold, Rows, Task
from foldless.engine._candidates import last_step
from foldless.engine._run import Engine
from foldless.learners import _forest_growth
from foldless.selection._compared_rows import read_pool

FOLDS = 5
FEWEST, MOST = 4.5, 12  # folds, about: with fewer a fit has too few labels, and more take many questions
MAX_COMPARED = 600  # pool rows whose predictions are compared with those of labeled rows
ROOM = 2**27  # bytes of scores of all candidates


def compared_rows(task: Task, pool: Array) -> list[Rows]:
    """The pool rows that each of five fits on folds is asked about, to compare labels and pool."""
    order = task.rng("compared outputs").permutation(pool)[:MAX_COMPARED]
    parts = [task.unlabeled.at(np.sort(order[at::FOLDS])) for at in range(FOLDS)]
    return parts if len(order) >= FOLDS else []


class FoldsAsked:
    """The questions to fits on folds beside those of a criterion; together the folds leave out every row once.

    ``features`` says whether rows are described by themselves, and not by their similarity to other rows.
    """

    def __init__(self, engine: Engine, task: Task, *, features: bool):
        self._engine, self._task, self._features = engine, task, features
        self._about: dict[Rows, list[Rows]] = {}  # training rows: those left out, and some of the pool
        self._left_out = np.zeros(len(task.labeled), dtype=bool)
        self._parts: list[Rows] | None = None
        size = 8 * len(task.candidates) * len(task.labeled) * (0 if task.regression else task.n_classes)
        self._wanted = 0 < size <= ROOM and engine.journal is None  # a journal has the questions of criteria only
        self.asks: set[Ask] = set()

    def beside(self, fit: Fit) -> list[Ask]:
        """Questions to a fit that a criterion has questions to."""
        if not self._wanted or fit.labels is not None or not self._answers_cheaply(fit.candidate):
            return []
        if fit.rows not in self._about:
            self._about[fit.rows] = self._rows_about(fit.rows)
        asks = self._asks(fit)
        self.asks.update(asks)
        return asks

    def folds(self, candidate: Candidate) -> list[Fold]:
        """Folds of all labeled rows about which the fits of a candidate have answered; none where some have not."""
        folds = [Fold(train, rows[0]) for train, rows in self._about.items() if rows]
        asks = [ask for fold in folds for ask in self._asks(self._task.fit(candidate, fold.train))]
        return folds if self._left_out.all() and all(ask in self._engine.answers for ask in asks) else []

    def about_pool(self, candidate: Candidate) -> list[Ask]:
        """The questions about the pool to the fits of a candidate on these folds."""
        return [ask for train in self._about for ask in self._asks(self._task.fit(candidate, train))[1:]]

    def _asks(self, fit: Fit) -> list[Ask]:
        response = fit.candidate.respond("probabilities", "scores")
        return [] if response is None else [Ask(fit, rows, response) for rows in self._about[fit.rows]]

    def _rows_about(self, train: Rows) -> list[Rows]:
        """None for a bootstrap, or where a row was left out before."""
        n = len(self._task.labeled)
        if not len(train) or train.bounds[1] >= n or len(np.unique(train.indices)) < len(train):
            return []
        test = np.setdiff1d(self._task.labeled.indices, train.indices)
        if not FEWEST * len(test) <= n <= MOST * len(test) or self._left_out[test].any():
            return []
        self._left_out[test] = True
        if self._parts is None:
            with_pool = len(self._task.unlabeled) and self._features
            self._parts = compared_rows(self._task, read_pool(self._engine.data, self._task)) if with_pool else []
        at = sum(map(bool, self._about.values()))
        return [self._task.labeled.at(test), *self._parts[at : at + 1]]

    def _answers_cheaply(self, candidate: Candidate) -> bool:
        """Whether it says so, or is a forest: of one that we grow, scores take a twentieth of the fit."""
        last = last_step(self._engine.recipes[candidate.index].estimator)
        return getattr(last, "answers_cheaply", False) or _forest_growth.frees_gil(last)
