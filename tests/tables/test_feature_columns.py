"""Two views of a table: columns by name or pattern, each in one view."""

import pytest

from foldless.errors import BadInput, NameViews
from foldless.tables._feature_columns import two_views

COLUMNS = ["page_1", "links", "page_2", "anchors", "id"]


def test_columns_keep_the_order_of_the_table_and_the_others_are_named():
    views, rest = two_views([["page_2", "page_*"], ["anchors", "links"]], COLUMNS, "topic")
    assert views == (("page_1", "page_2"), ("links", "anchors"))
    assert rest == ["id"]


def test_a_name_with_a_star_in_it_is_that_column_and_no_pattern():
    views, rest = two_views([["a*"], ["ab"]], ["a*", "ab"], "y")
    assert views == (("a*",), ("ab",))
    assert rest == []


@pytest.mark.parametrize(
    ("views", "message"),
    [
        ([["links"]], r"there must be two views, got 1: name the columns of each view, such as views="),
        ([["links"], ["i?"], ["id"]], "there must be two views, got 3"),
        ([["links", "id"], ["i*", "l*"]], "columns 'links', 'id' are in both views: name every column in one of them"),
        ([["links"], ["topic"]], "a view names 'topic', which is the label: name other columns"),
        ([["link"], ["id"]], r"a view names 'link', and the table has no such column: did you mean 'links'\?"),
        ([["zz*"], ["id"]], "no such column: its columns are 'page_1', 'links', 'page_2', 'anchors', 'id'$"),
    ],
)
def test_what_is_no_pair_of_views(views, message):
    with pytest.raises(BadInput, match=message):
        two_views(views, COLUMNS, "topic")


def test_a_table_without_names_has_no_views():
    with pytest.raises(BadInput, match="columns of svmlight have none: leave the views out"):
        two_views([["a"], ["b"]], None, "y")


def test_the_remedy_is_one_that_each_front_end_puts_in_its_words():
    with pytest.raises(BadInput) as caught:
        two_views([], COLUMNS, "topic")
    assert caught.value.remedies == (NameViews(),)
