"""The arguments of `read_problem`, checked before anything is read or right after."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from foldless.data._column_options import ColumnOptions
from foldless.errors import BadInput, SetArgument
from foldless.io import Dialect, FileOptions, Table, read_table
from foldless.io._formats import by_ending
from foldless.io._reading import DATABASES, PIPE
from foldless.io._svmlight import LABEL
from foldless.tables import _label_column as labeling
from foldless.tables._stored_rows import StoredRows

DONE = {
    "drop": "be dropped", "text": "be taken as text", "categorical": "be taken as categories", "keep": "be kept",
    "groups": "name groups of rows",
}  # fmt: skip


class Tables(NamedTuple):
    """The tables of training, pool and test; of a pool that is ``stored`` in its files only the columns."""

    train: Table
    pool: Table | None
    test: Table | None
    stored: StoredRows | None

    @property
    def others(self) -> list[Table]:
        return [table for table in (self.pool, self.test) if table is not None]


class Files(NamedTuple):
    """The files of a problem, and what the user says of them; the format is of those whose ending names none."""

    train: str
    unlabeled: str | None
    test: str | None
    options: FileOptions

    def check(self) -> None:
        """Whether the files can be read together, in the format that was named."""
        paths = [path for path in self[:3] if path is not None]
        if paths.count(PIPE) > 1:
            raise BadInput(f"standard input (-) is named {paths.count(PIPE)} times: only one of the files can be -")
        of_database = "table" if self.options.table is not None else "query" if self.options.query is not None else None
        if of_database is not None and all(
            _tells(path) and by_ending(Path(path))[0] not in DATABASES for path in paths
        ):
            raise BadInput(f"a {of_database} is named, and {self.train} is no database: leave the {of_database} out")
        if self.options.format is not None and all(_tells(path) for path in paths):
            raise BadInput(
                f"the format {self.options.format} is for standard input (-) and files whose ending names no format, "
                f"and the ending of {self.train} does: leave the format out"
            )

    def tables(self, stored: StoredRows | None) -> Tables:
        train = self._read(self.train)
        like = train.dialect
        pool = None if self.unlabeled is None else self._read(self.unlabeled, like) if stored is None else stored.table
        return Tables(train, pool, None if self.test is None else self._read(self.test, like), stored)

    def _read(self, path: str, like: Dialect | None = None) -> Table:
        return read_table(path, replace(self.options, format=None) if _tells(path) else self.options, like)


def label_of(table: Table, label: str | None) -> str:
    """The label column; svmlight has its own."""
    if table.features is None and label is None:
        raise BadInput(
            f"no label column is named for {table.name}", place=table.name,
            remedy=SetArgument("label", to="name the column that holds the classes"),
        )  # fmt: skip
    if table.features is not None and label not in (None, LABEL):
        raise BadInput(f"{table.name} is svmlight, whose label comes first and has no name: leave the label column out")
    return LABEL if label is None else label


def check_named(options: ColumnOptions, label: str, train: Table, others: Sequence[Table]) -> None:
    """Whether the columns that the user named are there, each named once; columns to drop may be in any table."""
    for argument, names in options.named.items():
        if names and train.features is not None:
            raise BadInput(
                f"column {names[0]!r} cannot {DONE[argument]}, since columns of svmlight, as in {train.name}, have no "
                f"names: leave them out",
                value=names[0], place=argument,
            )  # fmt: skip
    if (twice := options.named_twice(label)) is not None:
        name, first, second = twice
        why = f"cannot {DONE[second]}, since it is the label: name other columns, or another label"
        if first != "label":
            why = f"cannot {DONE[first]} and {DONE[second]}: name it once"
        raise BadInput(f"column {name!r} {why}", value=name, place=second)
    for argument, names in options.named.items():
        tables = [train, *others] if argument == "drop" else [train]
        for name in names:
            if not any(name in table.frame for table in tables):
                columns = list(dict.fromkeys(column for table in tables for column in table.frame))
                raise BadInput(
                    f"{train.name} has no column {name!r} to {DONE[argument]}", value=name, place=argument,
                    remedy=labeling.near(name, columns),
                )  # fmt: skip


def _tells(path: str) -> bool:
    return path != PIPE and by_ending(Path(path))[0] is not None
