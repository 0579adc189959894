"""Columns that say how a label came to be: which pool row it was, with which probability it was drawn, in which round.

`foldless suggest` writes them, a file of labels keeps them, and no model reads them. A row without a probability was
drawn at random like the pool; 0 stands for a row that was chosen, and not drawn.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from foldless.checks._shared_rows import shared
from foldless.checks._together import UNREADABLE
from foldless.core import Array
from foldless.data._features import n_rows, take
from foldless.data._overlap import RowHashes, hashed
from foldless.errors import BadInput, counted
from foldless.io import Table

ROW, PROBABILITY, ROUND = "foldless_row", "foldless_probability", "foldless_round"
HINTS = "foldless_hints"
BESIDE = ("foldless_state", "foldless_by", "foldless_at", "foldless_why", HINTS, "foldless_note")
"""What `foldless app` writes beside labels."""
NAMES = (ROW, PROBABILITY, ROUND, *BESIDE)
IN_BOTH = (
    "row of {} that is in {} too is left out of the pool",
    "rows of {} that are in {} too are left out of the pool",
)


class LabelDraws(NamedTuple):
    """The probabilities and rounds of labeled rows, as `FoldlessSearch.fit` takes them; NaN where there is none."""

    label_probabilities: Array
    label_rounds: Array

    @property
    def next_round(self) -> int:
        """The number of a round that comes behind all of these."""
        return int(self.label_rounds[~np.isnan(self.label_probabilities)].max(initial=0)) + 1


def read(table: Table, labeled: Array, notes: list[str]) -> LabelDraws | None:
    """How the labels at these positions were drawn; None where a table does not say.

    Where a part of the rows of a round has a label, that part is taken for a random one.
    """
    if HINTS in table.frame:
        hints = table.frame[HINTS].iloc[labeled]
        notes += hint_notes(int((hints.notna() & (hints.astype(str).str.strip() != "")).sum()), len(labeled))
    if PROBABILITY not in table.frame:
        return None
    every_chance = _numbers(table, PROBABILITY)
    chances = every_chance[labeled]
    if np.isnan(chances).all():
        return None
    wrong = (chances < 0) | (chances > 1)
    if wrong.any():
        raise BadInput(
            f"column {PROBABILITY!r} of {table.name} holds {chances[wrong][0]:g}: probabilities are between 0 and 1"
        )
    every = _numbers(table, ROUND) if ROUND in table.frame else np.zeros(len(table.frame))
    every = np.where(np.isnan(every), 0.0, every)
    rounds, drawn = every[labeled], every_chance > 0
    for number in np.unique(every[drawn]):
        of_round, size = (rounds == number) & (chances > 0), int((drawn & (every == number)).sum())
        if 0 < (done := int(of_round.sum())) < size:
            chances[of_round] *= done / size
            notes.append(
                f"{done} of {size} rows that were drawn in round {number:g} have a label: the estimate treats them "
                f"as a random part, which they are not if difficult rows were skipped"
            )
    return LabelDraws(chances, rounds)


def hint_notes(n: int, n_labels: int) -> list[str]:
    """What must be said of labels that people gave while they saw what a model thinks."""
    if not n:
        return []
    return [
        f"{n:,} of {n_labels:,} labels were given with a model's opinion in view, with which people tend to agree: an "
        f"estimate that counts them may be too high"
    ]


def check_none_waits(parts: Sequence[tuple[Table, Array | None]]) -> None:
    """Refuse rows of training that were drawn or picked and have no label yet: they would be named a second time."""
    for table, rows in parts:
        if rows is not None and PROBABILITY in table.frame:
            waiting = int((~np.isnan(_numbers(table, PROBABILITY)[rows])).sum())
            if waiting:
                raise BadInput(
                    f"{waiting:,} suggested rows of {table.name} are still unlabeled: label them, or remove them from "
                    f"the file"
                )


def columns(frame: pd.DataFrame) -> list[str]:
    """The columns of a frame that no model reads."""
    return [name for name in NAMES if name in frame]


def leave_out(
    X: Any,
    train: Table,
    pools: list[Any],
    pool_rows: list[tuple[Table, Array | None]],
    notes: list[str],
    labeled: Array | Sequence[int] = (),
    keys: Sequence[str] = (),
) -> Array:
    """Leave out of the last pool what is in training, rows that were drawn from it and labeled rows; where they were.

    Each row that training has drawn takes one of the same content; those without a label yet are in the pool as rows of
    training. Other labeled rows are found by their content: with a column of keys where both files have one, else where
    chance does not explain that so many contents are equal.
    """
    was_drawn = np.zeros(len(train.frame), dtype=bool)
    for name in (PROBABILITY, ROW):
        if name in train.frame:
            was_drawn |= ~np.isnan(_numbers(train, name))
    taken = np.flatnonzero(was_drawn)
    table, kept = pool_rows[-1][0], np.arange(n_rows(pools[-1]))
    if len(taken):
        drawn, rows = hashed(take(X, taken), pools[-1])[2:]
        counts, content = pd.Series(drawn).value_counts(), pd.Series(rows)
        kept = np.flatnonzero((content.groupby(content).cumcount() >= content.map(counts).fillna(0)).to_numpy())
    others = np.setdiff1d(np.asarray(labeled, dtype=np.int64), taken)
    if len(others) and len(kept):
        rest = kept[~_labeled(take(X, others), take(pools[-1], kept), train, others, table, kept, keys)]
        kept = rest if len(rest) else kept  # a pool that is the training file itself is said to be one elsewhere
    gone = np.setdiff1d(np.arange(n_rows(pools[-1])), kept)
    if len(gone):
        notes.append(counted(len(gone), *IN_BOTH).format(table.name, train.name))
        pools[-1:] = [take(pools[-1], kept)] if len(kept) else []
        pool_rows[-1:] = [(table, kept)] if len(kept) else []
    return gone


def _labeled(X: Any, pool: Any, train: Table, rows: Array, table: Table, kept: Array, keys: Sequence[str]) -> Array:
    common = [name for name in keys if name in train.frame and name in table.frame]
    try:
        if not common:
            return shared(X, pool, RowHashes())
        mine, theirs = hashed(X, pool)[2:]
    except UNREADABLE:
        return np.zeros(len(kept), dtype=bool)
    frames = (train.frame[common].iloc[rows], table.frame[common].iloc[kept])
    named = [list(zip(*(frame[name].astype(str) for name in common), contents.tolist(), strict=True))
             for frame, contents in zip(frames, (mine, theirs), strict=True)]  # fmt: skip
    seen = set(named[0])
    return np.fromiter((each in seen for each in named[1]), dtype=bool, count=len(named[1]))


def _numbers(table: Table, name: str) -> Array:
    values = pd.to_numeric(table.frame[name], errors="coerce")
    odd = values.isna() & table.frame[name].notna() & (table.frame[name].astype(str).str.strip() != "")
    if odd.any():
        row = int(np.flatnonzero(odd)[0])
        raise BadInput(
            f"column {name!r} of {table.name} holds {table.frame[name].iloc[row]!r} in row {row + 1}: leave it as "
            f"foldless suggest wrote it, or empty"
        )
    return np.asarray(values.to_numpy(dtype=float, na_value=np.nan))
