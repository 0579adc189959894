"""The journal's keys: a hash over everything an answer depends on, and nothing else.

The pool is part of a key only where a fit or a question touches it, so a longer pool leaves the folds of the labels
valid.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from foldless._version import ANSWERS_SINCE
from foldless.core import Ask, Fit, Rows, digest
from foldless.data._sample import Sample
from foldless.engine._candidates import Recipe
from foldless.engine._digests import of_estimator, of_features, of_reduce


class Keys:
    """Keys for the fits and questions of one data set and its candidates."""

    def __init__(self, data: Sample, recipes: Sequence[Recipe]):
        self._data = data
        self._recipes = recipes
        self._fits: dict[tuple[Fit, bytes], bytes] = {}

    def ask(self, ask: Ask, batch: bytes) -> bytes:
        """The key of a question to a fit that was trained in a batch (or alone, where ``batch`` is empty)."""
        return digest(
            self.fit(ask.fit, batch), self._touched(ask.rows), ask.rows.digest, ask.response, of_reduce(ask.reduce)
        )

    def stored(self, ask: Ask, batch: bytes, beside: Sequence[bytes]) -> bytes:
        """The key of a question about a pool in files, to fits of which each was trained in a batch."""
        fits = (self.fit(fit, of_batch) for fit, of_batch in zip(ask.beside, beside, strict=True))
        return digest(self.ask(ask, batch), *fits)

    def fit(self, fit: Fit, batch: bytes) -> bytes:
        if (fit, batch) not in self._fits:
            unlabeled = b"" if fit.unlabeled is None else self._touched(fit.unlabeled)
            self._fits[fit, batch] = digest(
                ANSWERS_SINCE, self.estimators[fit.candidate.index], self.labels, self._touched(fit.rows), *fit.key[1:],
                unlabeled, batch,
            )  # fmt: skip
        return self._fits[fit, batch]

    def data(self) -> bytes:
        """The whole data set."""
        return digest(ANSWERS_SINCE, self.labels, *self.parts)

    @cached_property
    def estimators(self) -> list[bytes]:
        return [of_estimator(recipe.estimator) for recipe in self._recipes]

    @cached_property
    def parts(self) -> list[bytes]:
        return [of_features(part) for part in self._data.parts]

    @cached_property
    def stored_pool(self) -> bytes:
        assert self._data.stored is not None
        return digest(self._data.stored.source.digest(), repr(self._data.stored.columns))

    @cached_property
    def labels(self) -> bytes:
        data = self._data
        params = [name.encode() + of_features(np.asarray(value)) for name, value in sorted(data.fit_params.items())]
        return digest(of_features(data.y), of_features(np.asarray(data.classes)), *params)

    def _touched(self, rows: Rows) -> bytes:
        """The content of the parts in which the rows lie."""
        parts = self.parts
        return digest(*(parts[at] if at < len(parts) else self.stored_pool for at in self._data.touched(rows)))
