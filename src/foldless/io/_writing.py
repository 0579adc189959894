"""Tables into files, whole or not at all."""

import datetime
import gzip
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from foldless.core._plain import plain_value
from foldless.errors import BadInput
from foldless.io._atomic import check_place, placed, reason, resolved
from foldless.io._formats import Format, check_known
from foldless.io._parts import MARKS
from foldless.io._sources import Codec


def check_target(path: str | Path) -> None:
    """Refuse a place where no table can be written, before any work is done."""
    check_known(Path(path), "written")
    check_place(path)


def write_table(frame: pd.DataFrame, path: str | Path) -> None:
    kind, codec = check_known(resolved(path), "written")
    with placed(path) as beside:
        if kind == "parquet":
            with _in_format(kind):
                frame.to_parquet(beside, index=False)
        else:
            with packed(beside, codec) as file:
                write_text(frame, file, kind)


def write_text(frame: pd.DataFrame, file: Any, kind: Format) -> None:
    with _in_format(kind):
        if kind != "jsonl":
            frame.to_csv(file, index=False, sep=MARKS[kind], lineterminator="\n")
            return
        columns = [values.astype(object).tolist() for _, values in frame.items()]
        for at in range(len(frame)):
            row = {str(name): _plain(values[at]) for name, values in zip(frame, columns, strict=True)}
            file.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")


@contextmanager
def _in_format(kind: Format) -> Iterator[None]:
    """Values that a format cannot hold, such as dates in an unknown time zone, are an error of one sentence."""
    try:
        yield
    except (OverflowError, ValueError, KeyError, NotImplementedError) as error:
        raise BadInput(f"the table cannot be written as {kind} ({reason(error)}): name another format") from error


def write_lines(lines: Iterable[bytes], path: str | Path) -> None:
    codec = check_known(resolved(path), "written")[1]
    with placed(path) as beside, packed(beside, codec) as file:
        for line in lines:
            file.buffer.write(line)


@contextmanager
def packed(path: Path, codec: Codec | None) -> Iterator[io.TextIOWrapper]:
    """A text file that is compressed on its way."""
    with path.open("wb") as raw:
        if codec is None:
            packed: Any = raw
        elif codec == "gzip":
            packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0)  # the same table, the same bytes
        else:
            packed = pa.CompressedOutputStream(pa.PythonFile(raw, "w"), codec)
        with io.TextIOWrapper(packed, encoding="utf-8", newline="") as text:
            yield text


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    if pd.isna(value):
        return None
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else plain_value(value)


def write_blocks(tables: Iterator[pa.Table], path: str | Path) -> None:
    """Put tables of one schema under each other in their place."""
    kind, codec = check_known(Path(path).resolve(), "written")
    first = next(tables)
    every = chain([first], tables)
    with placed(path) as beside:
        try:
            if kind == "parquet":
                with pyarrow.parquet.ParquetWriter(beside, first.schema) as writer:
                    _write_all(writer, every)
                return
            with packed(beside, codec) as file:
                if kind == "jsonl":
                    for table in every:
                        write_text(table.to_pandas(), file, kind)
                    return
                options = pyarrow.csv.WriteOptions(delimiter=MARKS[kind], quoting_style="needed")
                with pyarrow.csv.CSVWriter(file.buffer, first.schema, write_options=options) as writer:
                    _write_all(writer, every)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise BadInput(f"the table cannot be written as {kind} ({reason(error)}): name another format") from error


def _write_all(writer: Any, tables: Iterator[pa.Table]) -> None:
    for table in tables:
        writer.write_table(table)
