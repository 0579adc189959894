"""Classes of a stream: those of its first rows, or those that were named; every other label is a fault of its row.

Labels of text files count as they are spelled: whole numbers are numbers if each is spelled one way, else all are
names. So 01 stays 01, 007 is another class than 7, and 2⁵³ + 1 is not rounded. What pandas writes for whole numbers
beside missing ones, 1.0, is a number too. The first batch decides; a later label that is spelled otherwise is no class.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from foldless.core import Array
from foldless.errors import BadInput, Note, SetArgument
from foldless.io._delimited_batches import MOSTLY
from foldless.io._dialect import NULLS
from foldless.io._parts import StreamBatch

UNSEEN, MISSING = -1, -2
MAX_NAMED = 5  # named in a sentence
FEW = 5  # rows of a class, below which it may be a slip, and shows nothing
EXACT = 2**53  # up to here double precision has every whole number
WHOLE = r"^(0|-?[1-9][0-9]*)(\.0*)?$"
AS_PANDAS_WRITES = pa.array(["True", "False"])
BOOLEANS = pa.array(["true", "false", "True", "False", "TRUE", "FALSE"])
TYPES = {"numeric": pa.float64(), "boolean": pa.bool_()}


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
        none = pc.equal(labels, "").to_numpy()
    codes = pc.index_in(labels, known, skip_nulls=True)
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


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column without its dictionary, if it has one; numbers that are not whole in double precision."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    fractional = pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return column.cast(pa.float64() if fractional else kind)


def spelled(batch: StreamBatch, label: str, family: str | None) -> StreamBatch:
    """A batch whose label column was read as text, in the type of the family; of the first one where there is none."""
    at = batch.table.column_names.index(label) if label in batch.table.column_names else -1
    if at < 0 or not pa.types.is_string(batch.table.schema.field(at).type):
        return batch
    texts = batch.table.column(at).combine_chunks()
    wanted = _type(texts, batch.source, label) if family is None else TYPES.get(family, pa.string())
    if wanted == pa.string():
        return batch
    column, odd = _cast(texts, wanted)
    table = batch.table.set_column(at, label, column)
    return replace(batch, table=table, odd={**batch.odd, **({label: odd} if odd else {})})


def _type(texts: pa.Array, source: str, label: str) -> pa.DataType:
    """The type that labels show by how they are spelled."""
    there = texts.filter(pc.invert(pc.is_in(texts, NULLS)))
    spellings = pc.unique(there)
    if not len(spellings):
        return pa.null()
    if pc.all(pc.is_in(spellings, AS_PANDAS_WRITES)).as_py():
        return pa.bool_()
    whole = pc.match_substring_regex(spellings, WHOLE)
    numbers, others = spellings.filter(whole).to_pylist(), spellings.filter(pc.invert(whole)).to_pylist()
    if any(abs(float(text)) >= EXACT for text in numbers):
        return pa.string()
    first: dict[float, str] = {}
    for text in numbers:
        if (other := first.setdefault(float(text), text)) != text:
            raise BadInput(
                f"column {label!r} of {source} spells one label as {other!r} and as {text!r}: spell it one way"
            )
    values = [_number(text) for text in others]
    if all(value is not None for value in values):
        if any(value != round(value) for value in values if value is not None):
            classes_of(np.array([*map(float, numbers), *values]), source, label)  # refuses fractions
        return pa.string() if others else pa.float64()
    return pa.float64() if pc.mean(pc.match_substring_regex(there, WHOLE)).as_py() >= MOSTLY else pa.string()


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _cast(texts: pa.Array, wanted: pa.DataType) -> tuple[pa.Array, dict[int, str]]:
    """Labels in their type; those that are spelled otherwise are null, and given beside them."""
    if wanted == pa.null():
        return pa.nulls(len(texts)), {}
    absent = pc.is_in(texts, NULLS)
    fits = pc.is_in(texts, BOOLEANS) if wanted == pa.bool_() else pc.match_substring_regex(texts, WHOLE)
    odd = pc.invert(pc.or_(fits, absent)).to_numpy(zero_copy_only=False)
    kept = pc.if_else(fits, texts, pa.scalar(None, pa.string()))
    return kept.cast(wanted), {int(at): texts[int(at)].as_py() for at in np.flatnonzero(odd)}
