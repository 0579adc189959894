"""Classes of a stream: those of its first rows, or those that were named; every other label is a fault of its row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from foldless.core import Array
from foldless.errors import BadInput, Note, SetArgument

UNSEEN, MISSING = -1, -2
MAX_NAMED = 5  # named in a sentence
FEW = 5  # rows of a class, below which it may be a slip, and shows nothing
EXACT = 2**53  # up to here double precision has every whole number


def raw_labels(column: pa.ChunkedArray, family: str) -> Array:
    """Labels as numbers, booleans or strings; None where there is none."""
    if family in ("numeric", "boolean"):
        return np.array([None if value != value else value for value in _plain(column).to_pylist()], dtype=object)
    return np.array([text or None for text in column.cast(pa.string()).to_pylist()], dtype=object)


def codes_of(column: pa.ChunkedArray, family: str, classes: Array) -> Array:
    """The position of each label among the classes, `UNSEEN` or `MISSING`; integers as they are written."""
    labels, values = _plain(column), classes.tolist()
    if pa.types.is_floating(labels.type) and family == "numeric":
        known = pa.array([float(value) if abs(value) <= EXACT else None for value in values])
        none = np.isnan(labels.to_numpy())
    else:
        labels = labels.cast(pa.string()).fill_null("")
        known = pa.array([str(value).lower() if family == "boolean" else str(value) for value in values])
        none = pa.compute.equal(labels, "").to_numpy()
    codes = pa.compute.index_in(labels, known, skip_nulls=True)
    return np.where(none, MISSING, codes.fill_null(UNSEEN).to_numpy())


def check_exact(classes: Array, source: str, label: str) -> None:
    """Whether classes can be told apart in a text file, where numbers are read in double precision."""
    large = [value for value in classes.tolist() if isinstance(value, int) and abs(value) > EXACT]
    if large:
        raise BadInput(
            f"column {label!r} of {source} holds the label {large[0]}, and numbers above {EXACT} are rounded in text "
            f"files: write Parquet, or put a letter before each label"
        )


def classes_of(labels: Array, source: str, label: str) -> Array:
    """The classes among labels, in their order: whole numbers, booleans, or strings."""
    distinct = sorted(set(labels))
    fractions = [value for value in distinct if isinstance(value, float) and not value.is_integer()]
    if fractions:
        raise BadInput(
            f"column {label!r} of {source} holds {fractions[0]!r}, and labels are names or whole numbers",
            value=fractions[0],
            place=source,
            remedy=SetArgument("label", to="name a column of classes"),
        )
    if len(distinct) < 2:
        raise BadInput(
            f"the first rows of {source} have no class but {', '.join(map(repr, distinct))} in column {label!r}",
            place=source,
            remedy=(SetArgument("classes", to="name all classes"), "shuffle the rows"),
        )
    return np.array([int(value) if isinstance(value, float) else value for value in distinct])


def rare(codes: Array, classes: Array, rows: Sequence[str], label: str) -> list[str]:
    """A sentence for each class that few of the first rows have; ``rows`` are what they are called."""
    counts = np.bincount(codes, minlength=len(classes))
    few = np.flatnonzero(counts < FEW).tolist()
    sentences: list[str] = [
        Note(
            f"{classes[at].item()!r} in column {label!r} has {counts[at]} of the first {len(codes):,} rows ("
            f"{rows[int(np.argmax(codes == at))]}) and is treated as a class",
            remedy=SetArgument("classes", to="if it is not a class, name all classes"),
        )
        for at in few[:MAX_NAMED]
    ]
    more = len(few) - len(sentences)
    return sentences + [f"{more:,} more classes have fewer than {FEW} of the first rows"] * (more > 0)


def named_classes(texts: Sequence[str], family: str) -> Array:
    """Classes as they were typed, in the type of the label column."""
    values: list[Any] = [text.lower() == "true" for text in texts] if family == "boolean" else list(texts)
    if family == "numeric":
        try:
            values = [int(text) for text in texts]
        except ValueError as error:
            raise BadInput(f"the classes {','.join(texts)} are not whole numbers, and the labels are") from error
    classes = np.array(sorted(set(values)))
    if len(classes) < 2:
        raise BadInput(f"only the class {','.join(texts)} is named: name all classes")
    return classes


def some(classes: Array) -> str:
    """The first few classes in a sentence."""
    shown = ", ".join(repr(value) for value in classes[:MAX_NAMED].tolist())
    return shown + f" and {len(classes) - MAX_NAMED} more" * (len(classes) > MAX_NAMED)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column without its dictionary, if it has one; numbers that are not whole in double precision."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    fractional = pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return column.cast(pa.float64() if fractional else kind)
