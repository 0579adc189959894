"""FL018: columns that mix numbers or dates with words, or write missing values or dates in several ways.

Numbers and dates become names there. Infinite numbers are named too: no model reads them.
"""

import re
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData, Variant, as_floats, is_missing
from foldless.checks._wording import listed, shown, table_of
from foldless.core import Array
from foldless.results.finding import Finding

WORDS = {
    "?", "-", "--", ".", "..", "#", "na", "n/a", "n.a.", "#n/a", "nan", "null", "nil", "none", "missing",
    "not available", "unknown", "undefined", "nd", "n.d.", "k.a.", "-1.#ind",
}  # fmt: skip
_TIME = r"(,? ?T?\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[ap]m)?)?"
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
DATES = {
    form: re.compile(f"(?:{pattern}){_TIME}", re.IGNORECASE)
    for form, pattern in {
        "2026-01-31": r"\d{4}-\d\d-\d\d", "2026/01/31": r"\d{4}([/.])\d{1,2}\1\d{1,2}",
        "31/01/2026": r"\d{1,2}([/-])\d{1,2}\1(\d{4}|\d\d)", "31.01.2026": r"\d{1,2}\.\d{1,2}\.\d{4}|\d\d\.\d\d\.\d\d",
        "31 January 2026": rf"\d{{1,2}}\.?[ -]{_MONTH}[ ,-]+\d{{2,4}}",
        "January 31, 2026": rf"{_MONTH} \d{{1,2}},? \d{{4}}",
    }.items()
}  # fmt: skip
NOT_READ = "holds dates that are not read as dates"
LEAVE_EMPTY = "leave cells empty where a value is missing"
MOST = 5  # columns with a finding
MOSTLY = 0.5  # of the values, from which on a column is one of numbers


@check("FL018", "mixed types and several words for missing values", kind="tip")
def mixed_values(data: CheckedData) -> list[Diagnosis]:
    labeled = table_of(data)
    diagnoses: list[Diagnosis] = []
    for name in data.of("categorical", "text", "other", "numeric"):
        values = labeled[name]
        sentence, remedy = _infinite(values) if data.kinds[name] == "numeric" else _of_column(values)
        if sentence and len(diagnoses) < MOST:
            finding = Finding("FL018", f"column {shown(name)} {sentence}", columns=[name], remedy=remedy)
            diagnoses.append(Diagnosis(finding, Variant(columns=(name,), words="without it")))
    return diagnoses


def _infinite(values: "pd.Series[Any]") -> tuple[str, str]:
    """The same of numbers: infinite ones, which no model reads."""
    n = int(np.isinf(as_floats(values)).sum())
    return f"holds {n:,} infinite number{'s' * (n > 1)}" if n else "", LEAVE_EMPTY


def _of_column(values: "pd.Series[Any]") -> tuple[str, str]:
    """What is mixed in a column, and what to do; empty where nothing is."""
    known = values[~is_missing(values)]
    if not len(known):
        return "", ""
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
        first = texts[~numbers].iloc[0]
        return f"holds {types['numbers']:,} numbers and {types['words']:,} words, such as {first!r}", LEAVE_EMPTY
    if MOSTLY <= n_numbers / len(known) < 1:
        others = _by_count(texts[~numbers], often[~numbers])
        named = listed([repr(word) for word in others])
        return f"holds {n_numbers:,} numbers and {len(known) - n_numbers:,} other values, such as {named}", LEAVE_EMPTY
    if of_dates := _of_dates(texts, often):
        return of_dates, "write dates as 2026-01-31: others are taken as names"
    ways = [f"{word!r} ({count})" for word, count in _by_count(texts[missing], often[missing]).items()]
    empty = len(values) - len(known)
    if len(ways) + bool(empty) > 1:
        named = listed([*ways, *([f"empty cells ({empty})"] if empty else [])])
        return f"writes missing values as {named}", LEAVE_EMPTY
    return "", ""


def _of_dates(texts: "pd.Series[str]", often: Array) -> str:
    """What is wrong with a column of dates that is not read as one; empty where most values are no dates."""
    forms = texts.map(_form)
    dates = forms.notna()
    n, others = int(often[dates].sum()), int(often[~dates].sum())
    if n < MOSTLY * (n + others):
        return ""
    if others:
        named = listed([repr(word) for word in _by_count(texts[~dates], often[~dates])])
        return f"holds {n:,} dates and {others:,} other value{'s' * (others > 1)}, such as {named}"
    several = forms.nunique() > 1
    named = listed([repr(text) for text in (texts.groupby(forms, sort=False).first() if several else texts)])
    return f"holds dates in {forms.nunique()} forms, such as {named}" if several else f"{NOT_READ}, such as {named}"


def _form(text: str) -> str | None:
    """The form in which a date is written; None for what is no date."""
    return next((form for form, pattern in DATES.items() if pattern.fullmatch(text)), None)


def _counted(values: "pd.Series[Any]") -> dict[Any, int]:
    """How often each value occurs, in the order of the file: categories have few values in many rows."""
    try:
        return {value: int(count) for value, count in values.value_counts(sort=False).items()}
    except TypeError:  # lists and other values without a hash
        return _counted(values.map(repr))


def _by_count(texts: "pd.Series[str]", often: Array) -> dict[str, int]:
    """Words with how often they occur, most frequent first."""
    counts: Counter[str] = Counter()
    for text, count in zip(texts, often, strict=True):
        counts[text] += int(count)
    return dict(counts.most_common())
