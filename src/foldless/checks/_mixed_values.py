"""FL018: columns that mix numbers with words, or write missing values in several ways, so that numbers become names."""

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData, is_missing
from foldless.checks._variant import Variant
from foldless.checks._wording import listed, shown, table_of
from foldless.core import Array
from foldless.results.finding import Finding

WORDS = {
    "?", "-", "--", ".", "..", "#", "na", "n/a", "n.a.", "#n/a", "nan", "null", "nil", "none", "missing",
    "not available", "unknown", "undefined", "nd", "n.d.", "k.a.", "-1.#ind",
}  # fmt: skip
MOST = 5  # columns with a finding
MOSTLY = 0.5  # of the values, from which on a column is one of numbers


@check("FL018", "mixed types and several words for missing values", kind="tip")
def mixed_values(data: CheckedData) -> list[Diagnosis]:
    """Columns whose values are not of one kind."""
    table_of(data)
    assert data.labeled is not None
    diagnoses: list[Diagnosis] = []
    for name in data.of("categorical", "text", "other"):
        sentence = _of_column(data.labeled[name])
        if sentence and len(diagnoses) < MOST:
            problem = f"column {shown(name)} {sentence}"
            finding = Finding("FL018", problem, columns=[name], remedy="leave cells empty where a value is missing")
            diagnoses.append(Diagnosis(finding, Variant(columns=(name,), words="without it")))
    return diagnoses


def _of_column(values: "pd.Series[Any]") -> str:
    """What is mixed in a column; empty where nothing is."""
    known = values[~is_missing(values)]
    if not len(known):
        return ""
    counts = _counted(known)
    types: Counter[str] = Counter()
    for value, count in counts.items():
        types["words" if isinstance(value, str) else "numbers"] += count
    texts = pd.Series([str(value).strip() for value in counts])
    often = np.fromiter(counts.values(), dtype=float)
    missing = texts.str.lower().isin(WORDS)
    numbers = pd.to_numeric(texts, errors="coerce").notna() & ~missing
    n_numbers = int(often[numbers].sum())
    if len(types) > 1 and not numbers.all():
        return f"holds {types['numbers']:,} numbers and {types['words']:,} words, such as {texts[~numbers].iloc[0]!r}"
    if MOSTLY <= n_numbers / len(known) < 1:
        others = _by_count(texts[~numbers], often[~numbers])
        named = listed([repr(word) for word in others])
        return f"holds {n_numbers:,} numbers and {len(known) - n_numbers:,} other values, such as {named}"
    ways = [f"{word!r} ({count})" for word, count in _by_count(texts[missing], often[missing]).items()]
    empty = len(values) - len(known)
    if len(ways) + bool(empty) > 1:
        return f"writes missing values as {listed([*ways, *([f'empty cells ({empty})'] if empty else [])])}"
    return ""


def _counted(values: "pd.Series[Any]") -> dict[Any, int]:
    """How often each value occurs, in the order of the file: categories have few values in many rows."""
    try:
        counts = values.value_counts(sort=False)
    except TypeError:  # lists and other values without a hash
        counts = values.map(repr).value_counts(sort=False)
    return {value: int(count) for value, count in counts.items()}


def _by_count(texts: "pd.Series[str]", often: Array) -> dict[str, int]:
    """Words with how often they occur, most frequent first."""
    counts: Counter[str] = Counter()
    for text, count in zip(texts, often, strict=True):
        counts[text] += int(count)
    return dict(counts.most_common())
