"""Recognize what the columns of a table hold, and make the preparation that goes inside a candidate.

Inside, so that it is learned anew from the rows of each fit and folds stay honest; outside happens only what no other
row can influence: types, and names for what is missing.

numeric      scaled to mean 0 and variance 1 (to [0, 1] where a model wants no negative values)
boolean      0 or 1
categorical  one column of 0 and 1 per category; a category that was not seen in training is all 0
text         tf-idf with a logarithmic term frequency

A column of strings is *text* when its values rarely repeat (each occurs less than three times on average) and are long
(two words or thirty characters on average, or more); otherwise, and when its type says so, it is *categorical*.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler

from foldless.errors import BadInput

Missing = Literal["error", "impute"]
Kind = Literal["numeric", "boolean", "categorical", "text"]

REPEATS, WORDS, CHARACTERS = 3, 2, 30
DENSE_CATEGORIES = 100  # with more of them, a dense matrix is mostly zeros


@dataclass(frozen=True)
class Columns:
    """The columns of a table by what they hold; ``notes`` are sentences a user should read."""

    kinds: dict[str, Kind]
    missing: Missing = "error"
    n_categories: int = 0
    notes: tuple[str, ...] = field(default=(), compare=False)

    def of(self, kind: Kind) -> list[str]:
        return [name for name, its in self.kinds.items() if its == kind]

    def count(self) -> dict[str, int]:
        """How many columns there are of each kind."""
        return {kind: len(self.of(kind)) for kind in get_args(Kind) if self.of(kind)}

    @property
    def sparse(self) -> bool:
        """Whether the prepared matrix should be sparse."""
        return bool(self.of("text")) or self.n_categories > DENSE_CATEGORIES

    def describe(self) -> str:
        """What is done to the columns, in one sentence."""
        done: dict[Kind, str] = {"numeric": "scaled", "boolean": "as 0 and 1", "categorical": "encoded"}
        parts = [f"{_counted(kind, self.of(kind))} {what}" for kind, what in done.items() if self.of(kind)]
        if text := self.of("text"):
            shown = ", ".join(map(repr, text[:3])) + ", …" * (len(text) > 3)
            parts.append(f"{_counted('text', text)} ({shown}) as tf-idf")
        return "; ".join(parts) + "; missing values imputed" * (self.missing == "impute")


def recognize(frame: pd.DataFrame, source: str, missing: Missing = "error") -> Columns:
    """The kinds of the columns of a table; ``source`` is what messages call it."""
    kinds: dict[str, Kind] = {}
    notes: list[str] = []
    n_categories = 0
    for name, values in frame.items():
        name = str(name)
        family = _family(values)
        if family == "empty":
            raise BadInput(f"column {name!r} of {source} has no value at all: leave it out with --drop {_quoted(name)}")
        if family not in ("numeric", "boolean", "words"):
            raise BadInput(
                f"column {name!r} of {source} holds values of type {family}, which no model reads: "
                f"turn it into numbers, or leave it out with --drop {_quoted(name)}"
            )
        if family != "words":
            kinds[name] = "numeric" if family == "numeric" else "boolean"
            continue
        strings = values[~_absent(values)].astype(str)
        distinct = strings.nunique()
        kinds[name] = "text" if _is_text(values, strings, distinct) else "categorical"
        n_categories += distinct if kinds[name] == "categorical" else 0
        if kinds[name] == "categorical" and distinct == len(values) > 2 * REPEATS:
            notes.append(
                f"column {name!r} has another value in each row of {source}: if it is a mere name of the row, "
                f"leave it out with --drop {_quoted(name)}"
            )
    return Columns(kinds, missing, n_categories, tuple(notes))


def prepare(frame: pd.DataFrame, columns: Columns, source: str, like: str) -> pd.DataFrame:
    """The recognized columns of a table in plain types; an error where it has others than the table ``like``."""
    _check_names(frame, columns, source, like)
    return pd.DataFrame(
        {name: _plain(frame[name], kind, columns.missing, source, like) for name, kind in columns.kinds.items()}
    )


def transformer(columns: Columns, *, nonnegative: bool = False, dense: bool = False) -> ColumnTransformer:
    """The preparation of prepared columns, for a model that may want no negative values or no sparse matrix."""
    sparse = columns.sparse and not dense
    scaler = MinMaxScaler(clip=True) if nonnegative else StandardScaler()
    boolean: Any = "passthrough"
    if columns.missing == "impute":
        scaler = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), scaler)
        boolean = SimpleImputer(strategy="most_frequent", keep_empty_features=True)
    steps: list[tuple[str, Any, Any]] = [
        ("numeric", scaler, columns.of("numeric")),
        ("boolean", boolean, columns.of("boolean")),
        ("categorical", OneHotEncoder(handle_unknown="ignore", sparse_output=sparse), columns.of("categorical")),
        *((f"text {name}", TfidfVectorizer(sublinear_tf=True), name) for name in columns.of("text")),
    ]
    return ColumnTransformer([step for step in steps if step[2]], sparse_threshold=1.0 if sparse else 0.0)


def _is_text(values: "pd.Series[Any]", strings: "pd.Series[str]", distinct: int) -> bool:
    if isinstance(values.dtype, pd.CategoricalDtype) or len(strings) >= REPEATS * distinct:
        return False
    return strings.str.count(r"\S+").mean() >= WORDS or strings.str.len().mean() >= CHARACTERS


def _family(values: "pd.Series[Any]") -> str:
    """Numeric, boolean, words or empty; the name of the type for anything else."""
    dtype = values.dtype
    if values.isna().all():
        return "empty"
    if pd.api.types.is_bool_dtype(dtype) and not isinstance(dtype, pd.CategoricalDtype):
        return "boolean"
    if isinstance(dtype, pd.CategoricalDtype | pd.StringDtype) or pd.api.types.is_object_dtype(dtype):
        return "words"
    if pd.api.types.is_numeric_dtype(dtype):
        return "numeric"
    return str(dtype).removesuffix("[pyarrow]")


def _absent(values: "pd.Series[Any]") -> "pd.Series[bool]":
    """Missing; an empty string is, for no CSV file can tell the two apart."""
    return values.isna() | (values.astype(object) == "") if _family(values) == "words" else values.isna()


def _check_names(frame: pd.DataFrame, columns: Columns, source: str, like: str) -> None:
    lacks = [name for name in columns.kinds if name not in frame]
    if lacks:
        raise BadInput(f"{source} lacks {_some(lacks)} of {like}: add {_them(lacks)}, or use --drop")
    extra = [str(name) for name in frame if name not in columns.kinds]
    if extra:
        raise BadInput(f"{source} has {_some(extra)}, which {like} has not: leave {_them(extra)} out with --drop")


def _plain(values: "pd.Series[Any]", kind: Kind, missing: Missing, source: str, like: str) -> "pd.Series[Any]":
    """Numbers and booleans as float64, the others as strings."""
    name, family = str(values.name), _family(values)
    expected = kind if kind in ("numeric", "boolean") else "words"
    if family not in (expected, "empty"):
        raise BadInput(
            f"column {name!r} is {kind} in {like} and {_said(family)} in {source}{_first_odd(values, kind)}: "
            f"give it the same type in both, or leave it out with --drop {_quoted(name)}"
        )
    absent = _absent(values)
    if absent.any() and missing == "error":
        row = int(np.argmax(absent)) + 1
        raise BadInput(
            f"column {name!r} of {source} has no value in {_counted_rows(int(absent.sum()))}, first in row {row}: "
            f"fill it, or pass --missing impute"
        )
    if expected == "words":
        return values.astype(object).mask(absent, "" if kind == "text" else "missing").map(str).astype(object)
    numbers = pd.Series(values.to_numpy(dtype=np.float64, na_value=np.nan), index=values.index, name=name)
    infinite = np.isinf(numbers)
    if infinite.any():
        row = int(np.argmax(infinite)) + 1
        raise BadInput(
            f"column {name!r} of {source} is infinite in row {row}: replace the value by a number, or leave it empty "
            f"and pass --missing impute"
        )
    return numbers


def _first_odd(values: "pd.Series[Any]", kind: Kind) -> str:
    """The first string where numbers were expected."""
    if kind != "numeric" or _family(values) != "words":
        return ""
    strings = values.astype(object)
    odd = (pd.to_numeric(strings, errors="coerce").isna() & ~_absent(values)).to_numpy()
    return f" ({strings.iloc[int(np.argmax(odd))]!r} in row {int(np.argmax(odd)) + 1})" if odd.any() else ""


def _said(family: str) -> str:
    return {"words": "made of strings"}.get(family, family)


def _counted(kind: str, names: list[str]) -> str:
    return f"{len(names)} {kind} column{'s' * (len(names) > 1)}"


def _counted_rows(n: int) -> str:
    return f"{n} row{'s' * (n > 1)}"


def _them(names: list[str]) -> str:
    return "them" if len(names) > 1 else "it"


def _quoted(name: str) -> str:
    """A column as it is typed in a shell."""
    return name if name.replace("_", "a").replace("-", "a").isalnum() else repr(name)


def _some(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:5])) + f" and {len(names) - 5} more" * (len(names) > 5)
    return f"column{'s' * (len(names) > 1)} {shown}"
