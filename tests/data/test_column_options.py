import pytest

from foldless.data._column_options import ColumnOptions


def test_the_kinds_are_those_of_columns_that_are_named() -> None:
    options = ColumnOptions(drop=("id",), text=("body",), categorical=("zip", "city"))
    assert options.kinds == {"body": "text", "zip": "categorical", "city": "categorical"}
    assert options.named_twice("topic") is None


@pytest.mark.parametrize(
    ("options", "twice"),
    [
        (ColumnOptions(drop=("topic",)), ("topic", "label", "drop")),
        (ColumnOptions(text=("a", "b"), categorical=("b",)), ("b", "text", "categorical")),
        (ColumnOptions(drop=("a", "a")), ("a", "drop", "drop")),
    ],
)
def test_a_column_that_is_named_twice_is_found(options: ColumnOptions, twice: tuple[str, str, str]) -> None:
    assert options.named_twice("topic") == twice
