"""Parquet, a folder of Parquet, and Arrow as a file or as a stream."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from foldless.errors import BadInput
from foldless.io.atomic import told
from foldless.io.sources import Source


def read_parquet(source: Source) -> pa.Table:
    """The table of one Parquet file."""
    try:
        with source.arrow() as file, pyarrow.parquet.ParquetFile(file) as parquet:
            return parquet.read()
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"{source.name} is no Parquet file, or it is cut off ({told(error)}): write it again") from error


def read_arrow(source: Source) -> pa.Table:
    """The table of an Arrow file (Feather is one) or of an Arrow stream."""
    head = source.head(6)
    if head.startswith(b"FEA1"):
        raise BadInput(f"{source.name} is a Feather file of version 1: write it again, as version 2")
    try:
        with source.arrow() as file:
            opened = pa.ipc.open_file(file) if head == b"ARROW1" else pa.ipc.open_stream(file)
            table = opened.read_all()
            table.validate(full=True)  # offsets of a damaged file would be followed out of its memory
            return table
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"{source.name} is no Arrow file, or it is cut off ({told(error)}): write it again") from error


def read_folder(folder: Path) -> pa.Table:
    """The Parquet files of a folder, by name, as one table."""
    paths = sorted(path for ending in ("*.parquet", "*.pq") for path in folder.glob(ending) if path.name[0] not in "._")
    if not paths:
        raise BadInput(f"{folder} is a folder without Parquet files: name a file, or a folder of .parquet files")
    parts = [read_parquet(Source(str(path), path)) for path in paths]
    for path, part in zip(paths, parts, strict=True):
        _check_alike(parts[0], paths[0], part, path)
    aligned = [part.select(parts[0].column_names) for part in parts]
    try:
        return pa.concat_tables(aligned, promote_options="permissive")
    except pa.ArrowException:  # dictionaries beside plain strings
        return pa.concat_tables([_decoded(part) for part in aligned], promote_options="permissive")


def _check_alike(first: pa.Table, first_path: Path, other: pa.Table, path: Path) -> None:
    for ours, theirs, here, there in ((first, other, path, first_path), (other, first, first_path, path)):
        lacks = [name for name in ours.column_names if name not in theirs.column_names]
        if lacks:
            raise BadInput(f"{here} lacks the column {lacks[0]!r} of {there}: write both with the same columns")
    for name in first.column_names:
        kinds = [_kind(table.column(name).type) for table in (first, other)]
        if kinds[0] != kinds[1] and "null" not in kinds:
            raise BadInput(
                f"column {name!r} is {kinds[0]} in {first_path} and {kinds[1]} in {path}: write it as one type"
            )


def _kind(dtype: pa.DataType) -> str:
    if pa.types.is_dictionary(dtype):
        return _kind(dtype.value_type)
    if pa.types.is_integer(dtype) or pa.types.is_floating(dtype) or pa.types.is_decimal(dtype):
        return "numeric"
    if pa.types.is_date(dtype) or pa.types.is_timestamp(dtype):
        return "a date"
    return "text" if "string" in str(dtype) and not pa.types.is_nested(dtype) else str(dtype)


def _decoded(table: pa.Table) -> pa.Table:
    plain = [f.with_type(f.type.value_type) if pa.types.is_dictionary(f.type) else f for f in table.schema]
    return table.cast(pa.schema(plain))
