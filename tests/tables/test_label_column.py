"""The label column: every type, several in a row, and rows without any."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from foldless.errors import BadInput
from foldless.io import Table
from foldless.tables import _label_column as labels


def table(values: object) -> Table:
    return Table("t.csv", pd.DataFrame({"k": pd.Series(values)}))


def lists(values: list[object], kind: pa.DataType) -> "pd.Series[object]":
    return pd.Series(values, dtype=pd.ArrowDtype(pa.list_(kind)))


def read(values: object, separator: str | None = None) -> np.ndarray:
    found = labels.read(table(values), "k", separator, [])
    return labels.narrow("t.csv", "k", found[found.notna()])


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["b", "a"], ["b", "a"]),
        (pd.array([2, -1], dtype="Int64"), [2, -1]),
        ([2.0, -1.0], [2, -1]),
        (pd.array([True, False], dtype="boolean"), [True, False]),
        (pd.Categorical(["b", "a"]), ["b", "a"]),
        (pd.Series([datetime.date(2024, 1, 2)] * 2, dtype=pd.ArrowDtype(pa.date32())), ["2024-01-02"] * 2),
        (pd.to_datetime(["2024-01-02", "2024-01-02T10:00"], format="ISO8601"), ["2024-01-02", "2024-01-02T10:00:00"]),
        (lists([["b", "a"], ["a"]], pa.string()), [("b", "a"), ("a",)]),
        (lists([[2, 1, 2], [3]], pa.int64()), [(2, 1), (3,)]),
        (lists([[2.0], [3.0, None]], pa.float64()), [(2,), (3,)]),
        (lists([[True], [True, False]], pa.bool_()), [(True,), (True, False)]),
        (lists([[datetime.date(2024, 1, 2)]] * 2, pa.date32()), [("2024-01-02",)] * 2),
    ],
    ids=lambda value: str(getattr(value, "dtype", type(value).__name__)),
)
def test_labels_of_any_type(values: object, expected: list[object]) -> None:
    found = read(values)
    assert found.tolist() == expected
    flat = labels.flat(found).tolist()
    assert [type(label) for label in flat] == [
        type(e) for several in expected for e in (several if isinstance(several, tuple) else (several,))
    ]


def test_rows_without_a_label() -> None:
    assert labels.read(table(["a", "", None]), "k", None, []).isna().tolist() == [False, True, True]
    several = lists([["a", "", None], [], None, [""], [None]], pa.string())
    assert labels.read(table(several), "k", None, []).isna().tolist() == [False, True, True, True, True]


def test_a_separator_takes_strings_apart() -> None:
    assert read(["a; b", "b", None, ";", "b;b;c"], ";").tolist() == [("a", "b"), ("b",), ("b", "c")]
    assert read(["1|2", "3"], "|").tolist() == [("1", "2"), ("3",)]


def test_a_separator_that_never_occurs_is_noted() -> None:
    notes: list[str] = []
    assert labels.read(table(["a", "b"]), "k", ";", notes).tolist() == ["a", "b"]
    assert notes == ["the separator ';' occurs in no label of column 'k' of t.csv"]


@pytest.mark.parametrize(
    ("values", "separator", "message"),
    [
        (lists([["a"]], pa.string()), ";", "holds lists of labels, and the label separator ';' is for strings"),
        (lists([[["a"]]], pa.list_(pa.string())), None, "holds values of type list<.*lists of them"),
        (pd.Series([{"a": 1}], dtype=pd.ArrowDtype(pa.struct([("a", pa.int64())]))), None, "of type struct<a: int64>"),
        (
            lists([[0.5], [1.0]], pa.float64()),
            None,
            "holds 0.5 in row 1, and labels are names or whole numbers",
        ),
        ([1.0, 2.5], None, "holds 2.5 in row 2"),
    ],
)
def test_what_is_no_label(values: object, separator: str | None, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read(values, separator)


SETS = ["a|b", "a|b|c", "b|c|d", "a|c|d|e", "b|d|e", "a|b|c|d|e", "c|e", "a|d|e"]  # no class by itself, many parts


@pytest.mark.parametrize(
    ("names", "mark"),
    [
        (["a", "b", "c", "a;b", "b;c"], ";"), (["a", "b", "c", "a, b", "a, c"], ","), (["a", "b", "a|b"], "|"),
        (["a", "b"], None), (["a;b", "c;d"], None), (["a|x", "a|y", "b|x", "b|y", "c|x", "c|y"], None),
        (["Portland, OR", "Salem, OR", "OR"], None), ([1, 2], None), (["a", "b", "c;d"], None), (["a", ";"], None),
        (SETS, "|"), (["|".join(sorted(name.split("|"))[:2]) for name in SETS], None),
    ],
)  # fmt: skip
def test_labels_that_look_like_several_are_noted(names: list[object], mark: str | None) -> None:
    notes = labels.joined_notes("k", names)
    assert len(notes) == (mark is not None)
    assert all(f"{mark!r} between them, and each combination in column 'k' is a class" in note for note in notes)


def test_rows_of_classes_of_their_own_are_in_no_order() -> None:
    """Whatever the order is, all rows of each class stand together."""
    names = np.array([f"tag {at}" for at in np.random.default_rng(0).permutation(60)])
    assert labels.order_notes("t.csv", np.r_[names, names[-1:]]) == []
    (note,) = labels.order_notes("t.csv", np.repeat(names[:20], 3))
    assert note.startswith("the rows of t.csv are ordered by label")


def test_classes_are_counted_over_all_labels_of_a_row() -> None:
    y = read(lists([["a", "b"], ["a", "b"], ["a", "c"]], pa.string()))
    labels.check_classes("t.csv", "k", y, 1)
    with pytest.raises(BadInput, match=r"class 'c' has 1 labeled row in t\.csv, fewer than 2"):
        labels.check_classes("t.csv", "k", y, 2)
