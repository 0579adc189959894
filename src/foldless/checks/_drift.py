"""FL020: columns that differ between labels and pool, by permutations (`foldless.accuracy._column_shift`).

Of copies, and of the rows of one group, one row is read. Columns that look like ids differ by nature, and are left out.
"""

import numpy as np

from foldless.accuracy._column_shift import ColumnTest, column_test
from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._pool_copies import NO_POOL
from foldless.checks._wording import listed
from foldless.core import Array
from foldless.data._compared_columns import compared_columns
from foldless.data._features import take
from foldless.results.finding import Finding
from foldless.results.shift import LEVEL, REMEDIES

LABELS, POOL, PER_LABEL = 1000, 2000, 4  # rows that are compared: more make the test hardly better
FEWEST = 10
NATURAL = 0.5  # of the contents that repeat, from which on they repeat by nature if the other part has them too
OF_LARGEST = 0.7  # of the level, for the largest difference of a column; the rest is for many small ones


@check("FL020", "columns that differ between labels and pool", kind="issue", level=LEVEL)
def drift(data: CheckedData) -> list[Diagnosis]:
    test = tested_columns(data)
    if test is None:
        return []
    largest = test.largest_p <= OF_LARGEST * LEVEL
    if not largest and test.many_p > (1 - OF_LARGEST) * LEVEL:
        return []
    named = listed([str(column) for column in test.columns]) if test.columns else "many columns, each a little"
    p = min(test.largest_p, test.many_p)
    problem = f"labels and pool differ (p {p:.2g}): {named}"
    columns = list(dict.fromkeys(str(column.name).partition(": ")[0] for column in test.columns))
    finding = Finding("FL020", problem, columns=columns, remedy=REMEDIES)
    return [Diagnosis(finding, untold="the pool has no labels: estimates are of rows like the labeled ones")]


def tested_columns(data: CheckedData) -> ColumnTest | None:
    sample, rng = data.sample, np.random.default_rng(0)
    if sample.pool is None:
        raise DoesNotApply(NO_POOL)
    mine, theirs = (sample.row_hashes.of(part) for part in (sample.labeled, sample.pool))
    # of labeled rows that are near copies, or of one group, the first
    one_of_each = np.unique(data.units.alike if sample.groups is None else sample.groups, return_index=True)[1]
    labeled = _some(np.intersect1d(one_of_each, _draws(mine, theirs)), LABELS, rng)
    pool = _some(_draws(theirs, mine), min(POOL, PER_LABEL * len(labeled)), rng)
    if min(len(labeled), len(pool)) < FEWEST:
        raise DoesNotApply(f"labels or pool have fewer than {FEWEST} rows")
    parts = [take(sample.labeled, labeled), take(sample.pool, pool)]
    if data.ids and hasattr(parts[0], "columns"):
        kept = [name for name in parts[0].columns if name not in data.ids]
        parts = [part[kept] for part in parts]
    if hasattr(parts[0], "columns") and not len(parts[0].columns):
        raise DoesNotApply("labels and pool have no column in common that is no id")
    return column_test(compared_columns(parts, rng), len(labeled), rng)


def _draws(contents: Array, others: Array) -> Array:
    """Positions of rows, of equal ones the first, unless what repeats is mostly in the other part: by nature then."""
    values, first, counts = np.unique(contents, return_index=True, return_counts=True)
    repeated = values[counts > 1]
    natural = len(repeated) > 0 and float(np.isin(repeated, others).mean()) >= NATURAL
    return np.arange(len(contents)) if natural else np.sort(first)


def _some(rows: Array, n: int, rng: np.random.Generator) -> Array:
    return rows if len(rows) <= n else np.sort(rng.choice(rows, n, replace=False))
