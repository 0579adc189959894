"""The page of class shares: nothing is said of intervals where there are none."""

import numpy as np
import pandas as pd
import pytest
from helpers.reading import Page

from foldless.results import Prevalence, Shift
from foldless.results import _drawn as drawn


def found(known):
    shares, groups = np.array([[0.5, 0.5], [0.4, 0.6]]), (pd.Timestamp("1996-05-01"), pd.Timestamp("1996-06-01"))
    width = np.where(np.array(known)[:, None], 0.1, np.nan)
    shift = Shift(False, 1.0, 0.53, 0.4, 1.0, "a", 0.37, 0.42, 100, 80)
    return Prevalence(
        np.array(["a", "b"]), shares, shares - width, shares + width, np.full(2, 40), groups, shares[0], 0.95, "map",
        ("labels are drawn at random",), "month", "lr", 100, shift,
    )  # fmt: skip


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, False)])
def test_what_intervals_assume_stands_where_there_are_some(known):
    html = drawn.page(found(known))
    text = Page(html).text
    assert ("The intervals hold if" in text) is any(known)
    assert ("there are no intervals" in text) is not any(known)
    assert html.count('class="none num"') == 2 * 2 * known.count(False)  # share and rows, of both classes
    assert "00:00:00" not in text


def test_the_tests_of_labels_against_pool_have_a_tile():
    text = Page(drawn.page(found((True, True)))).text
    for words in ("difference of labels and pool", "none detected", "p 1, 100 labeled and 80 pool rows compared"):
        assert words in text


def test_a_pool_without_intervals_has_no_picture_of_them():
    bare = found((False, False))
    whole = Prevalence(
        bare.classes, bare.values[:1], bare.lowest[:1], bare.highest[:1], bare.sizes[:1], ("all",), bare.labeled, 0.95,
        "map", (), n_labels=100,
    )  # fmt: skip
    assert "The share of each class, without an interval" in Page(drawn.page(whole)).text
