"""A comparison of labels and pool in a notebook: the verdict and the columns, escaped."""

from foldless.results import Shift
from foldless.results.shift import ShiftedColumn


def test_the_verdict_and_the_columns():
    column = ShiftedColumn("a<b>", "median", 1.0, 2.0, 0.001)
    shift = Shift(True, 0.001, 0.8, 0.001, 0.2, "a", 0.3, 0.5, 100, 1000, columns=(column,))
    page = shift._repr_html_()
    assert ">1<" in page
    assert "<b>labels and pool differ</b>" in page
    assert "a&lt;b&gt;" in page
    assert "color" not in page  # those of the notebook, light or dark
    assert "<table" not in Shift(False, 0.5, 0.5, 0.5, 0.5, "a", 0.3, 0.3, 100, 1000)._repr_html_()


def test_dates_are_shown_as_dates():
    column = ShiftedColumn("when: days", "median", 20454.0, 20500.0, 0.001, unit="date")
    assert str(column) == "when (median 2026-01-01 in the labels, 2026-02-16 in the pool)"
    within = ShiftedColumn("when: days", "median", 20454.25, 20454.5, 0.001, unit="date")
    assert within.shown == ("2026-01-01 06:00", "2026-01-01 12:00")
    spread = ShiftedColumn("when: days", "range of the middle 80 %", 30.0, 8.0, 0.001, unit="days")
    assert str(spread) == "when (range of the middle 80 % 30 days in the labels, 8 days in the pool)"
    shift = Shift(True, 0.001, 0.8, 0.001, 0.2, "a", 0.3, 0.5, 100, 1000, columns=(column,))
    assert "2026-02-16" in shift._repr_html_()
    assert str(Shift(**shift.to_dict())) == str(shift)


def test_without_an_alarm_only_the_p_value_and_the_rows_are_shown():
    shift = Shift(False, 1.0, 0.53, 0.4, 1.0, "jung", 0.37, 0.42, 100, 1000)
    sentence = "no difference between labels and pool detected (p 1, 100 labeled and 1,000 pool rows compared)"
    assert str(shift) == sentence
    page = shift._repr_html_()
    assert "(p 1, 100 labeled and 1,000 pool rows compared)" in page
    for number in ("0.53", "0.37", "0.42"):
        assert number not in sentence + page


def test_after_an_alarm_only_the_tests_that_raised_it_have_numbers():
    shares = Shift(True, 1e-5, 0.53, 0.4, 2e-6, "jung", 0.37, 0.62, 100, 1000, found_by=("class scores",))
    assert str(shares) == (
        "labels and pool differ (p 1e-05, found by class scores): the class scores of kernel ridge regression differ "
        "(p 2e-06), which predicts class jung for 37% of the labeled rows and 62% of the pool"
    )
    classifier = Shift(True, 0.001, 0.8, 0.0002, 1.0, "jung", 0.37, 0.42, 100, 1000, found_by=("classifier",))
    assert str(classifier).endswith("): a classifier of labels against pool has AUC 0.80 (p 0.0002)")
    outputs = Shift(True, 0.001, 0.5, 0.4, 1.0, "jung", 0.37, 0.42, 100, 1000, found_by=("model outputs",))
    assert str(outputs) == "labels and pool differ (p 0.001, found by model outputs)"
