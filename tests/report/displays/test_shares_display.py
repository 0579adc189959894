import numpy as np
import pytest
from helpers.selections import HOSTILE, grid, selection

from foldless.report import SharesDisplay

NAMES = ("b", "a", "c")


def labels(display):
    display.figure_.canvas.draw()
    return [text.get_text() for text in display.ax_.get_yticklabels()]


def test_labels_against_pool():
    display = SharesDisplay(NAMES, [0.5, 0.3, 0.2], [0.6, 0.4, 0.0]).plot()
    assert labels(display) == list(NAMES)  # few classes keep their order
    assert list(display.labels_.get_offsets()[:, 0]) == pytest.approx([0.5, 0.3, 0.2])
    assert list(display.pool_.get_offsets()[:, 0]) == pytest.approx([0.6, 0.4, 0.0])
    bottom, top = display.ax_.get_ylim()
    assert bottom > top  # the first on top


def test_from_selection():
    chosen = selection(*grid(3), classes=NAMES)
    display = SharesDisplay.from_selection(chosen)
    assert list(display.labels_.get_offsets()[:, 0]) == pytest.approx(chosen.label_shares.to_numpy())
    assert list(display.pool_.get_offsets()[:, 0]) == pytest.approx(chosen.shares.to_numpy())


def test_without_a_pool():
    display = SharesDisplay.from_selection(selection(*grid(3), pool=False))
    assert display.pool_ is None
    assert "pool" not in display.describe()
    assert [text.get_text() for text in display.figure_.legends[0].get_texts()] == ["in the labels"]


def test_many_classes_show_the_largest_and_say_the_rest():
    n = 1500
    shares = np.arange(n) / np.arange(n).sum()
    pool = np.zeros(n)
    pool[7] = 1.0  # large in the pool only
    display = SharesDisplay([f"class {i}" for i in range(n)], shares, pool).plot()
    assert labels(display)[:3] == ["class 7", "class 1499", "class 1498"]
    assert display.left_out == n - 12
    assert "1,488 smaller classes" in display.describe()


def test_names_stay_text_and_short():
    display = SharesDisplay(["$x$", "_y", HOSTILE[5], 3, None, -1], np.full(6, 1 / 6)).plot()
    shown = labels(display)
    assert shown[:2] == ["$x$", "_y"]
    assert len(shown[2]) == 24
    assert shown[3:] == ["3", "None", "-1"]
