"""Columns that identify rows and say nothing else: row numbers, ids, hashes.

A model learns noise from them, or the order of the file. A column looks like ids in three steps.

*Distinct.* Every value occurs once in each table.

*Assigned.* Nobody measures whole numbers that are all distinct in a narrow range. If n numbers were independent draws
from any distribution over r whole numbers, they would be distinct with a probability of at most

    r! / ((r − n)! rⁿ)

which the uniform distribution attains. It is small for no price, timestamp, post code or count, since these have a wide
range or repeat; for the ids of 300 rows out of 3,000 it is 10⁻⁷. Numbers are also taken as assigned where their name
says so (``customer_id``), where they are the places of the rows (0, 1, 2, …), and strings by how they are written
(UUIDs, digests).

*Not about the label.* Ranks are distinct whole numbers too. Where there is only one sign of ids, and labels depend on
the numbers, the column is used and a note says so.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import chdtrc, gammaln, ndtr

from foldless.core import Array
from foldless.errors import DropColumns, KeepColumns
from foldless.results.finding import Finding

IMPROBABLE = float(np.log(1e-6))  # one column in a million, so that a table of thousands of columns loses none
FEW_ROWS = 30  # with fewer, distinct numbers are ids by their name or as the places of rows only
FEWEST = 7  # rows; with fewer, distinct values are no sign of anything
RELATED = 0.001  # the share of true ids on which labels seem to depend
EXACT = 2**53  # a hash is above, and nothing that is counted
COPIES = 0.1  # the largest share of rows that may repeat an id, as copies of whole rows
SEEN_TOGETHER, SEEN_FIRST = 300, 1000  # values that exclude most columns before all are read

NAMES = {"id", "ids", "idx", "uuid", "guid", "pk", "rowid", "rownum", "nr", "no", "key", "oid", "uid", "identifier"}
WHOLE_NAMES = {"index", "row", "rows", "number", "num", "record", "serial", "rn", "unnamed"}
NUMBERED = {"row", "record", "case", "serial", "sample", "line", "item", "account", "ticket", "invoice", "order"}
JOINED = re.compile(
    r"(user|customer|client|patient|person|subject|row|item|order|session|doc|case|record|sample|account|product|"
    r"passenger|student|employee|transaction|message|post|tweet)(id|no|nr)"
)
MOMENTS = {
    "t", "ts", "time", "timestamp", "date", "datetime", "year", "month", "week", "day", "days", "hour", "hours",
    "minute", "minutes", "second", "seconds", "ms", "epoch", "at", "age", "elapsed", "since", "duration", "period",
    "tick", "step", "rank", "ranking", "score", "percentile",
}  # fmt: skip
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
UUID = re.compile(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?")
DIGEST = re.compile(r"(?:0x)?(?:[0-9a-f]{8,128}|[0-9A-F]{8,128})")
NUMBER_INSIDE = re.compile(r"(\D*)(\d{1,15})(\D*)|(.*\D)(\d{1,15})()", re.DOTALL)
LIKE_A_DATE = re.compile(r"[\d\s]*[-./:][-./:\d\sTZ+]*")
YEARS = (1800, 2100)


class IdVerdict(NamedTuple):
    """Why a column looks like ids, as the end of a sentence that begins with its name.

    ``sure`` where several things say so, whatever the labels do; ``related`` where labels depend on the column.
    """

    why: str
    sure: bool
    related: bool = False

    @property
    def left_out(self) -> bool:
        return self.sure or not self.related


def id_columns(
    tables: Sequence[pd.DataFrame], labeled: Array, y: Array | None, names: Sequence[Any] | None = None
) -> dict[Any, IdVerdict]:
    """The columns of the first table that look like ids.

    Parameters
    ----------
    tables : the table of training, and the pool where there is one
    labeled : positions of the labeled rows of the first
    y : their classes or, as floats, their values; None if nothing is known of them
    names : the columns to look at, by default all
    """
    verdicts, seen = {}, list(map(_Table, tables))
    for name in _candidates(tables, list(tables[0].columns) if names is None else names):
        verdict = id_verdict(str(name), [table.column(name) for table in seen if name in table.frame.columns])
        if verdict is None:
            continue
        if not verdict.sure and y is not None:
            values = tables[0][name].iloc[labeled].to_numpy(dtype=float, na_value=np.nan)
            verdict = verdict._replace(related=depends(y, values))
        verdicts[name] = verdict
    return verdicts


def id_verdict(name: str, columns: Sequence["pd.Series[Any]"]) -> IdVerdict | None:
    """Whether a column with this name looks like ids, from its values in each table; labels are not read."""
    if not all(map(_may_be_ids, columns)):
        return None
    present = [column.dropna() for column in columns]
    if min(map(len, present)) < max(1, len(columns[0]) // 2, FEWEST // 2) or sum(map(len, present)) < FEWEST:
        return None
    are_numbers = {bool(pd.api.types.is_numeric_dtype(column.dtype)) for column in columns}
    if are_numbers == {True}:
        return _verdict_of_numbers(name, list(map(_exact, present)))
    return _verdict_of_strings(name, present) if are_numbers == {False} else None


def id_findings(verdicts: Mapping[Any, IdVerdict], *, left_out: bool = True) -> list[Finding]:
    """What is to be said of columns that look like ids: those that are left out in one sentence, others in one each.

    ``left_out`` is False where nobody leaves them out.
    """
    gone = {str(name): verdict.why for name, verdict in verdicts.items() if left_out and verdict.left_out}
    findings = []
    if len(gone) == 1:
        ((name, why),) = gone.items()
        findings.append(
            Finding("FL010", f"column {name!r} {why}, and is left out", columns=gone, remedy=KeepColumns((name,)))
        )
    elif gone:
        reasons = "; ".join(f"{name!r} {why}" for name, why in gone.items())
        problem = f"{len(gone)} columns that identify rows are left out ({reasons})"
        findings.append(Finding("FL010", problem, columns=gone, remedy=KeepColumns(tuple(gone))))
    for name, verdict in verdicts.items():
        if str(name) not in gone:
            depends_on = ", and labels depend on it" if verdict.related else ""
            only = "if it only identifies the row, "
            remedy = DropColumns((str(name),), only) if left_out else f"{only}leave it out of X"
            problem = f"column {str(name)!r} {verdict.why}{depends_on}"
            findings.append(Finding("FL010", problem, columns=[name], remedy=remedy))
    return findings


def is_id_name(name: str) -> bool:
    """Whether a column is called like ids: ``id``, ``customer_id``, ``PassengerId``, ``Unnamed: 0``."""
    words = words_of(name)
    while len(words) > 1 and words[-1].isdigit():
        words = words[:-1]
    if not words:
        return name.strip() == "#"
    numbered = len(words) > 1 and words[-2] in NUMBERED and words[-1] in ("number", "num", "index")
    by_word = words[-1] in NAMES or words[0] == "id" or (len(words) == 1 and words[0] in WHOLE_NAMES)
    return by_word or numbered or JOINED.fullmatch(words[-1]) is not None


def log_distinct(n: int, span: int) -> float:
    """The logarithm of the largest probability with which n draws of whole numbers from a span are all distinct."""
    if n > span:
        return -np.inf
    return float(np.log1p(-np.arange(n) / span).sum())


def depends(y: Array, values: Array) -> bool:
    """Whether labels depend on numbers: by their ranks within each class, or because neighbors are of one class."""
    known = ~np.isnan(values)
    y, order = y[known], np.argsort(values[known])
    n, ranks = len(y), np.empty(len(y))
    if n < FEWEST:
        return False
    ranks[order] = np.arange(1, n + 1)
    if y.dtype.kind == "f":
        of_y = pd.Series(y).rank().to_numpy()
        along = np.corrcoef(ranks, of_y)[0, 1], np.corrcoef(of_y[order][1:], of_y[order][:-1])[0, 1]
        chances = [2 * ndtr(-abs(along[0]) * np.sqrt(n - 1)), ndtr(-along[1] * np.sqrt(n - 1))]
    else:
        codes = np.unique(y, return_inverse=True)[1]
        sizes = np.bincount(codes)
        h = 12 / (n * (n + 1)) * np.sum(np.bincount(codes, ranks) ** 2 / sizes) - 3 * (n + 1)
        same, expected = np.mean(codes[order][1:] == codes[order][:-1]), np.sum((sizes / n) ** 2)
        beyond = (same - expected) / np.sqrt(max(expected * (1 - expected), 1 / n) / (n - 1))
        chances = [chdtrc(max(1, len(sizes) - 1), h), ndtr(-beyond)]
    return bool(min(chances) < RELATED / 2)


def _verdict_of_numbers(name: str, tables: Sequence[Array]) -> IdVerdict | None:
    named = is_id_name(name)
    if not all(len(np.unique(values)) == len(values) for values in tables):
        return None
    if not named and (not MOMENTS.isdisjoint(words_of(name)) or _are_moments(np.concatenate(tables))):
        return None
    n, chance = sum(map(len, tables)), _log_chance(tables)
    in_order = all((values[1:] > values[:-1]).all() for values in tables)
    contiguous = in_order and all(int(values[-1]) - int(values[0]) == len(values) - 1 for values in tables)
    if contiguous and tables[0][0] in (0, 1) and chance - gammaln(n + 1) < IMPROBABLE:
        return IdVerdict("numbers the rows", sure=True)
    if chance < IMPROBABLE and (named or n >= FEW_ROWS):
        order = ", in increasing order" if in_order else ""
        return IdVerdict(f"holds another whole number in each row of a narrow range{order}", sure=named or in_order)
    if named:
        return IdVerdict("holds another whole number in each row, as its name says", sure=False)
    if _are_hashes(np.concatenate(tables)):
        return IdVerdict("holds another number of 16 digits or more in each row", sure=False)
    return None


def _verdict_of_strings(name: str, tables: Sequence["pd.Series[Any]"]) -> IdVerdict | None:
    """Strings that are all distinct tell a model nothing, so that labels need not be asked."""
    tables = [column[column != ""] for column in tables]
    strings = pd.concat(tables).astype(str)
    if len(strings) < FEWEST:
        return None
    first = strings.iloc[:20]
    shape = _shape(first.tolist())
    named = is_id_name(name) and not first.str.contains(r"\s", regex=True).any()
    if (shape is None and not named) or not all(column.is_unique for column in tables):
        return None
    texts = strings.tolist()
    if shape == "uuid" and all(map(UUID.fullmatch, texts)):
        return IdVerdict("holds another UUID in each row", sure=True)
    if shape == "digest" and len(set(map(len, texts))) == 1 and all(map(DIGEST.fullmatch, texts)):
        return IdVerdict("holds another digest in each row", sure=True)
    if shape == "number" and _are_numbered(texts, [len(column) for column in tables], named, name):
        return IdVerdict(f"numbers the rows, such as {texts[0]!r}", sure=True)
    if named and not strings.str.contains(r"\s", regex=True).any() and not all(map(LIKE_A_DATE.fullmatch, texts)):
        return IdVerdict("holds another value in each row, as its name says", sure=True)
    return None


def _shape(texts: Sequence[str]) -> str | None:
    if all(map(UUID.fullmatch, texts)):
        return "uuid"
    if all(map(LIKE_A_DATE.fullmatch, texts)):
        return None
    if all(map(DIGEST.fullmatch, texts)) and len(set(map(len, texts))) == 1 and not all(t.isdigit() for t in texts):
        return "digest"
    return "number" if _numbers_inside(texts) is not None else None


def _are_numbered(texts: Sequence[str], sizes: Sequence[int], named: bool, name: str) -> bool:
    """Whether strings are one word with a number that was assigned, or has zeros in front."""
    inside = _numbers_inside(texts)
    if inside is None or (not named and not MOMENTS.isdisjoint(words_of(name))):
        return False
    around, digits = inside
    padded = around and len(set(map(len, digits))) == 1 and any(number[0] == "0" for number in digits)
    numbers = np.array([int(number) for number in digits])
    tables = np.split(numbers, np.cumsum(sizes)[:-1])
    return bool(named or padded or (len(texts) >= FEW_ROWS and _log_chance(tables) < IMPROBABLE))


def _numbers_inside(texts: Sequence[str]) -> tuple[str, list[str]] | None:
    """What is around the only number of each string, or the last of it, where it is the same in all; the numbers."""
    matches = [NUMBER_INSIDE.fullmatch(text) for text in texts]
    parts = [match.groups("") for match in matches if match is not None]
    around = {(part[0], part[2], part[3]) for part in parts}
    if len(parts) < len(texts) or len(around) > 1:
        return None
    return "".join(around.pop()).strip(), [part[1] or part[4] for part in parts]


def _log_chance(tables: Sequence[Array]) -> float:
    """The logarithm of the probability with which measured numbers are distinct: in all tables, or in each."""
    together = np.concatenate(tables)
    if len(np.unique(together)) == len(together):
        tables = [together]
    return sum(log_distinct(len(values), int(values.max()) - int(values.min()) + 1) for values in tables)


def _are_moments(numbers: Array) -> bool:
    """Whether whole numbers are years, or dates such as 20240229."""
    low, high = YEARS
    if low <= numbers.min() and numbers.max() <= high:
        return True
    if not (low * 10000 <= numbers.min() and numbers.max() <= high * 10000):
        return False
    days, months = numbers % 100, numbers // 100 % 100
    return bool(((days >= 1) & (days <= 31) & (months >= 1) & (months <= 12)).all())


def _are_hashes(numbers: Array) -> bool:
    """Whether integers fill a range that nothing counted has; moments in nanoseconds are close to each other."""
    sizes = np.abs(numbers.astype(float))
    return numbers.dtype.kind in "iu" and sizes.max() > EXACT and np.median(sizes) < sizes.max() / 1.2


def _candidates(tables: Sequence[pd.DataFrame], names: Sequence[Any]) -> list[Any]:
    """Columns that may be ids by their first values: numbers of thousands of columns are looked at together."""
    excluded: set[Any] = set()
    for table in tables:
        types = table.dtypes.to_dict()
        plain = [name for name in names if name not in excluded and is_plain_number(types.get(name))]
        first = np.sort(table[plain].iloc[:SEEN_TOGETHER].to_numpy(dtype=float), axis=0)  # NaN is last
        whole = (np.isnan(first) | (first == np.round(first))).all(axis=0)
        repeats = (first[1:] == first[:-1]).sum(axis=0)
        excluded |= {plain[at] for at in np.flatnonzero(~whole | (repeats > 2 * COPIES * len(first)))}
    return [name for name in names if name not in excluded]


def is_plain_number(dtype: Any) -> bool:
    """Whether a type is one of NumPy's for whole or broken numbers."""
    return isinstance(dtype, np.dtype) and dtype.kind in "iuf"


def _exact(column: "pd.Series[Any]") -> Array:
    dtype: Any = float
    if pd.api.types.is_integer_dtype(column.dtype):
        dtype = np.uint64 if pd.api.types.is_unsigned_integer_dtype(column.dtype) else np.int64
    return column.to_numpy(dtype=dtype)


def _may_be_ids(column: "pd.Series[Any]") -> bool:
    """Whether values are whole numbers or strings, as far as their first ones show, and then all of them."""
    dtype = column.dtype
    if pd.api.types.is_bool_dtype(dtype):
        return False
    if pd.api.types.is_integer_dtype(dtype):
        return True
    if pd.api.types.is_float_dtype(dtype):
        return all(are_whole(part) for part in (column.iloc[:SEEN_FIRST], column))
    if isinstance(dtype, pd.StringDtype):
        return True
    return pd.api.types.is_object_dtype(dtype) and all(
        pd.api.types.infer_dtype(part, skipna=True) in ("string", "empty")
        for part in (column.iloc[:SEEN_FIRST], column)
    )


def are_whole(column: "pd.Series[Any]") -> bool:
    """Whether all numbers that are there are whole, and none is infinite."""
    values = column.to_numpy(dtype=float, na_value=np.nan)
    values = values[~np.isnan(values)]
    return bool(np.isfinite(values).all() and (values == np.round(values)).all())


class _Table:
    """A table whose columns are looked at without the rows that are copies of others."""

    def __init__(self, frame: pd.DataFrame):
        self.frame = frame

    def column(self, name: Any) -> "pd.Series[Any]":
        """A column; of rows that are copies of others, where they are few, one is there."""
        column = self.frame[name]
        if not _may_be_ids(column):
            return column
        repeats = int(column.duplicated().sum())
        return column[self._first] if 0 < repeats <= COPIES * len(column) else column

    @cached_property
    def _first(self) -> Array:
        """Which rows are no copies of rows above; found once, since all columns are compared."""
        try:
            return np.asarray(~self.frame.duplicated())
        except (TypeError, NotImplementedError):  # lists have no hash, and those of Arrow no code
            return np.ones(len(self.frame), dtype=bool)


def words_of(name: str) -> list[str]:
    """The words in the name of a column, in small letters: ``PassengerId`` has two."""
    return [word.lower() for word in WORD.findall(name)]
