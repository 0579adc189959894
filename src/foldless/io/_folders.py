"""Folders of Parquet: which files they hold, in which order, and the columns that the names of folders say.

All readers take the same files: those named .parquet or .pq at any depth, by name, without what is hidden or begins
with an underscore. Folders named ``day=1`` are hive partitions: `pyarrow.dataset` reads a column ``day`` from them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from foldless.errors import BadInput

ENDINGS = ("*.parquet", "*.pq")


@dataclass(frozen=True)
class FolderFile:
    """A Parquet file of a folder, and the values of its partition columns."""

    path: Path
    partition: dict[str, pa.Scalar] = field(default_factory=dict, compare=False)


def files_of(folder: Path) -> list[FolderFile]:
    """The Parquet files of a folder, at any depth, by name."""
    paths = sorted(path for ending in ENDINGS for path in folder.rglob(ending) if not _hidden(path, folder))
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
