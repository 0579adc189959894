"""Rows of equal content, as certificates see them: what is refused, and what has to be assumed of the others.

A certificate counts independent rows, and measures on rows that trained nothing. Copies among the labels are counted
twice, and a labeled row in the pool may have trained what it judges. Equal content need not be the same row, so only a
pool that holds the labels beyond what chance does is refused; all else is an assumption, and a note beside it.
"""

from typing import NamedTuple

from foldless.core import Task
from foldless.errors import CannotAnswer

SHARED = (
    "{shared:,} of {rows:,} pool rows have the content of a labeled row: if they are the same rows, take them out, "
    "because the certificate does not hold"
)
REPEATED = (
    "{copies:,} of {rows:,} labeled rows have the content of another one: if they are copies (oversampling, a joined "
    "table), keep one of each, because the certificate does not hold"
)


class Copies(NamedTuple):
    """What a certificate has to assume about rows of equal content, and the notes that say how many there are."""

    assumes: tuple[str, ...]
    notes: tuple[str, ...]


def assumptions(task: Task, *, pool: bool) -> Copies:
    """What to assume of copies among the labels, and of labeled rows in the pool where the pool has a part in it."""
    overlap, assumes, notes = task.overlap(), [], []
    if pool and overlap.rows:
        assumes.append(f"the {overlap.rows:,} pool rows with the content of a labeled row are other rows")
        notes.append(SHARED.format(shared=overlap.rows, rows=len(task.unlabeled)))
    if overlap.copies:
        assumes.append(f"the {overlap.copies:,} labeled rows with the content of another one are other draws")
        notes.append(REPEATED.format(copies=overlap.copies, rows=len(task.labeled)))
    return Copies(tuple(assumes), tuple(notes))


def refuse_labeled_rows_as_pool(task: Task, name: str) -> None:
    """The labeled rows themselves are no pool for a certificate."""
    if (overlap := task.overlap()).same:
        raise CannotAnswer(
            f"{name} needs a pool of other rows, and the pool holds the labeled rows themselves "
            f"({overlap.rows:,} of its {len(task.unlabeled):,} rows have the content of a labeled one): "
            f"take them out, and pass rows that nobody has labeled"
        )
