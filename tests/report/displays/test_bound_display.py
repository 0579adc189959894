"""Stacked bounds: what is drawn where, in which order, and what is written at the end."""

from dataclasses import replace

import matplotlib.pyplot as plt
import pytest
from helpers.selections import grid, selection

from foldless.core.certificate import Certificate, Term
from foldless.criteria import SemiSupervisedCV
from foldless.errors import BadInput
from foldless.report import BoundDisplay

PARTS = [(0.10, 0.30), (0.05, 0.05), (0.70, 0.60)]


def certified(parts=PARTS, **others):
    points, _ = grid(len(parts))
    chosen = selection(points, [sum(both) for both in parts], criterion=SemiSupervisedCV(), **others)
    ranking = tuple(replace(c, certificate=certificate(*parts[c.candidate.index])) for c in chosen.ranking)
    return replace(chosen, ranking=ranking, certificate=ranking[0].certificate)


def certificate(*uppers):
    terms = tuple(Term(f"part {at}, here", upper, upper / 2, 60, 0.01) for at, upper in enumerate(uppers))
    return Certificate("error", min(1.0, sum(uppers)), 0.9, "m", ("a",), terms, len(PARTS))


def texts(display):
    display.figure_.canvas.draw()
    return [text.get_text() for text in display.figure_.findobj(plt.Text)]


def test_the_parts_stand_end_to_end_the_best_on_top():
    display = BoundDisplay.from_selection(certified())
    first, second = display.bars_
    assert [bar.get_width() for bar in first] == pytest.approx([0.05, 0.10, 0.70])
    assert [bar.get_x() for bar in second] == pytest.approx([0.05, 0.10, 0.70])
    assert [bar.get_width() for bar in second] == pytest.approx([0.05, 0.30, 0.60])
    assert display.choice_ == [first[0], second[0]]
    assert first[0].get_facecolor()[:3] != first[1].get_facecolor()[:3]
    assert first[1].get_alpha() != second[1].get_alpha()


def test_ticks_are_what_was_observed_of_each_part():
    display = BoundDisplay.from_selection(certified())
    ticks = [[segment[0][0] for segment in lines.get_segments()] for lines in display.ax_.collections]
    assert ticks[0] == pytest.approx([0.025, 0.05, 0.35])
    assert ticks[1] == pytest.approx([0.075, 0.25, 1.0])


def test_numbers_are_cut_and_rounded_up_and_parts_named():
    shown = texts(BoundDisplay.from_selection(certified([(0.10001, 0.3), (0.7, 0.6)])))
    assert {"0.4001", "1.0000", "part 0", "part 1"} <= set(shown)
    assert "error at most, with confidence 0.9\n(lower is better)" in shown


def test_a_bound_that_says_nothing_is_told_apart():
    assert "A bound of 1 is vacuous." in BoundDisplay(certified()).describe()
    assert "is vacuous" not in BoundDisplay(certified(PARTS[:2])).describe()


def test_one_part_needs_no_legend():
    display = BoundDisplay.from_selection(certified([(0.2,), (0.3,)]))
    assert not display.figure_.legends
    assert "from the labels held out" in display.describe()


def test_the_choice_is_drawn_with_the_certificate_of_its_model():
    chosen = certified()
    display = BoundDisplay.from_selection(replace(chosen, certificate=certificate(0.2, 0.2)))
    assert [part[0].get_width() for part in display.bars_] == pytest.approx([0.2, 0.2])


def test_many_candidates_are_cut_and_said():
    display = BoundDisplay(certified([(0.001 * at, 0.1) for at in range(1, 41)]))
    assert display.left_out == 10
    assert "10 candidates with a larger bound not shown" in display.describe()
    assert display.inches() > BoundDisplay(certified()).inches()


def test_without_a_certificate_it_says_what_to_do():
    with pytest.raises(BadInput, match="quantification_bound gives no certificate: use semi_supervised_cv"):
        BoundDisplay(selection(*grid(3)))


def test_on_axes_of_somebody_else():
    _, axes = plt.subplots(1, 2)
    assert BoundDisplay.from_selection(certified(), ax=axes[1]).ax_ is axes[1]
    assert not axes[0].patches
