"""The columns of a stream: fixed by its first batch, and compared with every later one.

Kinds of columns are recognized as for tables (`foldless.data._columns`). A file of the stream whose columns differ, or
hold another type, is a fault as a whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pandas as pd
import pyarrow as pa

from foldless.data._columns import Columns, Kind, Missing, recognize
from foldless.errors import BadInput, DropColumns, SetArgument, some
from foldless.io._columnar import family_of
from foldless.io._dialect import columns_not_plain
from foldless.io._formats import by_ending

Family = Literal["numeric", "boolean", "date", "words"]

NOUNS: Mapping[str, str] = {"numeric": "numbers", "boolean": "booleans", "date": "dates", "words": "strings"}
READ: Mapping[str, pa.DataType] = {"numeric": pa.float64(), "boolean": pa.bool_()}
BY_KIND: Mapping[Kind, Family] = {
    "numeric": "numeric", "boolean": "boolean", "date": "date", "categorical": "words", "text": "words",
}  # fmt: skip


@dataclass(frozen=True)
class StreamSchema:
    """The columns of a stream, the types that they have in files, and its label; without a label none is read.

    ``left_out`` are columns that a file may have or not.
    """

    columns: Columns
    families: Mapping[str, str]
    label: str | None = None
    left_out: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        return [*self.columns.kinds, *([self.label] if self.label is not None else [])]

    def types(self) -> dict[str, pa.DataType]:
        return {name: READ.get(self.families[name], pa.string()) for name in self.names}

    def misfit(self, columns: Sequence[str], schema: pa.Schema | None) -> str | None:
        """What is wrong with a file of these columns; files of text have no types of their own."""
        lacks = [name for name in self.names if name not in columns]
        if lacks:
            return f"lacks the column {lacks[0]!r} that the stream began with"
        extra = [name for name in columns if name not in (*self.names, *self.left_out, "")]
        if extra and self.label is not None:
            return f"has the column {extra[0]!r}, which the stream did not begin with"
        if schema is None:
            return None
        for name in self.names:
            family_here, wanted = family_of(schema.field(name).type), self.families[name]
            both = {family_here, wanted}
            if family_here != wanted and family_here != "empty" and both != {"date", "words"}:
                now, before = (NOUNS.get(family, family) for family in (family_here, wanted))
                return f"holds {now} in column {name!r}, where the stream began with {before}"
        return None


def first_look(
    table: pa.Table,
    frame: pd.DataFrame,
    source: str,
    label: str,
    left_out: Sequence[str],
    chosen: Mapping[str, Kind],
    missing: Missing,
) -> StreamSchema:
    """The schema that the first batch shows, as an Arrow table and as a frame."""
    for name in (label, *chosen, *left_out):
        if name not in frame:
            raise BadInput(f"{source} has no column {name!r}: its columns are {some(list(frame), 8)}")
    features = frame.drop(columns=[label, *left_out])
    if not len(features.columns):
        raise BadInput(f"{source} has no column beside the label {label!r}: a model needs features")
    _check_plain(table.select([name for name in features if name not in chosen]), source)
    columns = recognize(features, source, missing, chosen)
    families = {name: family_of(table.schema.field(name).type) for name in (*columns.kinds, label)}
    if families[label] not in NOUNS:
        raise BadInput(
            f"column {label!r} of {source} holds values of type {families[label]}: labels are names or whole numbers"
        )
    return StreamSchema(columns, families, label, tuple(left_out))


def _check_plain(table: pa.Table, source: str) -> None:
    """Refuse numbers and dates of text files that a table would be read with, and a stream would take as names."""
    if by_ending(Path(source))[0] == "parquet":
        return
    for name in columns_not_plain(source, table)[:1]:
        value = next(value for value in table[name].to_pylist() if value)
        raise BadInput(
            f"column {name!r} of {source} holds {value!r}, and streams read numbers with decimal points, without marks "
            f"between thousands, and dates as 2023-12-25: write it so or as Parquet",
            value=value, place=source,
            remedy=(DropColumns((name,)), SetArgument("categorical", name, to="take it as names")),
        )  # fmt: skip
