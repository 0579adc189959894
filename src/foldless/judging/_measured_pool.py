"""The pool of a certificate: rows that train semi-supervised candidates, rows that measure, and who answers each.

What trained a candidate must not measure it: semi-supervised ones get one half, and are measured on the other. With
draws each row is answered by one fold, drawn once for all candidates.
"""

import numpy as np

from foldless.core import Array, Candidate, Fit, Rows, Task
from foldless.judging._counted import CountedPool, Reading


class MeasuredPool:
    """The pool as it may be used: what trains, what is measured, and which fold answers which row."""

    def __init__(self, task: Task, k: int, draws: bool, equal_rows: str = "either"):
        self._rows, self._k, self._draws = task.unlabeled, k, draws
        m, self._counted = len(task.unlabeled), CountedPool(task, equal_rows)
        self._halves = self._counted.halves(task)
        self._given = task.unlabeled.at(self._halves[0])
        self._drawn = task.rng("folds that answer").integers(k, size=m)  # once per row, for all candidates
        measured = {False: np.arange(m), True: self._halves[1]}  # by whether it is semi-supervised
        self._at = {semi: self._counted.measured(at) for semi, at in measured.items()}
        whole = len(self._at[False]) == m
        self._measured = {
            False: task.unlabeled if whole else task.unlabeled.at(self._at[False]),
            True: task.unlabeled.at(self._at[True]),
        }
        self._asked = {semi: self._rows_of_folds(semi) for semi in {c.semi_supervised for c in task.candidates}}
        self._read: dict[bool, list[Reading]] = {}

    def fit(self, candidate: Candidate, train: Rows) -> Fit:
        """A fit that sees one half of the pool if it is semi-supervised, and never the labeled rows left out."""
        return Fit(candidate, train, unlabeled=self._given)

    def rows(self, candidate: Candidate) -> Rows:
        """The rows on which a candidate may be measured."""
        return self._measured[candidate.semi_supervised]

    def asked(self, candidate: Candidate) -> list[Rows]:
        """The rows that each fold of a candidate is asked about."""
        return self._asked[candidate.semi_supervised]

    def assembled(self, candidate: Candidate, answers: list[Array | None]) -> Array:
        """The answers of the folds of a candidate on the pool: a row per fold, or one row of drawn answers."""
        of_folds = np.full((1 if self._draws else self._k, len(self._rows)), -1, dtype=np.int32)
        at = self._at[candidate.semi_supervised]
        for fold, labels in enumerate(answers):
            if labels is not None and self._draws:
                of_folds[0, at[self._drawn[at] == fold]] = labels
            elif labels is not None:
                of_folds[fold, at] = labels
        return of_folds

    def differ(self, candidate: Candidate, reference: Candidate, labels: Array, of_folds: Array) -> Array:
        """Where a model and the folds of a reference differ, on the rows that both may be measured on."""
        model_labels = np.full(len(self._rows), -1, dtype=np.int32)
        model_labels[self._at[candidate.semi_supervised]] = labels
        at = self._at[candidate.semi_supervised or reference.semi_supervised]
        return (of_folds[:, at] != model_labels[at]) | (model_labels[at] < 0)

    def readings(self, candidate: Candidate, reference: Candidate) -> list[Reading]:
        """What counts of the rows that both may be measured on, which are the columns of `differ`."""
        semi = candidate.semi_supervised or reference.semi_supervised
        if semi not in self._read:
            self._read[semi] = self._counted.readings(self._at[semi], self._halves[0] if semi else self._halves[0][:0])
        return self._read[semi]

    def _rows_of_folds(self, semi: bool) -> list[Rows]:
        if not self._draws:
            return [self._measured[semi]] * self._k
        at = self._at[semi]
        return [self._rows.at(at[self._drawn[at] == fold]) for fold in range(self._k)]
