"""A comparison of labels and pool in a notebook: the verdict and the columns, escaped."""

from foldless.results import Shift
from foldless.results.shift import ShiftedColumn


def test_the_verdict_and_the_columns():
    column = ShiftedColumn("a<b>", "median", 1.0, 2.0, 0.001)
    shift = Shift(True, 0.001, 0.8, 0.001, 0.2, "a", 0.3, 0.5, 100, 1000, columns=(column,))
    page = shift._repr_html_()
    assert "<b>labels and pool differ</b>" in page
    assert "a&lt;b&gt;" in page
    assert "color" not in page  # those of the notebook, light or dark
    assert "<table" not in Shift(False, 0.5, 0.5, 0.5, 0.5, "a", 0.3, 0.3, 100, 1000)._repr_html_()
