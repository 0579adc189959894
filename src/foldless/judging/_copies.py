"""Rows of equal content and of one group, as certificates see them: what is refused, and what has to be assumed.

A certificate counts independent rows, and measures on rows that trained nothing. What counts is decided in
``foldless.judging._counted``; the sentences about it are here. Equal content need not be the same row, so only a pool
that holds the labels beyond what chance does is refused. Labeled rows that are equal beyond that, or nearly equal, are
found by ``foldless.checks``, and count once.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from foldless.core import Array, Certificate, Task, Term
from foldless.data._overlap import repeated
from foldless.errors import CannotAnswer, Note, SetArgument

GROUPED = (
    "groups are independent draws from the population of interest, and the error is that on a random row of a new group"
)
ONCE = "{first}, where the {n:,} labeled rows that are copies of each other, or nearly, count as {draws:,}"
COUNTED = "of {n:,} labeled rows that are copies of each other, or nearly, {draws:,} count, one of each"
SHARED = "{n:,} of {rows:,} pool rows {has} the content of a labeled row"
REPEATED = "{n:,} of {rows:,} labeled rows have the content of another one"
REPEATED_POOL = "{n:,} of {rows:,} pool rows have the content of another one"
TAKE_OUT = "if they are the same rows, take them out"
KEEP_ONE = "if they are copies, keep one of each"
SEPARATE = SetArgument("equal_rows", "draws", "if they are separate draws, say so")
VACUOUS = "the bound of 1 allows for equal rows that are copies, and may be smaller without that"


class Copies(NamedTuple):
    """What a certificate has to assume about rows of equal content, and the notes that say how many there are."""

    assumes: tuple[str, ...]
    notes: tuple[str, ...]


def assumptions(task: Task, *, pool: bool, equal_rows: str = "either", upper: float = 0.0) -> Copies:
    """What to assume of copies among the labels and, where the pool has a part in the bound, in it.

    ``upper`` is the bound: if equal rows make it 1, the first note says so.
    """
    contents, assumes, notes = task.pool.contents(), list[str](), list[Note]()
    either = equal_rows == "either" and task.named_groups is None
    labeled = contents.labeled
    if task.copies is not None and labeled is not None:  # those that are copies count once already
        labeled = labeled[np.sort(np.unique(np.asarray(task.groups), return_index=True)[1])]
    shared = 0 if contents.shared is None else int(contents.shared.sum())
    kinds = [
        (SHARED, "pool rows with the content of a labeled row", shared, TAKE_OUT, pool),
        (REPEATED_POOL, "pool rows with the content of another one", _n_repeated(contents.pool), KEEP_ONE, pool),
        (REPEATED, "labeled rows with the content of another one", _n_repeated(labeled), KEEP_ONE, True),
    ]
    if task.named_groups is not None:  # the copies of a row with several labels are one group
        kinds = kinds[:2]
    elif task.copies is not None:
        n, draws = _copied(task)
        notes.append(Note(COUNTED.format(n=n, draws=draws), remedy=SEPARATE))
    for sentence, who, n, remedy, concerns in kinds:
        if not n or not concerns:
            continue
        rows = len(task.labeled if sentence == REPEATED else task.unlabeled)
        what = sentence.format(n=n, rows=rows, has="has" if n == 1 else "have")
        if n == 1:  # of those that repeat another one there are two at least
            drawn = "the pool row with the content of a labeled row is a separate draw"
            assumes.append(f"{drawn}, or a copy" if either else drawn)
        elif either:
            assumes.append(f"the {n:,} {who} are all separate draws, or all copies")
        else:
            assumes.append(f"the {n:,} {who} are separate draws")
        if either:
            notes.append(Note(f"{what}: the bound allows for copies, and is wider for it", remedy=(remedy, SEPARATE)))
        else:
            notes.append(Note(f"{what}; the certificate holds only if they are separate draws", remedy=remedy))
    if upper >= 1 and any(SEPARATE in note.remedies for note in notes):
        notes.insert(0, Note(VACUOUS, remedy=SEPARATE))
    return Copies(tuple(assumes), tuple(notes))


def certificate(
    task: Task, criterion: Any, terms: Sequence[Term], assumes: Sequence[str], *, pool: bool
) -> Certificate:
    """The bound on the error that these terms add up to, with what has to be assumed of copies.

    ``pool`` says whether the pool has a part in it.
    """
    upper = sum(term.upper for term in terms)
    copies = assumptions(task, pool=pool, equal_rows=criterion.equal_rows, upper=upper)
    method = replace(criterion, confidence=type(criterion).confidence).name  # the certificate states the confidence
    return Certificate(
        "error", min(1.0, upper), criterion.confidence, method,
        (*assumes, *copies.assumes), tuple(terms), task.n_asked, copies.notes,
    )  # fmt: skip


def grouped(task: Task, assumes: Sequence[str]) -> tuple[str, ...]:
    """The assumptions of a certificate, of which the first is about independent rows: about groups where there are."""
    if task.named_groups is not None:
        return (GROUPED, *assumes[1:])
    if task.copies is None:
        return tuple(assumes)
    n, draws = _copied(task)
    return (ONCE.format(first=assumes[0], n=n, draws=draws), *assumes[1:])


def refuse_labeled_rows_as_pool(task: Task, name: str) -> None:
    """The labeled rows themselves are no pool for a certificate."""
    if (overlap := task.pool.overlap()).same:
        raise CannotAnswer(
            f"{name} needs a pool of other rows, and the pool holds the labeled rows themselves "
            f"({overlap.rows:,} of its {len(task.unlabeled):,} rows have the content of a labeled one): "
            f"take them out, and pass rows that nobody has labeled"
        )


def _copied(task: Task) -> tuple[int, int]:
    """How many labeled rows are copies of each other, and how many remain if each counts once."""
    _, counts = np.unique(np.asarray(task.groups), return_counts=True)
    return int(counts[counts > 1].sum()), int((counts > 1).sum())


def _n_repeated(contents: Array | None) -> int:
    return 0 if contents is None else repeated(contents)
