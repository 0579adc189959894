"""The arguments of `read_problem`, checked before anything is read or right after."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from foldless.data._columns import Kind
from foldless.errors import BadInput, SetArgument
from foldless.io import Table, read_table
from foldless.io._formats import Format, by_ending
from foldless.io._reading import PIPE
from foldless.io._svmlight import LABEL
from foldless.tables import _label_column as labeling

KINDS: Mapping[str, Kind] = {"text": "text", "categorical": "categorical"}
DONE = {"drop": "be dropped", "text": "be taken as text", "categorical": "be taken as categories"}


def check_inputs(train: str, unlabeled: str | None, test: str | None, fmt: Format | None, mark: str | None) -> None:
    """Whether the files can be read together, in the format that was named."""
    paths = [path for path in (train, unlabeled, test) if path is not None]
    if paths.count(PIPE) > 1:
        raise BadInput(f"standard input (-) is named {paths.count(PIPE)} times: only one of the files can be -")
    if fmt is not None and all(_tells(path) for path in paths):
        raise BadInput(
            f"the format {fmt} is for standard input (-) and files whose ending names no format, and the ending of "
            f"{train} does: leave the format out"
        )
    if mark == "":
        raise BadInput("the label separator is empty: give the mark between labels, such as ';'")


def read(paths: Sequence[str], fmt: Format | None) -> list[Table]:
    """The files; those whose ending names no format have the one that was named."""
    return [read_table(path, None if _tells(path) else fmt) for path in paths]


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


def chosen_kinds(
    drop: Sequence[str], text: Sequence[str], categorical: Sequence[str], label: str, tables: Sequence[Table]
) -> dict[str, Kind]:
    """The kinds that the user chose, with all named columns checked."""
    train, arguments = tables[0], {"drop": drop, "text": text, "categorical": categorical}
    seen: dict[str, str] = {}
    for argument, names in arguments.items():
        for name in dict.fromkeys(names):
            if train.features is not None:
                raise BadInput(
                    f"column {name!r} cannot {DONE[argument]}, since columns of svmlight, as in {train.name}, have "
                    f"no names: leave them out",
                    value=name, place=argument,
                )  # fmt: skip
            if name == label:
                raise BadInput(
                    f"column {name!r} cannot {DONE[argument]}, since it is the label: name other columns, or another "
                    f"label",
                    value=name, place=argument,
                )  # fmt: skip
            if name in seen:
                raise BadInput(
                    f"column {name!r} cannot {DONE[seen[name]]} and {DONE[argument]}: name it once",
                    value=name, place=argument,
                )  # fmt: skip
            if not any(name in table.frame for table in (tables if argument == "drop" else tables[:1])):
                others = labeling.near(name, list(train.frame))
                raise BadInput(
                    f"{train.name} has no column {name!r} to {DONE[argument]}: {others}", value=name, place=argument
                )
            seen[name] = argument
    return {name: KINDS[argument] for name, argument in seen.items() if argument in KINDS}


def _tells(path: str) -> bool:
    return path != PIPE and by_ending(Path(path))[0] is not None
