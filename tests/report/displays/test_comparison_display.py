import numpy as np
import pytest
from helpers.selections import comparison, grid, selection

from foldless.criteria import KFold
from foldless.report import ComparisonDisplay


class Loss(KFold):
    better = "lower"


def names(display):
    return [text.get_text() for text in display.figure_.legends[0].get_texts()]


def test_each_criterion_is_scaled_from_its_worst_to_its_best():
    points, _ = grid(3)
    compared = comparison(
        {"bound": selection(points, [10.0, 30.0, 20.0]), "loss": selection(points, [0.5, 0.1, 0.3], criterion=Loss())}
    )
    display = ComparisonDisplay.from_comparison(compared)
    assert display.kind == "curves"
    assert display.lines_["bound"].get_ydata() == pytest.approx([0, 1, 0.5])
    assert display.lines_["loss"].get_ydata() == pytest.approx([0, 1, 0.5])  # up is better
    assert names(display) == ["bound: 10.0000 to 30.0000", "loss: 0.5000 to 0.1000"]
    for ring in display.choices_.values():
        assert list(ring.get_offsets()[0]) == pytest.approx([points[1]["C"], 1])
    sizes = [ring.get_sizes()[0] for ring in display.choices_.values()]
    assert sizes[0] != sizes[1]  # equal choices are seen as two rings


def test_truth_is_a_line():
    points, scores = grid(4)
    compared = comparison({"a": selection(points, scores)}, test=True)
    display = ComparisonDisplay.from_comparison(compared)
    assert display.truth_.get_ydata() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert display.truth_.get_linestyle() == "--"
    assert names(display)[-1].startswith("test accuracy: 0.5000 to")
    assert ComparisonDisplay.from_comparison(comparison({"a": selection(points, scores)})).truth_ is None


def test_equal_scores_are_drawn():
    points, _ = grid(3)
    display = ComparisonDisplay.from_comparison(comparison({"a": selection(points, [0.5, 0.5, 0.5])}))
    assert display.lines_["a"].get_ydata() == pytest.approx([1, 1, 1])


def test_several_parameters_have_a_row_per_candidate():
    points = [{"C": float(c), "kernel": k} for c in range(40) for k in ("rbf", "linear")]
    low, high = list(np.linspace(0, 1, 80)), list(np.linspace(1, 0, 80))
    display = ComparisonDisplay.from_comparison(
        comparison({"up": selection(points, low), "up too": selection(points, low), "down": selection(points, high)})
    )
    assert display.kind == "dots"
    display.figure_.canvas.draw()
    rows = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert len(rows) == 30
    assert "C=0, kernel=rbf" in rows  # chosen, though low on the whole
    assert rows[0] == "C=39, kernel=linear"
    assert "50 candidates" in display.describe()
    assert set(display.choices_) == {"up", "up too", "down"}


def test_failed_candidates_are_gaps():
    points, _ = grid(3)
    compared = comparison(
        {"a": selection(points, [0.1, 0.2, 0.3]), "b": selection(points, [0.1, 0.2, 0.3], failed=(1,))}
    )
    display = ComparisonDisplay.from_comparison(compared)
    assert len(display.lines_["a"].get_xdata()) == 3
    assert len(display.lines_["b"].get_xdata()) == 2


def test_names_that_matplotlib_would_hide_or_compute():
    points, scores = grid(3)
    compared = comparison({name: selection(points, scores) for name in ("_a", "$\\frac{1}{2$", "x" * 10_000)})
    display = ComparisonDisplay.from_comparison(compared)
    display.figure_.canvas.draw()
    first, second, third = names(display)
    assert first.strip().startswith("_a:")
    assert second.startswith("$\\frac{1}{2$:")
    assert len(third) < 80


def test_no_score_at_all():
    points, _ = grid(3)
    display = ComparisonDisplay.from_comparison(comparison({"a": selection(points, [np.nan] * 3)}))
    display.figure_.canvas.draw()
    assert display.lines_ == {}
