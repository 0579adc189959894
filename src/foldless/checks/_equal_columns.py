"""FL017: columns that say the same: equal values, the same in other units, or one name for each value of another."""

from typing import Any

import numpy as np
import pandas as pd

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData, Variant, as_floats
from foldless.checks._constant_columns import most_frequent
from foldless.checks._rare_classes import FEWEST
from foldless.checks._tables import some_rows
from foldless.checks._wording import shown, table_of
from foldless.core import Array
from foldless.errors import DropColumns
from foldless.results.finding import Finding

MOST = 3  # sets of equal columns with a finding
READ = 10_000  # rows that are compared
DIGITS = 9
FEWEST_ROWS = 10
FEW = 0.5  # values for each row, up to which they may be names


@check("FL017", "columns that say the same", kind="tip")
def equal_columns(data: CheckedData) -> list[Diagnosis]:
    labeled = table_of(data)
    if len(labeled) < FEWEST_ROWS:
        raise DoesNotApply(f"there are fewer than {FEWEST_ROWS} labels")
    frame = some_rows(labeled, READ)
    sets: dict[bytes, list[Any]] = {}
    for name in data.read:
        if len(frame) - most_frequent(frame[name]) >= FEWEST and (key := _key(frame[name], data.kinds[name])):
            sets.setdefault(key, []).append(name)
    diagnoses = []
    for names in [names for names in sets.values() if len(names) > 1][:MOST]:
        others = ", ".join(map(shown, names[1:]))
        problem = f"columns {shown(names[0])} and {others} say the same"
        remedy = DropColumns(tuple(map(str, names[1:])))
        words = "without it" if len(names) == 2 else "without them"
        variant = Variant(columns=tuple(names[1:]), words=words)
        diagnoses.append(Diagnosis(Finding("FL017", problem, columns=names, remedy=remedy), variant))
    return diagnoses


def _key(values: "pd.Series[Any]", kind: str) -> bytes | None:
    """Equal for columns that say the same."""
    if kind in ("numeric", "boolean", "date"):
        numbers = as_floats(values)
        if 1 < values.nunique() <= len(values) * FEW:  # codes may stand for names, as 13 for "Bachelors"
            return b"categories" + _in_order(np.where(np.isfinite(numbers), numbers, np.nan))
        return _of_numbers(numbers)
    if kind == "text":
        return b"text" + "\0".join(map(str, values)).encode(errors="replace")
    try:
        return b"categories" + _in_order(values) if values.nunique(dropna=False) <= len(values) * FEW else None
    except TypeError:
        return None


def _in_order(values: Any) -> bytes:
    """The number of each value, in the order in which they first occur."""
    return bytes(pd.factorize(values, use_na_sentinel=False)[0].astype(np.int32).tobytes())


def _of_numbers(values: Array) -> bytes | None:
    """Numbers without regard to unit, zero and sign."""
    known = np.isfinite(values)
    if known.sum() < FEWEST_ROWS or not np.ptp(values[known]) > 0:
        return None
    centered = np.where(known, values - values[known].mean(), np.nan)
    scaled = centered / np.nanmax(np.abs(centered))
    first = scaled[known][np.argmax(np.abs(scaled[known]) > 0.5)]
    return b"numbers" + (np.round(np.where(known, scaled * np.sign(first), 9.0), DIGITS) + 0.0).tobytes()
