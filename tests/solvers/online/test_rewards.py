"""Rewards and slopes: by hand, and the slope as the derivative of the worth."""

import numpy as np
import pytest
from numba import njit

from foldless.solvers.online._rewards import HingeReward, LogisticReward, slope, worth


@njit
def both(reward, margin):
    return worth(reward, margin), slope(reward, margin)


@pytest.mark.parametrize("kind", [HingeReward, LogisticReward])
def test_slopes_are_derivatives(kind):
    reward = kind(np.inf, -np.inf, False)
    for margin in (-30.0, -2.0, 0.0, 0.4, 0.99):
        wide = (both(reward, margin + 1e-5)[0] - both(reward, margin - 1e-5)[0]) / 2e-5
        assert both(reward, margin)[1] == pytest.approx(wide, rel=1e-6)


def test_by_hand():
    assert both(HingeReward(1.0, 0.0, False), 0.3)[0] == 0.3
    assert both(HingeReward(1.0, 0.0, False), 7.0)[0] == 1.0
    assert both(HingeReward(1.0, 0.0, False), -7.0)[0] == 0.0
    assert both(HingeReward(1.0, -2.0, False), -7.0)[0] == -2.0
    assert both(LogisticReward(1.0, -np.inf, False), 0.0)[0] == pytest.approx(1 - np.log(2))
    assert both(LogisticReward(1.0, -np.inf, False), -800.0)[0] == pytest.approx(-799)
    assert both(LogisticReward(1.0, -np.inf, False), 800.0)[0] == 1.0


@pytest.mark.parametrize("kind", [HingeReward, LogisticReward])
def test_counting(kind):
    assert [both(kind(1.0, 0.0, True), margin)[0] for margin in (-1.0, 0.0, 1e-9, 5.0)] == [0.0, 0.0, 1.0, 1.0]
