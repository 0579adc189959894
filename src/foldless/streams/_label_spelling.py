"""Labels of text files as they are spelled: whole numbers are numbers if each is spelled one way, else all are names.

So 01 stays 01, 007 is another class than 7, and 2⁵³ + 1 is not rounded. What pandas writes for whole numbers beside
missing ones, 1.0, is a number too. The first batch decides; a later label that is spelled otherwise is no class.
"""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from foldless.errors import BadInput
from foldless.io._delimited_batches import MOSTLY, NULLS
from foldless.io._parts import Batch
from foldless.streams._classes import EXACT, classes_of

WHOLE = r"^(0|-?[1-9][0-9]*)(\.0*)?$"
AS_PANDAS_WRITES = pa.array(["True", "False"])
BOOLEANS = pa.array(["true", "false", "True", "False", "TRUE", "FALSE"])
TYPES = {"numeric": pa.float64(), "boolean": pa.bool_()}


def spelled(batch: Batch, label: str, family: str | None) -> Batch:
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
    _check_one_way(numbers, source, label)
    values = [_number(text) for text in others]
    if all(value is not None for value in values):
        if any(value != round(value) for value in values if value is not None):
            classes_of(np.array([*map(float, numbers), *values]), source, label)  # refuses fractions
        return pa.string() if others else pa.float64()
    return pa.float64() if pc.mean(pc.match_substring_regex(there, WHOLE)).as_py() >= MOSTLY else pa.string()


def _check_one_way(numbers: list[str], source: str, label: str) -> None:
    first: dict[float, str] = {}
    for text in numbers:
        other = first.setdefault(float(text), text)
        if other != text:
            raise BadInput(
                f"column {label!r} of {source} spells one label as {other!r} and as {text!r}: spell it one way"
            )


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
