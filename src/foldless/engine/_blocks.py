"""Blocks of features that a group of fits points into: as the user passed them, or behind the prefix of a Pipeline."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from foldless.core import Fit, Rows
from foldless.core.batch import Part
from foldless.data._features import concatenate, guarded, n_rows
from foldless.data._sample import Sample
from foldless.engine._fits import Order, given

NOTHING = Part(0, np.empty(0, dtype=np.intp))
"""No rows at all: evidence is about none."""


class Transformed:
    """Features behind a fitted prefix: one block per set of rows, that of the training rows first."""

    def __init__(self, pipeline: Any, orders: Sequence[Order], data: Sample):
        X, self.y = given(orders[0].fit, data)
        self.prefix = clone(pipeline)[:-1]
        self.blocks = [self.prefix.fit_transform(X, self.y)]
        self.at: dict[Rows, Part] = {}
        self._add_asked(orders, data)

    def _add_asked(self, orders: Sequence[Order], data: Sample) -> None:
        for rows in dict.fromkeys(ask.rows for order in orders for ask in order.asks):
            if len(rows) and rows not in self.at:
                self.at[rows] = Part(len(self.blocks))
                self.blocks.append(self._behind(data.take(rows)))

    def _behind(self, X: Any) -> Any:
        """Rows behind the prefix, step by step: it may end in a step that learns nothing, and pass for not fitted."""
        for _, step in self.prefix.steps:
            if step is not None and step != "passthrough":
                X = step.transform(X)
        return X

    def train(self, fit: Fit) -> Part:
        """What fit_transform made, which for some transformers is not what transform makes of the same rows."""
        if fit.candidate.semi_supervised and fit.rows.scattered is not None:
            _, first, which = np.unique(fit.rows.scattered, return_index=True, return_inverse=True)
            if len(first) < len(which):  # a row that was drawn twice is still one row: learners may ask which
                return Part(0, first[which])
        return Part(0) if len(self.y) == len(fit.rows) else Part(0, np.arange(len(fit.rows)))

    def unlabeled(self, fit: Fit) -> Part | None:
        """What fit_transform made of the rows without a label."""
        return None if len(self.y) == len(fit.rows) else Part(0, np.arange(len(fit.rows), len(self.y)))

    def asked(self, rows: Rows) -> Part:
        return self.at[rows] if len(rows) else NOTHING

    def model(self, pipeline: Any, last: Any) -> Any:
        whole = copy.copy(pipeline)
        whole.steps = [*self.prefix.steps, (pipeline.steps[-1][0], last)]
        return whole


class OfRowSet(Transformed):
    """Features behind a prefix that is fitted once for training sets of the same rows, whichever of them are labeled.

    All rows are in the first block, and so are questions about them.
    """

    def __init__(self, pipeline: Any, orders: Sequence[Order], data: Sample):
        fit = orders[0].fit
        others = [] if fit.unlabeled is None else [fit.unlabeled.indices]
        self._rows = np.sort(np.concatenate([fit.rows.indices, *others]))
        self.prefix = clone(pipeline)[:-1]
        self.blocks = [self.prefix.fit_transform(data.take(Rows(self._rows)))]
        asked = {ask.rows for order in orders for ask in order.asks}
        self.at = {rows: self._part(rows) for rows in asked if len(rows) and np.isin(rows.indices, self._rows).all()}
        self._add_asked(orders, data)

    def _part(self, rows: Rows) -> Part:
        return Part(0, np.searchsorted(self._rows, rows.indices))

    def train(self, fit: Fit) -> Part:
        return self._part(fit.rows)

    def unlabeled(self, fit: Fit) -> Part | None:
        return None if fit.unlabeled is None or not len(fit.unlabeled) else self._part(fit.unlabeled)


class Raw:
    """Features as the user passed them: the parts of the data, or all that is touched in one block where fits cross."""

    def __init__(self, orders: Sequence[Order], data: Sample):
        fits = [order.fit for order in orders]
        needed = {fit.rows for fit in fits} | {ask.rows for order in orders for ask in order.asks}
        needed |= {fit.unlabeled for fit in fits if fit.unlabeled is not None}
        where = {rows: data.touched(rows) for rows in needed if len(rows)}
        touched = sorted({at for parts in where.values() for at in parts})
        parts, ends = data.parts, np.cumsum([n_rows(part) for part in data.parts])
        self.blocks = [guarded(parts[at]) for at in touched]
        starts = {at: int(ends[at]) - n_rows(parts[at]) for at in touched}
        crossing = any(len(its) > 1 for its in where.values()) or any(
            where.get(fit.unlabeled, where[fit.rows]) != where[fit.rows] for fit in fits if fit.unlabeled is not None
        )
        if crossing:
            self.blocks = [concatenate(self.blocks)]
        self.at: dict[Rows, Part] = {}
        for rows, its in where.items():
            part = 0 if crossing else touched.index(its[0])
            start = starts[touched[part]]
            whole = rows.scattered is None and (rows.start, len(rows)) == (start, n_rows(self.blocks[part]))
            self.at[rows] = Part(part, None if whole else rows.indices - start)

    def train(self, fit: Fit) -> Part:
        return self.at[fit.rows]

    def unlabeled(self, fit: Fit) -> Part | None:
        return self.at[fit.unlabeled] if fit.unlabeled is not None and len(fit.unlabeled) else None

    def asked(self, rows: Rows) -> Part:
        return self.at[rows] if len(rows) else NOTHING

    def model(self, _: Any, fitted: Any) -> Any:
        return fitted
