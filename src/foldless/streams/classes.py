"""Classes of a stream: those of its first rows, or those that were named; every other label is a fault of its row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from foldless.core import Array
from foldless.errors import BadInput

UNSEEN, MISSING = -1, -2
MOST = 5  # named in a sentence


def raw_labels(column: pa.ChunkedArray, family: str) -> Array:
    """Labels as numbers, booleans or strings; None where there is none."""
    if family in ("numeric", "boolean"):
        return np.array([None if value != value else value for value in column.to_pylist()], dtype=object)
    return np.array([text or None for text in column.cast(pa.string()).to_pylist()], dtype=object)


def codes_of(column: pa.ChunkedArray, family: str, classes: Array) -> Array:
    """The position of each label among the classes, `UNSEEN` or `MISSING`."""
    if family in ("numeric", "boolean"):
        narrow = column.cast(pa.int8()) if family == "boolean" else column
        numbers = narrow.cast(pa.float64()).to_numpy()
        known = classes.astype(np.float64)
        at = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
        return np.where(np.isnan(numbers), MISSING, np.where(known[at] == numbers, at, UNSEEN))
    strings = column.cast(pa.string())
    codes = pa.compute.index_in(strings, pa.array(classes.tolist(), pa.string()))
    none = pa.compute.equal(strings.fill_null(""), "").to_numpy()
    return np.where(none, MISSING, codes.fill_null(UNSEEN).to_numpy())


def classes_of(labels: Array, source: str, label: str) -> Array:
    """The classes among labels, in their order: whole numbers, booleans, or strings."""
    distinct = sorted(set(labels))
    fractions = [value for value in distinct if isinstance(value, float) and not value.is_integer()]
    if fractions:
        raise BadInput(
            f"column {label!r} of {source} holds {fractions[0]!r}: labels are names or whole numbers, name a column of "
            f"classes with --label"
        )
    if len(distinct) < 2:
        raise BadInput(
            f"the first rows of {source} have no class but {', '.join(map(repr, distinct))} in column {label!r}: name "
            f"all classes with --classes, or shuffle the rows"
        )
    return np.array([int(value) if isinstance(value, float) else value for value in distinct])


def named_classes(texts: Sequence[str], family: str) -> Array:
    """Classes as they were typed, in the type of the label column."""
    values: list[Any] = [text.lower() == "true" for text in texts] if family == "boolean" else list(texts)
    if family == "numeric":
        try:
            values = [int(text) for text in texts]
        except ValueError as error:
            raise BadInput(f"--classes {','.join(texts)} names no whole numbers, which the labels are") from error
    classes = np.array(sorted(set(values)))
    if len(classes) < 2:
        raise BadInput(f"--classes {','.join(texts)} names one class only: name all, with commas between")
    return classes


def some(classes: Array) -> str:
    """The first few classes in a sentence."""
    shown = ", ".join(repr(value) for value in classes[:MOST].tolist())
    return shown + f" and {len(classes) - MOST} more" * (len(classes) > MOST)
