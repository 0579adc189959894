"""Curve, heat map and bars: what is drawn where, and that the choice is the marked one."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from helpers.selections import HOSTILE, grid, selection

from foldless.criteria import KFold
from foldless.report import SelectionDisplay


class Loss(KFold):
    better = "lower"


def pairs(n, m):
    return [{"C": 10.0**a, "gamma": 10.0**b} for a in range(n) for b in range(m)]


def texts(display):
    display.figure_.canvas.draw()
    return [text.get_text() for text in display.figure_.findobj(plt.Text)]


def test_curve_over_one_number():
    points, scores = grid(8)
    display = SelectionDisplay.from_selection(selection(points, scores))
    assert display.kind == "curve"
    assert display.ax_.get_xscale() == "log"
    assert display.line_.get_xdata() == pytest.approx([point["C"] for point in points])
    assert display.line_.get_ydata() == pytest.approx(scores)
    best = int(np.argmax(scores))
    assert list(display.choice_.get_offsets()[0]) == pytest.approx([points[best]["C"], scores[best]])
    assert display.band_ is None
    assert "0.0001" in texts(display)


def test_the_band_is_the_spread_of_the_splits():
    points, scores = grid(5)
    chosen = selection(points, scores, splits=4)
    display = SelectionDisplay.from_selection(chosen)
    low, high = display.band_.get_datalim(display.ax_.transData).intervaly
    means = [np.mean(c.splits) for c in chosen.ranking]
    stds = [np.std(c.splits) for c in chosen.ranking]
    assert low == pytest.approx(min(np.subtract(means, stds)))
    assert high == pytest.approx(max(np.add(means, stds)))
    assert "4 splits" in display.describe()


def test_leave_one_out_has_no_band():
    points, scores = grid(3)
    assert SelectionDisplay.from_selection(selection(points, scores, splits=101)).band_ is None


def test_candidates_without_a_score_are_crosses_inside_the_axes():
    points = [{"n": n} for n in (1, 2, 3, 4, 5)]
    display = SelectionDisplay.from_selection(
        selection(points, [0.1, 0.2, np.nan, 0.4, 0.5], failed=(0,), unfinished=(4,))
    )
    (crosses,) = (c for c in display.ax_.collections if c is not display.choice_)
    assert sorted(crosses.get_offsets()[:, 0]) == [1, 3, 5]
    assert display.line_.get_xdata() == pytest.approx([2, 4])
    left, right = display.ax_.get_xlim()
    assert left < 1 < 5 < right
    assert "3 crosses" in display.describe()


def test_lower_is_better():
    points, scores = grid(6)
    display = SelectionDisplay.from_selection(selection(points, scores, criterion=Loss()))
    assert display.choice_.get_offsets()[0][1] == pytest.approx(min(scores))


def test_heat_map_over_two():
    scores = list(np.linspace(0, 1, 6))
    display = SelectionDisplay.from_selection(selection(pairs(2, 3), scores))
    assert display.kind == "heat map"
    assert np.asarray(display.mesh_.get_array()).reshape(2, 3) == pytest.approx(np.reshape(scores, (2, 3)))
    assert display.choice_.get_xy() == (2, 1)
    assert {"0.2000", "1.0000", "gamma", "C"} <= set(texts(display))
    strength = display.mesh_.cmap(np.array([0.0, 1.0]))[:, 3]
    assert strength[0] < 0.1 < 1 == strength[1]


def test_heat_map_of_a_loss_is_strongest_where_it_is_lowest():
    display = SelectionDisplay.from_selection(selection(pairs(2, 3), list(range(6)), criterion=Loss()))
    strength = display.mesh_.cmap(np.array([0.0, 1.0]))[:, 3]
    assert strength[0] == 1 > 0.1 > strength[1]
    assert display.choice_.get_xy() == (0, 0)


def test_heat_map_shows_failed_cells():
    display = SelectionDisplay.from_selection(selection(pairs(2, 2), [0.1, 0.2, 0.3, 0.4], failed=(0,)))
    assert np.ma.getmaskarray(display.mesh_.get_array()).ravel().tolist() == [True, False, False, False]
    assert texts(display).count("×") == 1


def test_large_heat_map_has_a_scale_instead_of_numbers():
    scores = list(np.random.default_rng(0).random(144))
    display = SelectionDisplay.from_selection(selection(pairs(12, 12), scores))
    assert len(display.figure_.axes) == 2
    assert not display.ax_.texts


def test_scattered_draws_are_no_grid():
    rng = np.random.default_rng(0)
    points = [{"C": float(a), "gamma": float(b)} for a, b in rng.random((9, 2))]
    assert SelectionDisplay(selection(points, list(rng.random(9)))).kind == "bars"


def test_bars_over_more():
    points = [{"a": a, "b": b, "c": a + b} for a in range(2) for b in range(2)]
    display = SelectionDisplay.from_selection(selection(points, [0.1, 0.4, 0.3, -0.2]))
    assert display.kind == "bars"
    assert [bar.get_width() for bar in display.bars_] == pytest.approx([0.4, 0.3, 0.1, -0.2])
    assert display.choice_ is display.bars_[0]
    assert display.bars_[0].get_facecolor() != display.bars_[1].get_facecolor()
    assert display.ax_.get_yticklabels()[0].get_text() == "a=0, b=1, c=1"


def test_bars_for_several_estimators_say_how_many_were_left_out():
    points = [{"estimator": "svm", "C": float(i)} for i in range(100)] + [{"estimator": "nb"}]
    display = SelectionDisplay.from_selection(selection(points, list(np.linspace(0, 1, 101))))
    assert len(display.bars_) == 30
    assert "71 lower candidates left out" in display.describe()
    assert "the 30 best of 101 candidates" in texts(display)


@pytest.mark.parametrize("points", [[{}], [{"C": 1}, {"C": 2}], pairs(2, 2), pairs(12, 12), [{"a": "x"}, {"a": "y"}]])
def test_no_score_at_all(points):
    display = SelectionDisplay.from_selection(selection(points, [np.nan] * len(points)))
    display.figure_.canvas.draw()
    assert display.choice_ is None


def test_one_candidate():
    display = SelectionDisplay.from_selection(selection([{}], [0.5], names=["LogisticRegression"]))
    assert len(display.bars_) == 1


def test_names_are_not_mathematics():
    names = ["$x$", "$\\frac{1}{2$", "a_b^c", "_hidden", HOSTILE[5]]
    display = SelectionDisplay.from_selection(
        selection([{"e": name} for name in names], [0.5, 0.4, 0.3, 0.2, 0.1], names=names)
    )
    shown = texts(display)
    assert {"$x$", "$\\frac{1}{2$", "_hidden"} <= set(shown)
    assert max(map(len, shown)) < 80


def test_a_name_in_mathematics_would_have_been_noticed():
    ax = plt.figure().add_subplot()
    ax.set_title("$\\frac{1}{2$")
    with pytest.raises(ValueError, match="Expected"):
        ax.figure.canvas.draw()


def test_draws_on_the_axes_given():
    points, scores = grid(3)
    _, axes = plt.subplots(1, 2)
    display = SelectionDisplay.from_selection(selection(points, scores), ax=axes[1])
    assert display.ax_ is axes[1]
    assert not axes[0].lines
    assert len(plt.get_fignums()) == 1


def test_long_values_leave_room():
    points, scores = grid(500)
    display = SelectionDisplay.from_selection(selection(points, scores))
    display.figure_.canvas.draw()
    assert len(display.ax_.get_xticklabels()) < 15


def test_the_caption_of_bars_says_what_orders_them():
    chosen = selection([{"e": name} for name in "abc"], [0.61, 0.608, 0.604], names=list("abc"))
    assert "The candidates by score, the best on top." in SelectionDisplay(chosen).describe()
    by_rank = replace(chosen, ranking=(chosen.ranking[2], *chosen.ranking[:2]))
    display = SelectionDisplay.from_selection(by_rank)
    assert [bar.get_width() for bar in display.bars_] == pytest.approx([0.604, 0.61, 0.608])
    assert "by score" not in display.describe()
    assert "The candidates by rank, the first on top" in display.describe()
    losses = selection([{"e": name} for name in "abc"], [0.3, 0.1, 0.2], names=list("abc"), criterion=Loss())
    assert "The candidates by score, the best on top." in SelectionDisplay(losses).describe()
