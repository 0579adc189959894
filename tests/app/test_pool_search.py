"""Which columns are searched, and cells that are missing."""

import pandas as pd

from foldless.app._pool_search import matching_rows, searched_columns

POOL = pd.DataFrame(
    {
        "text": ["nan bread", None, "Größe XL"],
        "kind": pd.Categorical(["a", "b", None]),
        "key": pd.array([11, None, 13], dtype="Int64"),
        "width": [0.13, 13.0, 2.0],
    }
)


def test_texts_categories_and_whole_numbers_are_searched():
    assert searched_columns(POOL) == ["text", "kind", "key"]


def test_cells_that_are_missing_contain_nothing():
    columns = searched_columns(POOL)
    assert matching_rows(POOL, columns, "nan", ()).tolist() == [0]
    assert matching_rows(POOL, columns, "13", ()).tolist() == [2]
    assert matching_rows(POOL, columns, "none", ()).tolist() == []
    assert matching_rows(POOL, columns, "GRÖSSE xl", ()).tolist() == [2]
    assert matching_rows(POOL, [], "13", ()).tolist() == []


def test_words_are_found_in_different_columns_and_never_across_two():
    columns = searched_columns(POOL)
    assert matching_rows(POOL, columns, "bread 11", ()).tolist() == [0]
    assert matching_rows(POOL, columns, "breada", ()).tolist() == []
