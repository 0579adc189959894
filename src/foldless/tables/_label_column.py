"""The label column of a table: names, whole numbers, booleans or dates, one or several in a row.

Several are a list (Parquet, Arrow, JSON lines), a comma in svmlight, or a string with a separator. A label is ``None``
where a row has none, and a tuple where rows have several.
"""

import datetime
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.data._dates import iso
from foldless.data._id_columns import are_whole
from foldless.data._label_spelling import near_equal
from foldless.data._targets import objects, plain_label
from foldless.errors import BadInput, Note, SetArgument, some, some_columns
from foldless.io import Table
from foldless.io._atomic import reason
from foldless.io._delimited import texts

FEWEST, SURE, FAR = 20, 6.0, 0.2  # rows, standard errors and share of neighbors from which on an order is seen
RUNS = (
    "neighboring rows of {source} have the same label in {same:.0%} of the cases, {expected:.0%} by chance: if rows "
    "are in the order of time or source, random folds are optimistic"
)
MERGE = SetArgument("merge_labels", True, to="take them as one class")
MARKS = (";", "|", ",")
"""Between several labels in one string; paths and dates have others."""
RECURRING = 3  # times that each part occurs, in the mean, where labels are sets of them
EXACT = 2**53  # from here on, double precision has not every whole number


def read(table: Table, label: str, separator: str | None, notes: list[str]) -> "pd.Series[Any]":
    """The labels of a table, as they stand there."""
    if label not in table.frame:
        raise BadInput(f"{table.name} has no label column {label!r}: {near(label, list(table.frame))}")
    values = table.frame[label]
    kind = str(values.dtype)
    if kind.startswith(("struct", "map", "binary", "large_binary")) or any(f"<item: {k}" in kind for k in NESTED):
        raise BadInput(
            f"column {label!r} of {table.name} holds values of type {kind.removesuffix('[pyarrow]')}: labels are "
            f"names, whole numbers, dates, or lists of them"
        )
    try:
        values = _as_spelled(table, label, values).astype(object)
    except BadInput:
        raise
    except (OverflowError, ValueError, KeyError, NotImplementedError) as error:  # dates and zones that Python has not
        raise BadInput(
            f"column {label!r} of {table.name} holds labels that cannot be read ({reason(error)}): write them as text"
        ) from error
    if values.map(_is_list).any():
        if separator is not None:
            raise BadInput(
                f"column {label!r} of {table.name} holds lists of labels, and the label separator {separator!r} is "
                f"for strings: leave the separator out"
            )
        values = values.map(lambda labels: tuple(map(_plain, labels)) if _is_list(labels) else ())
    elif separator is not None:
        values = _split(values, table.name, label, separator, notes)
    return pd.Series([_present(value) for value in values], index=values.index, dtype=object)


def narrow(source: str, label: str, labels: "pd.Series[Any]") -> Array:
    """Labels in one plain type; tuples of them stay tuples."""
    if not len(labels):
        raise BadInput(f"no row of {source} has a label in column {label!r}: label at least two rows of each class")
    if not labels.map(_is_list).any():
        return _narrow(source, label, labels.tolist(), [row + 1 for row in labels.index])
    sizes = labels.map(len).to_numpy()
    values = [value for several in labels for value in several]
    flat = _narrow(source, label, values, (np.repeat(labels.index, sizes) + 1).tolist()).tolist()
    ends = np.cumsum(sizes)
    return objects([tuple(flat[end - size : end]) for end, size in zip(ends, sizes, strict=True)])


def flat(y: Array) -> Array:
    """All labels, those of one row beside each other."""
    if y.dtype.kind != "O" or not any(map(_is_list, y)):
        return y
    labels = [label for several in y for label in several]
    return np.array(labels, dtype=object if isinstance(labels[0], str) else None)


def as_text(y: Array) -> Array:
    return objects([tuple(map(str, label)) if _is_list(label) else str(label) for label in y])


def renamed(y: Array, names: Mapping[str, str]) -> Array:
    """Labels under other names; of a row with several, each once."""
    if y.dtype.kind != "O":
        return y

    def new_name(label: Any) -> Any:
        return tuple(dict.fromkeys(map(new_name, label))) if _is_list(label) else names.get(label, label)

    return objects(list(map(new_name, y)))


def check_classes(source: str, label: str, y: Array, min_per_class: int) -> None:
    """Whether there are two classes, each with labels enough; nothing is asked for where none need be."""
    if not min_per_class:
        return
    classes, counts = np.unique(flat(y), return_counts=True)
    if len(classes) < 2:
        raise BadInput(
            f"column {label!r} of {source} holds one class only, {shown(classes[0])}: label rows of another class too"
        )
    rare = np.flatnonzero(counts < min_per_class)
    if len(rare):
        n = int(counts[rare[0]])
        more = f" ({len(rare)} classes have too few)" if len(rare) > 1 else ""
        raise BadInput(
            f"class {shown(classes[rare[0]])} has {n} labeled row{'s' * (n > 1)} in {source}{more}, fewer than "
            f"{min_per_class}",
            place=source,
            remedy=(
                "label more rows, drawn at random, not by class", SetArgument("min_per_class", int(counts.min())),
                *([SetArgument("task", "regression", "predict numbers")] if classes.dtype.kind in "if" else []),
                *([MERGE] if near_equal(dict(zip(classes.tolist(), counts.tolist(), strict=True))) else []),
                *([] if (joined := _joined(classes.tolist())) is None else [_apart(joined[0])]),
            ),
        )  # fmt: skip


def near(name: str, names: Sequence[Any]) -> str:
    """What the user may have meant."""
    close = get_close_matches(name, [str(n) for n in names], n=3, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    return f"its columns are {some(names, 8)}"


def shown(value: Any) -> str:
    return repr(plain_label(value))


NESTED = ("list", "struct", "map")
WHOLE = re.compile(r"0|-?[1-9]\d*")


def _as_spelled(table: Table, label: str, values: "pd.Series[Any]") -> "pd.Series[Any]":
    """Labels of a text file; they are the text itself where a number, a boolean or a date would be written otherwise.

    So 01 stays 01, and 007 is another class than 7. What pandas writes for whole numbers beside missing ones, 1.0 or
    1,0, is the whole number, unless 1 is there too.
    """
    if table.source is None or table.dialect is None or values.dtype == object:
        return values
    cells = texts(table.source, table.dialect.delimiter, [label])[label].to_pylist()
    spelled = pd.Series(cells, index=values.index, dtype=object).where(values.notna(), None)
    distinct = [text for text in spelled.unique() if text is not None]
    if pd.api.types.is_bool_dtype(values.dtype):
        return values if {"True", "False"}.issuperset(distinct) else spelled
    if not pd.api.types.is_numeric_dtype(values.dtype):
        return spelled
    if pd.api.types.is_integer_dtype(values.dtype) and all(map(WHOLE.fullmatch, distinct)):
        return values
    pointed = {text: re.fullmatch(rf"(-?\d+)[{table.dialect.decimal}]0*", text) for text in distinct}
    whole = {text: match[1] if match else text for text, match in pointed.items()}
    if not all(map(WHOLE.fullmatch, whole.values())):
        fractions = any("." in text and not match for text, match in pointed.items())
        return values if fractions or not are_whole(values) else spelled
    for text, number in whole.items():
        if number != text and number in pointed:
            raise BadInput(
                f"column {label!r} of {table.name} spells one label as {number!r} and as {text!r}: spell it one way"
            )
    return values if max(abs(int(number)) for number in whole.values()) < EXACT else spelled


def joined_notes(label: str, names: Sequence[Any]) -> list[str]:
    """What becomes of classes that look like several labels joined by a mark; ``names`` are the classes.

    >>> joined_notes("topic", ["law", "money", "sport", "law;money", "money;sport"])[0].partition(", ")[0]
    "labels such as 'law;money' look like several labels with ';' between them"
    >>> joined_notes("city", ["Portland, OR", "Salem, OR", "Salem, MA"])
    []
    """
    joined = _joined(names)
    if joined is None:
        return []
    mark, example = joined
    problem = f"labels such as {example!r} look like several labels with {mark!r} between them"
    return [Note(f"{problem}, and each combination in column {label!r} is a class of its own", remedy=_apart(mark))]


def _apart(mark: str) -> SetArgument:
    return SetArgument("label_separator", mark, to="give a row each of its labels")


def _joined(names: Sequence[Any]) -> tuple[str, str] | None:
    """The mark in classes that look like several labels, and one of them.

    They look so where taking them apart leaves fewer names, some of which are classes by themselves too; or where most
    have a mark, not all equally often as in "Portland, OR", and the parts come back in many of them.
    """
    texts_of_classes = [name for name in names if isinstance(name, str)]
    for mark in MARKS:
        each = {name: {part.strip() for part in name.split(mark)} - {""} for name in texts_of_classes}
        joined = [name for name, own in each.items() if len(own) > 1]
        parts = set().union(*each.values())
        some_alone = len(parts) < len(each) and parts.intersection(each)
        as_sets = 2 * len(joined) > len(each) and len({len(each[name]) for name in joined}) > 2
        if joined and (some_alone or (as_sets and sum(map(len, each.values())) >= RECURRING * len(parts))):
            return mark, min(joined, key=len)
    return None


def _split(values: "pd.Series[Any]", source: str, label: str, separator: str, notes: list[str]) -> "pd.Series[Any]":
    """Strings taken apart at the separator."""
    if not values.map(lambda value: separator in str(value)).any():
        notes.append(f"the separator {separator!r} occurs in no label of column {label!r} of {source}")
        return values
    return values.map(
        lambda value: () if pd.isna(value) else tuple(part.strip() for part in str(_plain(value)).split(separator))
    )


def parts(cell: Any, separator: str | None) -> tuple[Any, ...]:
    """The labels of one cell: a list, a string with separators, one label, or none."""
    if _is_list(cell):
        return _present(tuple(map(_plain, cell))) or ()
    if _is_absent(cell):
        return ()
    texts_of_cell = [_plain(cell)] if separator is None else [part.strip() for part in str(cell).split(separator)]
    return _present(tuple(texts_of_cell)) or ()


def _present(label: Any) -> Any:
    """A label or the labels that are there; None where there is none."""
    if not isinstance(label, tuple):
        return None if _is_absent(label) else label
    return tuple(dict.fromkeys(each for each in label if not _is_absent(each))) or None


def _is_absent(label: Any) -> bool:
    return bool(pd.isna(label)) or label == ""


def _narrow(source: str, label: str, values: list[Any], rows: list[int]) -> Array:
    """Labels in one plain type; whole numbers that pandas stored as 1.0 are whole again."""
    if all(isinstance(value, bool) for value in values):
        return np.array(values)
    if all(isinstance(value, int | float) for value in values):
        numbers = np.array(values, dtype=float)
        odd = np.flatnonzero(~np.isfinite(numbers) | (numbers != np.round(numbers)))
        rounded = [value for value in values if isinstance(value, float) and abs(value) >= EXACT]
        if rounded and not len(odd):
            raise BadInput(
                f"column {label!r} of {source} holds the label {rounded[0]:.0f}, and numbers from 2**53 = {EXACT} on "
                f"are rounded there: give the classes other names",
                value=rounded[0], place=source,
            )  # fmt: skip
        if len(odd):
            raise BadInput(
                f"column {label!r} of {source} holds {values[odd[0]]!r} in row {rows[odd[0]]}, and labels are names or "
                f"whole numbers",
                value=values[odd[0]], place=source,
                remedy=(
                    SetArgument("label", to="name a column of classes"),
                    SetArgument("task", "regression", "predict numbers"),
                ),
            )  # fmt: skip
        whole = [int(value) for value in values]
        if all(-(2**63) <= value < 2**63 for value in whole):
            return np.array(whole)
        values = whole  # as text: no type has them all
    return objects([str(_plain(value)) for value in values])


def _plain(label: Any) -> Any:
    return iso(label) if isinstance(label, datetime.date) else plain_label(label)


def _is_list(label: Any) -> bool:
    return isinstance(label, np.ndarray | list | tuple)


def listed(names: Sequence[str]) -> str:
    return f"{some_columns(names)} {'are' if len(names) > 1 else 'is'}"


def order_notes(source: str, y: Array) -> list[str]:
    """A sentence where rows with the same label stand together more than chance explains."""
    if len(y) < FEWEST or any(map(_is_list, y)):
        return []
    codes = np.unique(y, return_inverse=True)[1]
    same = float(np.mean(codes[1:] == codes[:-1]))
    if np.count_nonzero(codes[1:] != codes[:-1]) == codes.max() < len(codes) // 2:  # single rows are in any order
        return [
            f"the rows of {source} are ordered by label: if pool or test rows come from other parts of the same file, "
            f"they are another population"
        ]
    expected = float(np.sum((np.bincount(codes) / len(codes)) ** 2))
    beyond = (same - expected) / np.sqrt(expected * (1 - expected) / (len(codes) - 1))
    return [RUNS.format(source=source, same=same, expected=expected)] if beyond > SURE and same > FAR + expected else []
