"""The rows of a batch that can be learned from, and why the others cannot.

What comes out is what `foldless.data._columns.prepare` makes of a table, so that a model of a stream reads tables too;
numbers and strings, which most columns are, go there on a shorter way.
"""

import datetime
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute

from foldless.core import Array
from foldless.data._columns import moments, prepare
from foldless.data._features import with_columns
from foldless.errors import BadInput, SetArgument, some
from foldless.io._atomic import reason
from foldless.io._faults import Fault
from foldless.io._parts import StreamBatch
from foldless.io._table import table_of
from foldless.streams._classes import MISSING, codes_of, raw_labels
from foldless.streams._schemas import NOUNS, StreamSchema

UNREADABLE = (OverflowError, ValueError, KeyError, pa.ArrowException)  # of time zones and dates that nobody knows
EPOCH = datetime.date(1970, 1, 1).toordinal()
FIRST_DAY, LAST_DAY = (date.toordinal() - EPOCH for date in (datetime.date.min, datetime.date.max))


@dataclass(frozen=True, eq=False)
class Clean:
    """Prepared rows with their numbers, and the faults of the others.

    ``labels`` are class codes; the labels themselves as long as no classes are known; empty where no label is read.
    """

    source: str
    rows: Array
    frame: pd.DataFrame
    labels: Array
    faults: list[Fault]

    def names(self) -> list[str]:
        return [f"row {row} of {self.source}" for row in self.rows.tolist()]

    def __len__(self) -> int:
        return len(self.frame)


def clean(batch: StreamBatch, schema: StreamSchema, classes: Array | None = None) -> Clean:
    """Take the faulty rows out of a batch. Without ``classes`` every label is a class."""
    if not len(batch.rows):
        nothing = np.array([], dtype=int)
        empty = pd.DataFrame(columns=list(schema.columns.kinds))
        return Clean(batch.source, nothing, empty, nothing, list(batch.faults))
    faulty: dict[int, Fault] = {}
    rows = batch.rows
    labels = np.array([], dtype=int) if schema.label is None else _labels(batch, schema, classes, faulty)
    numbers = _numbers(batch, schema, faulty)
    words = {name: _strings(batch, name, schema, faulty) for name in _plain_words(schema)}
    frame, others = with_columns(numbers, words) if words else numbers, _others(batch, schema, faulty)
    faults = sorted([*batch.faults, *faulty.values()], key=lambda fault: fault.row or 0)
    if faulty:
        kept = np.ones(len(batch.rows), dtype=bool)
        kept[list(faulty)] = False
        rows, labels = rows[kept], labels[kept] if len(labels) else labels
        frame, others = (part[kept].reset_index(drop=True) for part in (frame, others))
    if len(others.columns) and len(others):
        kinds = {name: kind for name, kind in schema.columns.kinds.items() if name in others}
        others = prepare(others, replace(schema.columns, kinds=kinds), batch.source, "the first rows")
    frame = pd.concat([frame, others], axis=1) if len(others.columns) else frame
    return Clean(batch.source, rows, frame, labels, faults)


def _labels(batch: StreamBatch, schema: StreamSchema, classes: Array | None, faulty: dict[int, Fault]) -> Array:
    label = str(schema.label)
    column, family, odd = batch.table.column(label), schema.families[label], batch.odd.get(label, {})
    try:
        labels = raw_labels(column, family) if classes is None else codes_of(column, family, classes)
    except UNREADABLE as error:
        what = f"column {label!r} of {batch.source} holds labels that cannot be read ({reason(error)})"
        raise BadInput(what, place=batch.source, remedy="write them as text") from error
    codes = np.where([value is None for value in labels], MISSING, 0) if classes is None else labels
    for at in np.flatnonzero(codes < 0).tolist():
        if codes[at] == MISSING and at not in odd:
            faulty[at] = batch.fault(at, "missing label", f"has no label in column {label!r}")
        else:
            value = odd[at] if at in odd else column[at].as_py()
            known = "" if classes is None else f", which is not one of the classes {some(classes.tolist())}"
            faulty[at] = batch.fault(at, "unseen class", f"has the label {value!r}{known}")
    return labels


def _numbers(batch: StreamBatch, schema: StreamSchema, faulty: dict[int, Fault]) -> pd.DataFrame:
    names = [name for name, kind in schema.columns.kinds.items() if kind in ("numeric", "boolean")]
    block = np.empty((len(batch.rows), len(names)))
    for at, name in enumerate(names):
        column = batch.table.column(name)
        narrow = column.cast(pa.int8()) if pa.types.is_boolean(column.type) else column
        block[:, at] = narrow.cast(pa.float64(), safe=False).to_numpy()  # null is NaN; large integers are rounded
    for at in np.flatnonzero(~np.isfinite(block).all(axis=0)).tolist():
        _check_odd(batch, names[at], schema, faulty)
        _check_absent(batch, names[at], np.isnan(block[:, at]), schema, faulty)
        for row in np.flatnonzero(np.isinf(block[:, at])).tolist():
            faulty.setdefault(row, batch.fault(row, "value", f"is infinite in column {names[at]!r}"))
    return pd.DataFrame(block, columns=names, copy=False)


def _plain_words(schema: StreamSchema) -> list[str]:
    kinds = schema.columns.kinds
    return [
        name for name, kind in kinds.items() if kind in ("categorical", "text") and schema.families[name] == "words"
    ]


def _strings(batch: StreamBatch, name: str, schema: StreamSchema, faulty: dict[int, Fault]) -> Array:
    """A column of names or texts; an empty one is missing."""
    column = batch.table.column(name)
    strings = column.cast(pa.string()).fill_null("").to_numpy(zero_copy_only=False).astype(object)
    absent = strings == ""
    if absent.any():
        _check_absent(batch, name, absent, schema, faulty)
        strings[absent] = "" if schema.columns.kinds[name] == "text" else "missing"
    return strings


def _others(batch: StreamBatch, schema: StreamSchema, faulty: dict[int, Fault]) -> pd.DataFrame:
    """Dates, and categories that are written as numbers, as they were read."""
    short = {*_plain_words(schema)}
    kinds = schema.columns.kinds
    names = [name for name in kinds if name not in short and kinds[name] not in ("numeric", "boolean")]
    if not names:
        return pd.DataFrame(index=range(len(batch.rows)))
    frame = table_of(batch.source, _dates_of_python(batch, names, faulty)).frame
    for name in names:
        _check_odd(batch, name, schema, faulty)
        values = frame[name]
        try:
            absent = (values.isna() | (values.astype(object) == "")).to_numpy(dtype=bool)
            unread = moments(values).isna().to_numpy() & ~absent if kinds[name] == "date" else np.zeros_like(absent)
        except UNREADABLE as error:
            what = f"column {name!r} of {batch.source} holds values that cannot be read ({reason(error)})"
            raise BadInput(what, place=batch.source, remedy=SetArgument("drop", name, to="leave it out")) from error
        _check_absent(batch, name, absent, schema, faulty)
        for row in np.flatnonzero(unread).tolist():
            what = f"holds {values.iloc[row]!r} in column {name!r}, which holds dates"
            faulty.setdefault(row, batch.fault(row, "value", what))
    return frame


def _dates_of_python(batch: StreamBatch, names: list[str], faulty: dict[int, Fault]) -> pa.Table:
    """Some columns of a batch; dates of years that Python does not have are faults of their rows."""
    table = batch.table.select(names)
    for at, name in enumerate(names):
        column = table.column(name)
        if pa.types.is_date(column.type):
            if column.type == pa.date32():
                days = column.cast(pa.int32())
            else:  # in milliseconds
                days = pa.compute.divide(column.cast(pa.int64()), 86_400_000)
            sound = pa.compute.and_(
                pa.compute.greater_equal(days, FIRST_DAY), pa.compute.less_equal(days, LAST_DAY)
            ).fill_null(True)  # fmt: skip
            beyond = np.flatnonzero(~sound.to_numpy()).tolist()
            for row in beyond:
                what = f"holds a date beyond the years 1 to 9999 in column {name!r}"
                faulty.setdefault(row, batch.fault(row, "value", what))
            if beyond:
                table = table.set_column(at, name, pa.compute.if_else(sound, column, pa.scalar(None, column.type)))
    return table


def _check_odd(batch: StreamBatch, name: str, schema: StreamSchema, faulty: dict[int, Fault]) -> None:
    """Cells that are not of the type of their column."""
    noun = NOUNS.get(schema.families[name], f"values of type {schema.families[name]}")
    for row, text in batch.odd.get(name, {}).items():
        faulty.setdefault(row, batch.fault(row, "value", f"holds {text!r} in column {name!r}, which holds {noun}"))


def _check_absent(batch: StreamBatch, name: str, absent: Any, schema: StreamSchema, faulty: dict[int, Fault]) -> None:
    if schema.columns.missing == "error":
        for row in np.flatnonzero(absent).tolist():
            faulty.setdefault(row, batch.fault(row, "missing value", f"has no value in column {name!r}"))
