"""Tables into one file, block by block: whole or not at all, and never all of it in memory."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from foldless.errors import BadInput
from foldless.io._atomic import placed, reason
from foldless.io._formats import check_known
from foldless.io._parts import MARKS
from foldless.io._writing import packed, write_text


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
