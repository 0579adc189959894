"""Values that another part has and the labels never had: is that chance? Functions of counts.

If n labels and m other rows are independent draws of one population, a value with c rows among all of them has none
among the labels with probability C(n + m − c, n) / C(n + m, n).
"""

from collections.abc import Container, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from scipy.special import gammaln

from foldless.checks._check import DoesNotApply
from foldless.checks._checked_data import CheckedData
from foldless.checks._tables import some_rows
from foldless.checks._wording import table_of
from foldless.core import Array

LEVEL = 0.001
TEXTS = 5000  # texts of each part that are read
Value = TypeVar("Value")


def never_labeled(counts: Array, n: int, m: int) -> Array:
    """The probability that values with so many rows among m others have none among n labels.

    Examples
    --------
    >>> never_labeled(np.array([1, 20]), 60, 240).round(4).tolist()
    [0.8, 0.0098]
    """
    counts = np.asarray(counts, dtype=float)
    left = np.maximum(n + m - counts, n)
    logs = gammaln(left + 1) - gammaln(left - n + 1) - gammaln(n + m + 1) + gammaln(m + 1)
    return np.asarray(np.exp(logs))


def unexpected(counts: Mapping[Value, int], seen: Container[Value], n: int, m: int) -> list[Value]:
    """The values of m others that n labels have not, where chance explains none of them at `LEVEL`."""
    new = [value for value in counts if value not in seen]
    chance = never_labeled(np.array([counts[value] for value in new]), n, m) * len(counts)
    return [value for value, p in zip(new, chance, strict=True) if p < LEVEL]


def columns_of_texts(data: CheckedData) -> Iterator[tuple[str, Any, "pd.Series[Any]", "pd.Series[Any]"]]:
    """Each other part and column of texts, with the texts of the labels and of the part."""
    names = data.of("text")
    if not names or not data.others:
        raise DoesNotApply("there is no column of texts" if not names else "there are no rows beside the labels")
    for part, frame in data.others.items():
        for name in (name for name in names if name in frame):
            labeled, others = table_of(data)[name], some_rows(frame, TEXTS)[name]
            yield part, name, *(some_rows(values.dropna().map(str), TEXTS) for values in (labeled, others))
