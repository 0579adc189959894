"""FL018: columns that mix numbers with words, or write missing values in several ways, so that numbers become names."""

from collections import Counter
from typing import Any

import pandas as pd

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData, is_missing
from foldless.checks._variant import Variant
from foldless.checks._wording import listed, shown, table_of
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
    types = Counter("words" if isinstance(value, str) else "numbers" for value in known)
    texts = known.map(str).str.strip()
    numbers = pd.to_numeric(texts, errors="coerce").notna() & ~texts.str.lower().isin(WORDS)
    others = texts[~numbers]
    if len(types) > 1 and len(others):
        return f"holds {types['numbers']:,} numbers and {types['words']:,} words, such as {others.iloc[0]!r}"
    if MOSTLY <= numbers.mean() < 1:
        return f"holds {int(numbers.sum()):,} numbers and {len(others):,} other values, such as {_examples(others)}"
    spelled = Counter(texts[texts.str.lower().isin(WORDS)])
    ways = [f"{word!r} ({count})" for word, count in spelled.most_common()]
    empty = len(values) - len(known)
    if len(ways) + bool(empty) > 1:
        return f"writes missing values as {listed([*ways, *([f'empty cells ({empty})'] if empty else [])])}"
    return ""


def _examples(values: "pd.Series[Any]") -> str:
    return listed([repr(word) for word, _ in Counter(values).most_common()])
