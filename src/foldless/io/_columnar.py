"""Parquet, a folder of Parquet, and Arrow as a file or as a stream.

All readers take the same files of a folder: those named .parquet or .pq at any depth, by name, without what is hidden
or begins with an underscore. Folders named ``day=1`` are hive partitions: `pyarrow.dataset` reads a column ``day`` from
them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from foldless.errors import BadInput
from foldless.io._atomic import reason
from foldless.io._sources import Source, opened_by_arrow
from foldless.io._table import check_names, check_width

ENDINGS = ("*.parquet", "*.pq")


def read_parquet(source: Source) -> pa.Table:
    from pyarrow.parquet import ParquetFile  # slow to import, and for Parquet only

    with undamaged(source.name), source.arrow() as file, ParquetFile(file) as parquet:
        check_width(source.name, len(parquet.schema_arrow.names))
        return parquet.read()


@contextmanager
def undamaged(name: object) -> Iterator[None]:
    """While Parquet is read: what pyarrow raises about a file that is damaged, or another one, is one sentence."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"{name} is not a Parquet file, or it is truncated ({reason(error)}): write it again") from error


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
        raise BadInput(
            f"{source.name} is not an Arrow file, or it is truncated ({reason(error)}): write it again"
        ) from error


def read_folder(folder: Path) -> pa.Table:
    """The Parquet files of a folder, in the order of their names, as one table; names of folders may add columns."""
    files = files_of(folder)
    schemas = [footer(file.path).schema.to_arrow_schema() for file in files]
    schema = common_schema(schemas, [file.path for file in files])
    return pa.concat_tables([with_partition(_read(file.path, schema), file.partition) for file in files])


def common_schema(schemas: Sequence[pa.Schema], paths: Sequence[Path]) -> pa.Schema:
    """The columns that all files have, in types that hold the values of each; an error names the file that differs."""
    for path, schema in zip(paths, schemas, strict=True):
        _check_alike(schemas[0], paths[0], schema, path)
    return pa.schema([_common(name, [schema.field(name).type for schema in schemas]) for name in schemas[0].names])


def with_partition(
    table: pa.Table, partition: Mapping[str, pa.Scalar], names: Collection[str] | None = None
) -> pa.Table:
    """A table with the columns that its folders name, all of them or only some; its own columns come first."""
    for name, value in partition.items():
        if name not in table.column_names and (names is None or name in names):
            table = table.append_column(pa.field(name, value.type), pa.repeat(value, len(table)))
    return table


def footer(path: Path) -> Any:
    from pyarrow.parquet import read_metadata

    with undamaged(path), opened_by_arrow(path) as file:
        metadata = read_metadata(file)
        names = metadata.schema.to_arrow_schema().names
    check_names(str(path), names)
    return metadata


def _read(path: Path, schema: pa.Schema) -> pa.Table:
    """A file of a folder, in the types that all its files have in common."""
    from pyarrow.dataset import dataset  # slow to import, and for folders only

    try:
        with undamaged(path):
            return dataset(str(path), schema=schema, format="parquet").to_table()
    except UnicodeEncodeError as error:
        raise BadInput(f"the name of {path} is not UTF-8: rename it") from error


def _common(name: str, types: Sequence[pa.DataType]) -> pa.Field:
    """A column in a type that holds the values of all files; dictionaries beside plain strings are strings."""
    if all(dtype == types[0] for dtype in types):
        return pa.field(name, types[0])
    plain = [dtype.value_type if pa.types.is_dictionary(dtype) else dtype for dtype in types]
    schemas = [pa.schema([(name, dtype)]) for dtype in plain]
    common = pa.unify_schemas(schemas, promote_options="permissive").field(name)
    if all(pa.types.is_dictionary(dtype) for dtype in types):
        return pa.field(name, pa.dictionary(pa.int32(), common.type))
    return common


def _check_alike(first: pa.Schema, first_path: Path, other: pa.Schema, path: Path) -> None:
    for ours, theirs, here, there in ((first, other, path, first_path), (other, first, first_path, path)):
        lacks = [name for name in ours.names if name not in theirs.names]
        if lacks:
            raise BadInput(f"{here} lacks the column {lacks[0]!r} of {there}: write both with the same columns")
    for name in first.names:
        kinds = [family_of(schema.field(name).type) for schema in (first, other)]
        if kinds[0] != kinds[1] and "empty" not in kinds:
            kinds = [{"date": "a date", "words": "text"}.get(kind, kind) for kind in kinds]
            raise BadInput(
                f"column {name!r} is {kinds[0]} in {first_path} and {kinds[1]} in {path}: write it as one type"
            )


def family_of(dtype: pa.DataType) -> str:
    """Numeric, boolean, date, words or empty; the name of the type for anything else."""
    if pa.types.is_dictionary(dtype):
        return family_of(dtype.value_type)
    if pa.types.is_integer(dtype) or pa.types.is_floating(dtype) or pa.types.is_decimal(dtype):
        return "numeric"
    if pa.types.is_date(dtype) or pa.types.is_timestamp(dtype):
        return "date"
    names: dict[Any, str] = {pa.bool_(): "boolean", pa.null(): "empty"}
    return names.get(dtype, "words" if "string" in str(dtype) and not pa.types.is_nested(dtype) else str(dtype))


@dataclass(frozen=True)
class FolderFile:
    """A Parquet file of a folder, and the values of its partition columns."""

    path: Path
    partition: dict[str, pa.Scalar] = field(default_factory=dict, compare=False)


def files_of(folder: Path) -> list[FolderFile]:
    """The Parquet files of a folder, at any depth, by name."""
    named = (path for ending in ENDINGS for path in folder.rglob(ending) if not _hidden(path, folder))
    paths = sorted(path for path in named if path.is_file())  # a folder may be named like a file
    if not paths:
        raise BadInput(
            f"{folder} is a folder without Parquet files", place=str(folder),
            remedy=("name a file", "name a folder of .parquet files"),
        )  # fmt: skip
    if not any("=" in name for path in paths for name in path.relative_to(folder).parts[:-1]):
        return [FolderFile(path) for path in paths]
    return _partitioned(folder, paths)


def others_of(folder: Path) -> list[str]:
    """The names of the files of a folder, at any depth, that `files_of` leaves out, without what is hidden."""
    every = (path for path in folder.rglob("*") if path.is_file() and not _hidden(path, folder))
    return sorted(str(path.relative_to(folder)) for path in every if path.suffix not in (".parquet", ".pq"))


def _partitioned(folder: Path, paths: Sequence[Path]) -> list[FolderFile]:
    """The files with the columns of their folders; a column is integer where all its values are, else text."""
    inside = [path.relative_to(folder) for path in paths]
    names = dict.fromkeys(
        part.partition("=")[0] for path in inside for part in path.parts[:-1] if "=" in part.strip("=")
    )
    from pyarrow.dataset import HivePartitioning, get_partition_keys  # slow to import, and for folders only

    hive = HivePartitioning(pa.schema([(name, pa.string()) for name in names]))
    keys = [get_partition_keys(hive.parse(path.as_posix())) for path in inside]
    columns = {name: _typed(pa.array([values.get(name) for values in keys], pa.string())) for name in names}
    return [FolderFile(path, {name: columns[name][at] for name in names}) for at, path in enumerate(paths)]


def _typed(values: pa.Array) -> pa.Array:
    try:
        return values.cast(pa.int64())
    except pa.ArrowInvalid:
        return values


def _hidden(path: Path, folder: Path) -> bool:
    """Whether a file, or a folder on the way to it, is one of those that programs keep for themselves."""
    return any(name[0] in "._" for name in path.relative_to(folder).parts)
