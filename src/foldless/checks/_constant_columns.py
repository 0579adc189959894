"""FL016: columns of one value, or with another one in fewer than five labeled rows: no fold can learn from them."""

from typing import Any

import pandas as pd

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData, Variant, is_missing
from foldless.checks._rare_classes import FEWEST
from foldless.checks._wording import columns_named, table_of
from foldless.errors import DropColumns
from foldless.results.finding import Finding

EXACT = 2.0**53  # whole numbers beyond it are rounded
MERGED = "one value in double precision, where whole numbers of more than 15 digits are merged"


@check("FL016", "constant and nearly constant columns", kind="tip")
def constant_columns(data: CheckedData) -> list[Diagnosis]:
    labeled = table_of(data)
    rest = {name: data.n - most_frequent(labeled[name]) for name in data.read}
    empty = [name for name, n in rest.items() if n == 0 and is_missing(labeled[name]).all()]
    constant = [name for name, n in rest.items() if n == 0 and name not in empty]
    nearly = [name for name, n in rest.items() if 0 < n < FEWEST and n < data.n / 2]
    diagnoses = []
    all_but = "the same value in all but one to four rows"
    if len(nearly) == 1:
        n = rest[nearly[0]]
        all_but = f"the same value in all but {n} labeled row{'s' * (n > 1)}"
    merged = [name for name in constant if is_rounded(labeled[name])]
    constant = [name for name in constant if name not in merged]
    for names, what in ((empty, "no value"), (constant, "one value only"), (merged, MERGED), (nearly, all_but)):
        if names:
            has = "has" if len(names) == 1 else "have"
            problem = f"{columns_named(names)} {has} {what}"
            finding = Finding("FL016", problem, columns=names, remedy=DropColumns(tuple(map(str, names))))
            words = "without it" if len(names) == 1 else "without them"
            diagnoses.append(Diagnosis(finding, Variant(columns=tuple(names), words=words)))
    return diagnoses


def is_rounded(values: "pd.Series[Any]") -> bool:
    """Whether values are so large that double precision does not tell neighboring whole numbers apart."""
    return pd.api.types.is_float_dtype(values.dtype) and bool((values.abs() > EXACT).all())


def most_frequent(values: "pd.Series[Any]") -> int:
    """How many rows have the most frequent value; a missing one is a value."""
    try:
        counts = values.value_counts(dropna=False)
    except TypeError:  # values without a hash
        counts = values.map(repr).value_counts(dropna=False)
    return int(counts.iloc[0]) if len(counts) else 0
