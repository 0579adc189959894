"""Which rows a certificate counts as independent draws: one of each group, and copies once.

Rows of a group are not independent, so one row of each is drawn and counted: the certificate is about a random row of a
new group. The same holds of labeled rows that are copies of each other beyond what chance explains; if a splitter puts
one of them into training, the others count as errors. Other rows of equal content may be separate draws, as with a few
categorical columns, or copies of one draw, and nothing in them tells which. So a bound is computed by both readings and
the larger one counts:

    draws   every row counts
    copies  the first row of each content counts; it counts as an error if a copy of it trained the fit, and pool rows
            with the content of a labeled row do not count

A row that counts as an error whatever is predicted makes a bound larger, never smaller.
"""

from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from foldless.core.rows import Array, Rows
from foldless.core.task import Contents, Fold, Task
from foldless.errors import BadInput, CannotAnswer

EqualRows = Literal["either", "draws"]


class Reading(NamedTuple):
    """Of some rows those that count, and those that count as errors whatever is predicted."""

    counts: Array
    wrong: Array


def check(task: Task, equal_rows: str, name: str, *, pool: bool) -> None:
    """Refuse an unknown reading, and groups of which the pool says nothing where it has a part in the bound."""
    if equal_rows not in get_args(EqualRows):
        raise BadInput(f"equal_rows must be one of {', '.join(map(repr, get_args(EqualRows)))}, got {equal_rows!r}")
    if pool and task.named_groups is not None and task.pool.groups is None:
        raise CannotAnswer(
            f"{name} counts groups, and the groups of the pool are not known: pass "
            f"X_unlabeled=Pool(X_unlabeled, groups=...), with np.arange if each row is a group of its own (in other "
            f"names than the labeled groups), or certify by hold_out"
        )


def counted_rows(task: Task, equal_rows: str) -> Task:
    """The task as its rows count: where equal rows are separate draws, nothing keeps them together."""
    apart = equal_rows == "draws" and task.copies is not None
    return replace(task, groups=task.named_groups, copies=None) if apart else task


def one_of_each(units: Array, rng: np.random.Generator) -> Array:
    """A mask of one random row of each unit."""
    order, mask = rng.permutation(len(units)), np.zeros(len(units), dtype=bool)
    mask[order[np.unique(units[order], return_index=True)[1]]] = True
    return mask


def firsts(contents: Array, among: Array | None = None) -> Array:
    """A mask of the first row of each content; where only some rows can count, of the first ``among`` them."""
    mask, at = np.zeros(len(contents), dtype=bool), np.arange(len(contents)) if among is None else np.flatnonzero(among)
    mask[at[np.unique(contents[at], return_index=True)[1]]] = True
    return mask


def other_groups(task: Task) -> Array:
    """Positions of the pool rows of groups that no labeled row is of; of none where the groups are not known."""
    return np.flatnonzero(_other(task)) if task.pool.groups is not None else np.arange(0)


def _other(task: Task) -> Array:
    assert task.pool.groups is not None
    assert task.named_groups is not None
    return ~np.isin(task.pool.groups, task.named_groups)


class CountedLabels:
    """The labeled rows that test a fit, as independent draws."""

    def __init__(self, task: Task, equal_rows: str):
        self._drawn = None if task.groups is None else one_of_each(task.groups, task.rng("rows of groups"))
        self._copies = None if task.copies is None else task.groups
        contents = Contents() if task.named_groups is not None or equal_rows == "draws" else task.pool.contents()
        self._contents, self._in_pool = contents.labeled, contents.in_pool
        self._first = None if self._contents is None else firsts(self._contents, self._drawn)
        self._read: dict[tuple[Rows, Rows, bool], list[Reading]] = {}  # candidates share folds

    def tests(self, fold: Fold) -> Fold:
        """A fold that tests on one row of each group."""
        if self._drawn is None:
            return fold
        return Fold(fold.train, fold.test.at(np.flatnonzero(self._drawn[fold.test.indices])))

    def readings(self, train: Rows, test: Rows, *, pool_trains: bool) -> list[Reading]:
        """What counts of the test rows of a fit, which may be trained with the pool too."""
        key = train, test, pool_trains
        if key not in self._read:
            self._read[key] = self._readings(*key)
        return self._read[key]

    def _readings(self, train: Rows, test: Rows, pool_trains: bool) -> list[Reading]:
        at, in_pool = test.indices, self._in_pool if pool_trains else None
        every = Reading(np.ones(len(at), dtype=bool), np.zeros(len(at), dtype=bool))
        if self._copies is not None:
            every = every._replace(wrong=np.isin(self._copies[at], self._copies[train.indices]))
        if self._contents is None and in_pool is None:
            return [every]
        counts, wrong = every.counts.copy(), every.wrong.copy()
        if self._contents is not None and self._first is not None:
            counts = self._first[at]
            wrong |= np.isin(self._contents[at], self._contents[train.indices])
        if in_pool is not None:
            wrong |= in_pool[at]
        return [every, Reading(counts, wrong)]


class CountedPool:
    """The pool rows that measure a fit, as independent draws; positions in the pool."""

    def __init__(self, task: Task, equal_rows: str):
        self.groups, self._every = task.pool.groups, np.ones(len(task.unlabeled), dtype=bool)
        self._contents = Contents() if equal_rows == "draws" or self.groups is not None else task.pool.contents()
        if self.groups is not None:
            self._every = one_of_each(self.groups, task.rng("rows of pool groups")) & _other(task)

    def halves(self, task: Task) -> tuple[Array, Array]:
        """Positions that train semi-supervised candidates, and others, both sorted; groups are whole."""
        rng, m = task.rng("halves of the pool"), len(task.unlabeled)
        if self.groups is None:
            order = rng.permutation(m)
            return np.sort(order[: m // 2]), np.sort(order[m // 2 :])
        names = np.unique(self.groups)
        first_half = np.isin(self.groups, rng.permutation(names)[: len(names) // 2])
        return np.flatnonzero(first_half & _other(task)), np.flatnonzero(~first_half)

    def measured(self, at: Array) -> Array:
        """Of these positions those that can count by some reading."""
        return np.asarray(at[self._every[at]])

    def readings(self, at: Array, trained_on: Array) -> list[Reading]:
        """What counts of the rows at these positions, if a fit is ``trained_on`` the rows at those."""
        every = Reading(np.ones(len(at), dtype=bool), np.zeros(len(at), dtype=bool))
        contents, shared = self._contents.pool, self._contents.shared
        if contents is None and shared is None:
            return [every]
        counts, wrong = every.counts.copy(), every.wrong.copy()
        if contents is not None:
            counts, wrong = firsts(contents)[at], np.isin(contents[at], contents[trained_on])
        if shared is not None:
            counts &= ~shared[at]
        return [every, Reading(counts, wrong)]
