"""Columns whose values are groups: rows of one person, patient or document belong together.

Rows of a group are more alike than other rows. Where folds split a group, estimates are too good and intervals too
narrow. A column looks like one of groups if it has many values with several rows each, and

*does not span labels and pool*: whole groups were labeled. If labeled rows were drawn at random, a value with c rows
would be on both sides with the probability 1 − pᶜ − (1 − p)ᶜ, where p is the share of labeled rows. That fewer values
span both by chance has a probability of at most exp(t − μ + t log(μ / t)) for t values where μ are expected (Chernoff;
rows drawn without replacement are negatively associated);

*holds one class*: rows with the same value have the same class nearly always, beyond chance;

*stands together*: rows with the same value are neighbors in the file, beyond chance;

or *is called so*: ``patient``, ``user_id``.

Ordinary categories have few values, or values that are in the pool too. A column that only looks like groups gets a
note; nothing else depends on it.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.data._id_columns import LIKE_A_DATE, MOMENTS, are_whole, is_id_name, is_plain_number, words_of
from foldless.errors import Way
from foldless.results.finding import Finding

IMPROBABLE = float(np.log(1e-4))  # a false sentence in one of 10,000 columns
FEWEST_VALUES, FEWEST_UNSPANNED = 10, 5  # ordinary categories have fewer values
FEWEST_ROWS = 2.0  # of a value, on average; with fewer, rows are alone
NEARLY_ALWAYS = 0.9  # pairs of rows with one value that have one class
RARELY = 0.1  # the share of the expected values that may span labels and pool, and of blocks that may be one too many
SEEN_TOGETHER, SEEN_STRINGS = 200, 20  # rows that exclude columns of measured numbers, and of dates
MANY_NUMBERS = 50  # columns of whole numbers; more are pixels or counts, unless their name says otherwise
MAX_GROUPS = 3  # columns with a note: where more look like groups, labels and pool differ in everything
NAMES = {
    "group", "groups", "person", "patient", "subject", "participant", "user", "customer", "client", "member", "family",
    "household", "speaker", "author", "writer", "student", "pupil", "doc", "document", "session", "visitor", "donor",
    "animal", "owner", "account", "cluster", "batch", "site",
}  # fmt: skip


class GroupVerdict(NamedTuple):
    """Why a column looks like groups, as the end of a sentence; how many values labeled rows have, and rows of each."""

    why: str
    values: int
    rows: float


def group_columns(
    tables: Sequence[pd.DataFrame], labeled: Array, y: Array | None, names: Sequence[Any] | None = None
) -> dict[Any, GroupVerdict]:
    """The columns of the first table that look like groups; its rows that are not ``labeled`` are pool too.

    Arguments are those of `foldless.data._id_columns.id_columns`.
    """
    verdicts = {}
    rest = np.setdiff1d(np.arange(len(tables[0])), labeled)
    for name in _candidates(tables[0], list(tables[0].columns) if names is None else names):
        mine = tables[0][name]
        pools = [mine.iloc[rest], *(table[name] for table in tables[1:] if name in table.columns)]
        verdict = group_verdict(str(name), mine.iloc[labeled], pd.concat(pools) if any(map(len, pools)) else None, y)
        if verdict is not None:
            verdicts[name] = verdict
    return verdicts


def group_verdict(
    name: str, labeled: "pd.Series[Any]", pool: "pd.Series[Any] | None", y: Array | None
) -> GroupVerdict | None:
    """Whether a column with this name looks like groups, from its values in labeled rows and in the pool."""
    named = _is_group_name(name)
    if not _may_be_groups(labeled) or (not named and not MOMENTS.isdisjoint(words_of(name))):
        return None
    values = labeled.nunique()
    if values < FEWEST_UNSPANNED or labeled.notna().sum() < FEWEST_ROWS * values:
        return None
    parts = [labeled] if pool is None or not len(pool) else [labeled, pool]
    alike = all(pd.api.types.is_numeric_dtype(part.dtype) for part in parts)
    codes = pd.factorize(pd.concat([part.astype(float if alike else object) for part in parts]))[0]
    mine, theirs = codes[: len(labeled)], codes[len(labeled) :]
    known = mine >= 0
    counts = np.bincount(mine[known])
    rows = int(known.sum())
    if len(theirs) and _are_apart(counts, np.bincount(theirs[theirs >= 0], minlength=len(counts))):
        return GroupVerdict("labels and pool have no values in common", values, rows / values)
    if values < FEWEST_VALUES:
        return None
    if not named and _are_measured(labeled):  # numbers that tell the class, or by which the file is sorted
        return None
    if y is not None and y.dtype.kind != "f" and _hold_one_class(mine[known], y[known]):
        return GroupVerdict("rows with the same value nearly always have the same class", values, rows / values)
    in_order = mine[known]
    blocks = 1 + np.count_nonzero(in_order[1:] != in_order[:-1])
    distinct = np.count_nonzero(counts)
    by_chance = rows - (counts * (counts - 1)).sum() / rows  # blocks of rows in random order: few where one value rules
    if blocks <= distinct + RARELY * (by_chance - distinct):  # each value is one block, or nearly so
        return GroupVerdict("rows with the same value are neighbors in the file", values, rows / values)
    return GroupVerdict("as its name says", values, rows / values) if named else None


def group_notes(
    tables: Sequence[pd.DataFrame], labeled: Array, y: Array | None, names: Sequence[Any], remedy: Callable[[Any], Way]
) -> list[Finding]:
    """Findings on the first columns that look like groups; ``remedy`` says what to do with one of that name."""
    groups = group_columns(tables, labeled, y, names)
    return [group_finding(name, verdict, remedy(name)) for name, verdict in list(groups.items())[:MAX_GROUPS]]


def group_finding(name: Any, verdict: GroupVerdict, remedy: Way) -> Finding:
    problem = (
        f"column {str(name)!r} looks like groups of rows that belong together ({verdict.values:,} values with "
        f"{verdict.rows:.3g} labeled rows each; {verdict.why}): if they do, accuracies are too high and intervals too "
        f"narrow until folds keep each group whole"
    )
    return Finding("FL008", problem, columns=[name], remedy=remedy)


def _is_group_name(name: str) -> bool:
    return is_id_name(name) or not NAMES.isdisjoint(words_of(name))


def _are_apart(labeled: Array, pool: Array) -> bool:
    """Whether values are in labeled rows or in the pool, and hardly ever in both, where chance would mix them."""
    sizes = np.concatenate([labeled + pool[: len(labeled)], pool[len(labeled) :]])
    share = labeled.sum() / sizes.sum()
    expected = float(np.sum(1 - share**sizes - (1 - share) ** sizes))
    both = int(np.count_nonzero((labeled > 0) & (pool[: len(labeled)] > 0)))
    if both > RARELY * expected:
        return False
    return bool(both - expected + (both * np.log(expected / both) if both else 0.0) < IMPROBABLE)


def _hold_one_class(values: Array, y: Array) -> bool:
    """Whether rows with the same value have the same class nearly always, where classes alone would not."""
    classes, codes = np.unique(y, return_inverse=True)
    table = np.zeros((values.max() + 1, len(classes)))
    np.add.at(table, (values, codes), 1)
    sizes, of_class = table.sum(axis=1), table.sum(axis=0)
    pairs, same = float(np.sum(sizes * (sizes - 1))), float(np.sum(table * (table - 1)))
    n = len(y)
    chance = float(np.sum(of_class * (of_class - 1))) / (n * (n - 1))
    several = sizes > 1
    pure = np.count_nonzero(table[several].max(axis=1) == sizes[several])
    expected = float(np.sum((of_class / n) ** sizes[several][:, None]))
    if same < NEARLY_ALWAYS * pairs or same / pairs < (1 + chance) / 2 or pure <= expected:
        return False
    return bool(pure - expected + pure * np.log(expected / pure) < IMPROBABLE)


def _are_measured(column: "pd.Series[Any]") -> bool:
    """Whether numbers may be measured: groups are numbered from 0 or 1."""
    if not pd.api.types.is_numeric_dtype(column.dtype):
        return False
    values = column.dropna()
    return not (values.min() in (0, 1) and values.max() - values.min() + 1 == values.nunique())


def _candidates(table: pd.DataFrame, names: Sequence[Any]) -> list[Any]:
    """Columns that may be groups by their first values: numbers of thousands of columns are looked at together."""
    types = table.dtypes.to_dict()
    plain = [name for name in names if is_plain_number(types[name])]
    first = np.sort(table[plain].iloc[:SEEN_TOGETHER].to_numpy(dtype=float), axis=0)  # NaN is last
    whole = (np.isnan(first) | (first == np.round(first))).all(axis=0)
    several = (first[1:] != first[:-1]).sum(axis=0) >= min(FEWEST_UNSPANNED, len(first)) - 1
    numbers = [name for at, name in enumerate(plain) if whole[at] and several[at]]
    if len(numbers) > MANY_NUMBERS:
        numbers = [name for name in numbers if _is_group_name(str(name))]
    kept, seen = set(numbers), set(plain)
    return [name for name in names if name in kept or name not in seen]


def _may_be_groups(column: "pd.Series[Any]") -> bool:
    dtype = column.dtype
    if pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_datetime64_any_dtype(dtype):
        return False
    if pd.api.types.is_float_dtype(dtype):
        return are_whole(column)
    if pd.api.types.is_object_dtype(dtype) or isinstance(dtype, pd.StringDtype):
        known = column.dropna()
        first = known.iloc[:SEEN_STRINGS]
        are_strings = isinstance(dtype, pd.StringDtype) or pd.api.types.infer_dtype(known) in ("string", "empty")
        return are_strings and not all(map(LIKE_A_DATE.fullmatch, first))
    return bool(pd.api.types.is_integer_dtype(dtype) or isinstance(dtype, pd.CategoricalDtype))
