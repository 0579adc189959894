import pytest
from helpers.reading import Page
from helpers.selections import comparison, grid, selection
from sklearn import config_context
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch
from foldless.core import Certificate
from foldless.core.certificate import Term


def test_a_selection_is_compact():
    chosen = selection(*grid(50), certificate=Certificate("error", 0.25, 0.9, "folds", ("rows are independent",)))
    html = chosen._repr_html_()
    page = Page(html)
    assert len(html) < 9_000
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
    assert "FoldlessSearch" in before
    assert "LogisticRegression" in before
    assert type(search.best_estimator_).__name__ in after
    assert "Not fitted" in before
    assert "Not fitted" not in after


def test_a_fitted_search_shows_its_choice_and_a_picture():
    X, y = make_classification(60, random_state=0)
    search = FoldlessSearch(LogisticRegression(), {"C": [0.1, 1, 10]}, random_state=0)
    search.fit(X[:30], y[:30], X_unlabeled=X[30:])
    html = search._repr_mimebundle_()["text/html"]
    assert html.startswith('<div class="foldless-result">')
    assert search.selection_.best.candidate.name in html
    assert f"{search.best_score_:.4f}" in html
    assert "<svg" in html
    assert "Accuracy on new rows about" in html
    with config_context(display="text"):
        assert "text/html" not in search._repr_mimebundle_()
        assert not hasattr(search, "_repr_html_")


def test_a_certificate_has_its_parts_and_what_it_rests_on():
    terms = (Term("<b>labels</b>", 0.15, 0.1, 60, 0.02), Term("pool", 0.1, 0.05, 500, 0.03))
    html = Certificate("error", 0.25, 0.95, "folds", ("rows are independent",), terms)._repr_html_()
    assert "<b>labels</b>" not in html
    assert "width:15.0%" in html
    assert "rows are independent" in html
    assert "0.25" in html
