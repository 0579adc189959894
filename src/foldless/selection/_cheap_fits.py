"""Out-of-fold answers of a cheap model, for checks: each form of the data is fitted once, until the time is spent.

The folds of a row are the same in all forms, so that estimates differ by the form and not by the folds. With few rows
folds are drawn several times. Of many labeled rows some are read.
"""

import warnings
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from foldless.checks._checked_data import HeldOutAnswers
from foldless.checks._variant import Variant
from foldless.core import Array
from foldless.data._features import n_rows, take
from foldless.errors import FoldlessError
from foldless.portfolio._candidates import cheap_candidates

FOLDS = 5
MAX_ROWS = 2000  # labeled rows that are read: more would hardly narrow the intervals of a finding
ANSWERS, MOST_TIMES = 400, 4  # answers for which folds are drawn again, and how often at most
AHEAD = 0.01  # by which trees must be better to be taken: they cost more
UNFIT = (ValueError, TypeError, AttributeError, KeyError, IndexError, FoldlessError, np.linalg.LinAlgError)


class CheapFits:
    """A linear model or small trees, whichever is better, on rows with class codes.

    ``X`` has all columns that a form may leave out; ``groups`` are rows that stay together in intervals. In the
    ``fast`` form it is the linear one, in folds that are drawn once.
    """

    def __init__(
        self,
        X: Any,
        codes: Array,
        n_classes: int,
        *,
        test: tuple[Any, Array] | None = None,
        groups: Array | None = None,
        seed: int = 0,
        seconds: float = np.inf,
        fast: bool = False,
    ):
        self._X, self._codes, self._n_classes, self._test = X, codes, n_classes, test
        self._groups, self._seed, self._until = groups, seed, monotonic() + seconds
        self._known: dict[tuple[Any, ...], HeldOutAnswers | None] = {}
        self._name: str | None = None
        self._left_out: tuple[Any, ...] = ()
        self.failed = False
        rng = np.random.default_rng(seed)
        n = len(codes)
        self._rows = np.arange(n) if n <= MAX_ROWS else np.sort(rng.choice(n, MAX_ROWS, replace=False))
        self._fast = fast
        times = 1 if fast else int(np.clip(ANSWERS // max(1, n), 1, MOST_TIMES))
        self._folds = [rng.permutation(n) % FOLDS for _ in range(times)]

    @property
    def model(self) -> str:
        """The name of the model; it is chosen when it is first asked for."""
        self.answers()
        return self._name or "no model"

    def answers(self, variant: Variant | None = None) -> HeldOutAnswers | None:
        """Of the labeled rows, or of another form of them; None where there is no time left, or no model."""
        variant = Variant() if variant is None else variant
        if self._left_out:
            variant = replace(variant, columns=tuple(dict.fromkeys((*self._left_out, *variant.columns))))
        if variant.key not in self._known:
            if self._name is None and not self.failed:
                self._choose()  # knows the answers to the plain form then
            if variant.key not in self._known:
                self._known[variant.key] = self._of(variant, self._name)
        return self._known[variant.key]

    def leave_out(self, columns: tuple[Any, ...]) -> None:
        """Leave columns out of every form from now on."""
        self._left_out += columns

    def on_test(self) -> Array | None:
        """For each test row, whether the model that is trained on the labels is right."""
        self.answers()
        if self._test is None or self._name is None or monotonic() > self._until:
            return None
        try:
            X, rows = _without(self._X, self._left_out), self._rows
            model = cheap_candidates(X, random_state=self._seed)[self._name]
            p = _probabilities(
                model, take(X, rows), self._codes[rows], _without(self._test[0], self._left_out), self._n_classes
            )
        except UNFIT:
            return None
        return np.asarray(p.argmax(axis=1) == self._test[1], dtype=float)

    def _choose(self) -> None:
        """The better of the cheap models on the data as they are."""
        plain = Variant(columns=self._left_out)
        try:
            names = list(cheap_candidates(_without(self._X, self._left_out), random_state=self._seed))
        except UNFIT:
            self.failed = True
            self._known[plain.key] = None
            return
        best = -np.inf
        for name in names[:1] if self._fast else names:
            answers = self._of(plain, name)
            if answers is not None and float(answers.right.mean()) > best + (AHEAD if self._name else 0):
                self._name, self._known[plain.key], best = name, answers, float(answers.right.mean())
        if self._name is None:
            self.failed = monotonic() <= self._until
            self._known[plain.key] = None

    def _of(self, variant: Variant, name: str | None) -> HeldOutAnswers | None:
        if name is None:
            return None
        kept = np.setdiff1d(self._rows, variant.rows)
        codes = self._codes if variant.codes is None else variant.codes
        if len(kept) < 2 * FOLDS or len(np.unique(codes[kept])) < 2:
            return None
        try:
            X = take(_without(self._X, variant.columns), kept)
            model = cheap_candidates(X, random_state=self._seed)[name]
            return self._cross_fitted(model, X, kept, codes, variant.together)
        except UNFIT:
            return None

    def _cross_fitted(
        self, model: Any, X: Any, kept: Array, codes: Array, together: Array | None
    ) -> HeldOutAnswers | None:
        sums = np.zeros((len(kept), self._n_classes))
        right = np.zeros((len(self._folds), len(kept)))
        for at, folds in enumerate(self._folds):
            of_row = _of_groups(folds, together)[kept]
            p = np.zeros_like(sums)
            for fold in np.unique(of_row):
                if monotonic() > self._until:
                    return None
                train, test = np.flatnonzero(of_row != fold), np.flatnonzero(of_row == fold)
                p[test] = _probabilities(model, take(X, train), codes[kept][train], take(X, test), self._n_classes)
            right[at] = p.argmax(axis=1) == codes[kept]
            sums += p
        units = kept if together is None else together[kept]
        if together is None and self._groups is not None:
            units = np.unique(self._groups, return_inverse=True)[1][kept]
        return HeldOutAnswers(kept, codes[kept], right.mean(axis=0), right[0] > 0, sums / len(right), units)


def _of_groups(folds: Array, together: Array | None) -> Array:
    """The fold of each row; rows that stay together are in the fold of the first of them."""
    if together is None:
        return folds
    _, first, at = np.unique(together, return_index=True, return_inverse=True)
    return np.asarray(folds[first][at])


def _probabilities(model: Any, X: Any, codes: Array, asked: Any, n_classes: int) -> Array:
    """The probabilities (m, K) of a fit; classes that it has not seen have none."""
    p = np.zeros((n_rows(asked), n_classes))
    seen = np.unique(codes)
    if len(seen) == 1:
        p[:, seen[0]] = 1.0
        return p
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a cheap model has not converged changes no finding
        fitted = clone(model).fit(X, codes)
        p[:, np.asarray(fitted.classes_, dtype=int)] = fitted.predict_proba(asked)
    return p


def _without(X: Any, columns: tuple[Any, ...]) -> Any:
    if not columns:
        return X
    if isinstance(X, pd.DataFrame):
        return X.drop(columns=[name for name in columns if name in X])
    return np.delete(np.asarray(X), [name for name in columns if isinstance(name, int)], axis=1)
