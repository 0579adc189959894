import pytest
from helpers.reading import Page
from helpers.selections import comparison, grid, selection
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch
from foldless.core import Certificate


def test_a_selection_is_compact():
    chosen = selection(*grid(50), certificate=Certificate("error", 0.25, 0.9, "folds", ("rows are independent",)))
    html = chosen._repr_html_()
    page = Page(html)
    assert len(html) < 8_000
    assert len(page.all("tr")) == 1 + 8
    assert "42 more are not listed here" in page.text
    assert "error at most 0.25 with confidence 0.9 (folds), if rows are independent" in page.text
    for sentence in chosen.assumes:
        assert sentence in page.text
    assert not page.all("script")
    assert not page.all("html")


def test_a_comparison_is_its_table():
    compared = comparison({"a": selection(*grid(3)), "b": selection(*grid(3, 1))}, unable={"c": "cannot"})
    page = Page(compared._repr_html_())
    assert len(page.all("tr")) == 1 + 3
    assert "n/a: cannot" in page.text
    assert "9 trained, 4 shared" in page.text


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [(LogisticRegression(), {"C": [0.1, 1]}), ({"a": (LogisticRegression(), {"C": [1]}), "b": GaussianNB()}, None)],
)
def test_a_search_keeps_the_picture_of_scikit_learn(estimator, grid):
    X, y = make_classification(60, random_state=0)
    search = FoldlessSearch(estimator, grid, random_state=0)
    before = search._repr_html_()
    after = search.fit(X[:30], y[:30], X_unlabeled=X[30:])._repr_html_()
    for html in (before, after):
        assert "FoldlessSearch" in html
        assert "LogisticRegression" in html
    assert "Not fitted" in before
    assert "Not fitted" not in after
