"""Out-of-fold answers of a cheap model, for checks: each form of the data is fitted once, until the time is spent.

The folds of a row are the same in all forms, so that estimates differ by the form and not by the folds. With few rows
folds are drawn several times; which model is better is decided in the first of them, in each form anew, as trees
remember copies and lose without them. Of many labeled rows some are read.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from foldless.checks._checked_data import HeldOutAnswers, Variant
from foldless.core import Array
from foldless.core.compiled_code import working_time
from foldless.data._features import n_rows, take
from foldless.errors import FoldlessError
from foldless.portfolio._candidates import cheap_candidates

FOLDS = 5
MAX_ROWS = 2000  # labeled rows that are read: more would hardly narrow the intervals of a finding
ANSWERS, MOST_TIMES = 400, 4  # answers for which folds are drawn again, and how often at most
AHEAD = 0.01  # by which a later model must be better to be taken: trees cost more
UNFIT = (ValueError, TypeError, AttributeError, KeyError, IndexError, FoldlessError, np.linalg.LinAlgError)


class CheapFits:
    """A linear model or small trees, whichever is better, on rows with class codes or with numbers to predict.

    ``X`` has all columns that a form may leave out; without ``n_classes``, ``y`` are numbers. ``groups`` are rows that
    stay together in intervals. ``seconds`` are those of all fits, without what comes between them or is compiled. In
    the ``fast`` form it is the linear one, in folds that are drawn once.
    """

    def __init__(
        self,
        X: Any,
        y: Array,
        n_classes: int | None = None,
        *,
        test: tuple[Any, Array] | None = None,
        groups: Array | None = None,
        seed: int = 0,
        seconds: float = np.inf,
        fast: bool = False,
    ):
        self._X, self._y, self._test = X, y, test
        self._judged = _Numbers() if n_classes is None else _Classes(n_classes)
        self._groups, self._seed, self._seconds, self._until = groups, seed, seconds, np.inf
        self._known: dict[tuple[Any, ...], HeldOutAnswers | None] = {}
        self._name: str | None = None
        self._tried: _Form | None = None
        self._tried_without: tuple[Any, ...] = ()
        self._left_out: tuple[Any, ...] = ()
        self.failed = False
        rng = np.random.default_rng(seed)
        n = len(y)
        self._rows = np.arange(n) if n <= MAX_ROWS else np.sort(rng.choice(n, MAX_ROWS, replace=False))
        self._fast = fast
        times = 1 if fast else int(np.clip(ANSWERS // max(1, n), 1, MOST_TIMES))
        self._folds = [rng.permutation(n) % FOLDS for _ in range(times)]

    @property
    def model(self) -> str:
        """The name of the model; it is chosen when it is first asked for."""
        self.answers()
        return self._name or "no model"

    @property
    def quantity(self) -> str:
        """What the mean of the answers is an estimate of."""
        return self._judged.quantity

    def answers(self, variant: Variant | None = None) -> HeldOutAnswers | None:
        """Of the labeled rows, or of another form of them; None where there is no time left, or no model."""
        variant = Variant() if variant is None else variant
        if self._left_out:
            variant = replace(variant, columns=tuple(dict.fromkeys((*self._left_out, *variant.columns))))
        if variant.key not in self._known:
            with self._counted():
                self._fit(variant)
        return self._known[variant.key]

    def blended(self) -> Array | None:
        """The mean prediction of all cheap models that were tried, for the rows of `answers`."""
        answers = self.answers()
        if answers is None or self._tried is None or self._tried_without != self._left_out:
            return None if answers is None else answers.probabilities
        return self._tried.blended()

    def leave_out(self, columns: tuple[Any, ...]) -> None:
        self._left_out += columns

    def on_test(self) -> Array | None:
        """For each test row, how right the model is that is trained on the labels; the mean is the estimate."""
        self.answers()
        if self._test is None or self._name is None or self._seconds <= 0:
            return None
        try:
            X, rows = _without(self._X, self._left_out), self._rows
            model = self._judged.candidates(X, self._seed)[self._name]
            asked = _without(self._test[0], self._left_out)
            with self._counted():
                predicted = self._judged.fitted(model, take(X, rows), self._y[rows], asked)
        except UNFIT:
            return None
        return self._judged.right(predicted[None], self._test[1])[0]

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Takes the time of the block from that of all fits."""
        began = working_time()
        self._until = began + self._seconds
        try:
            yield
        finally:
            self._seconds -= working_time() - began

    def _fit(self, variant: Variant) -> None:
        if self._name is None and not self.failed:
            self._choose()  # knows the answers to the plain form then
        if variant.key not in self._known:
            form = None if self._name is None else self._form(variant)
            name = None if form is None else self._better(form)
            self._known[variant.key] = None if form is None or name is None else form.answers(name)

    def _choose(self) -> None:
        """The better of the cheap models on the data as they are."""
        plain = Variant(columns=self._left_out)
        self._known[plain.key] = None
        form = self._form(plain)
        if form is None:
            self.failed = True
            return
        self._name = self._better(form)
        if self._name is None:
            self.failed = working_time() <= self._until
            return
        self._known[plain.key] = form.answers(self._name)
        self._tried, self._tried_without = form, self._left_out

    def _better(self, form: "_Form") -> str | None:
        """The better of the cheap models in a form; that of the data as they are stays unless another one is ahead."""
        names = list(form.models)[: 1 if self._fast else None]
        chosen, best = None, -np.inf
        for name in sorted(names, key=lambda name: name != self._name):
            first = form.predicted(name, 0)
            score = -np.inf if first is None else float(self._judged.right(first[None], form.y).mean())
            if score > best + (AHEAD if chosen else 0):
                chosen, best = name, score
        return chosen

    def _form(self, variant: Variant) -> "_Form | None":
        """The rows of a form of the data; None where no model can be trained on them."""
        kept = np.setdiff1d(self._rows, variant.rows)
        y = self._y if variant.codes is None else variant.codes
        if len(kept) < 2 * FOLDS or len(np.unique(y[kept])) < 2:
            return None
        try:
            X = take(_without(self._X, variant.columns), kept)
            models = self._judged.candidates(X, self._seed)
        except UNFIT:
            return None
        folds = [_of_groups(folds, variant.together)[kept] for folds in self._folds]
        units = kept if variant.together is None else variant.together[kept]
        if variant.together is None and self._groups is not None:
            units = np.unique(self._groups, return_inverse=True)[1][kept]
        return _Form(X, y[kept], kept, folds, units, models, self._judged, self._until)


class _Form:
    """The labeled rows in one form, with folds and models; columns are prepared once in a fold, for all models."""

    def __init__(
        self, X: Any, y: Array, rows: Array, folds: list[Array], units: Array, models: dict[str, Any],
        judged: "_Classes | _Numbers", until: float,
    ):  # fmt: skip
        self._X, self.y, self._rows, self._folds, self._units = X, y, rows, folds, units
        self.models, self._judged, self._until = models, judged, until
        self._prepared: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        self._predicted: dict[tuple[str, int], Array | None] = {}

    def answers(self, name: str) -> HeldOutAnswers | None:
        """What a model says of rows that it was not trained on; None without time, or where it cannot be trained."""
        every = [self.predicted(name, at) for at in range(len(self._folds))]
        known = [predicted for predicted in every if predicted is not None]
        if len(known) < len(every):
            return None
        right = self._judged.right(np.array(known), self.y)
        mean = np.mean(known, axis=0)
        return HeldOutAnswers(self._rows, self.y, right.mean(axis=0), right[0] > 0, mean, self._units, name)

    def blended(self) -> Array:
        """The mean over models, each by all times that it was trained."""
        by_model: dict[str, list[Array]] = {}
        for (name, _), predicted in self._predicted.items():
            if predicted is not None:
                by_model.setdefault(name, []).append(predicted)
        return np.asarray(np.mean([np.mean(times, axis=0) for times in by_model.values()], axis=0))

    def predicted(self, name: str, at: int) -> Array | None:
        """Out-of-fold predictions (n, K) in the folds that were drawn at a time."""
        if (name, at) not in self._predicted:
            try:
                self._predicted[name, at] = self._cross_fitted(name, at)
            except UNFIT:
                self._predicted[name, at] = None
        return self._predicted[name, at]

    def _cross_fitted(self, name: str, at: int) -> Array | None:
        model, of_row = self.models[name], self._folds[at]
        predicted = np.zeros((len(self.y), self._judged.width))
        for fold in np.unique(of_row):
            if working_time() > self._until:
                return None
            train, test = np.flatnonzero(of_row != fold), np.flatnonzero(of_row == fold)
            key = (at, fold, tuple(step for step, _ in model.steps[:-1]))
            if key not in self._prepared:
                self._prepared[key] = _prepared(model, take(self._X, train), self.y[train], take(self._X, test))
            learned, asked = self._prepared[key]
            predicted[test] = self._judged.fitted(model[-1:], learned, self.y[train], asked)
        return predicted


class _Classes:
    """Class codes: the share of rows of which a model is right. `_Numbers` has the same methods."""

    quantity = "accuracy"

    def __init__(self, n_classes: int):
        self.width = n_classes

    def candidates(self, X: Any, seed: int) -> dict[str, Any]:
        return cheap_candidates(X, random_state=seed)

    def fitted(self, model: Any, X: Any, y: Array, asked: Any) -> Array:
        """The probabilities (m, K) of a fit; classes that it has not seen have none."""
        p = np.zeros((n_rows(asked), self.width))
        seen = np.unique(y)
        if len(seen) == 1:
            p[:, seen[0]] = 1.0
            return p
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a cheap model has not converged changes no finding
            fit = clone(model).fit(X, y)
            p[:, np.asarray(fit.classes_, dtype=int)] = fit.predict_proba(asked)
        return p

    def right(self, predicted: Array, y: Array) -> Array:
        """For each time and row a number, so that their mean is the estimate."""
        return np.asarray(predicted.argmax(axis=2) == y, dtype=float)


class _Numbers:
    """Numbers to predict: R² = 1 − Σ e² / Σ (y − ȳ)², of which each row moves the ratio by its influence."""

    quantity = "R²"
    width = 1

    def candidates(self, X: Any, seed: int) -> dict[str, Any]:
        return cheap_candidates(X, regression=True, random_state=seed)

    def fitted(self, model: Any, X: Any, y: Array, asked: Any) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.asarray(clone(model).fit(X, y).predict(asked), dtype=float).reshape(-1, 1)

    def right(self, predicted: Array, y: Array) -> Array:
        """R² and the influence of each row on it: R² − (e² − (1 − R²) d²) / s², with d = y − ȳ and s² its variance."""
        errors, from_mean = (y - predicted[:, :, 0]) ** 2, (y - y.mean()) ** 2
        spread = max(float(from_mean.mean()), np.finfo(float).tiny)
        left = errors.mean(axis=1, keepdims=True) / spread
        return np.asarray(1 - left - (errors - left * from_mean) / spread)


def _prepared(model: Any, X: Any, y: Array, asked: Any) -> tuple[Any, Any]:
    """Rows as the last step of a pipeline reads them."""
    if len(model.steps) == 1:
        return X, asked
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = clone(model[:-1])
        return before.fit_transform(X, y), before.transform(asked)


def _of_groups(folds: Array, together: Array | None) -> Array:
    """The fold of each row; rows that stay together are in the fold of the first of them."""
    if together is None:
        return folds
    _, first, at = np.unique(together, return_index=True, return_inverse=True)
    return np.asarray(folds[first][at])


def _without(X: Any, columns: tuple[Any, ...]) -> Any:
    if not columns:
        return X
    if isinstance(X, pd.DataFrame):
        return X.drop(columns=[name for name in columns if name in X])
    return np.delete(np.asarray(X), [name for name in columns if isinstance(name, int)], axis=1)
