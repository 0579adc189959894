"""Rewards of a margin: concave stand-ins for "right", with their slopes.

The hinge is min(1, m), the logistic reward 1 − log(1 + exp(−m)). The slope is zero from ``cap`` on. What is counted is
cut to [low, 1], or is one or zero, right or wrong, where ``counted`` is true (the non-surrogate form).
"""

import math
from typing import Any, NamedTuple

from numba.extending import overload


class HingeReward(NamedTuple):
    """min(1, m)."""

    cap: float
    low: float
    counted: bool


class LogisticReward(NamedTuple):
    """1 − log(1 + exp(−m))."""

    cap: float
    low: float
    counted: bool


def slope(reward: Any, margin: Any) -> Any:
    """How fast the reward grows with a margin below the cap."""


def worth(reward: Any, margin: Any) -> Any:
    """What a margin counts."""


@overload(slope, jit_options={"forceinline": True})
def _slope(reward, margin):
    if reward.instance_class is HingeReward:

        def hinge(reward, margin):
            return 1.0

        return hinge

    def logistic(reward, margin):
        return 1.0 / (1.0 + math.exp(margin))

    return logistic


@overload(worth, jit_options={"forceinline": True})
def _worth(reward, margin):
    if reward.instance_class is HingeReward:

        def hinge(reward, margin):
            if reward.counted:
                return 1.0 if margin > 0 else 0.0
            return min(max(margin, reward.low), 1.0)

        return hinge

    def logistic(reward, margin):
        if reward.counted:
            return 1.0 if margin > 0 else 0.0
        # log1p of a small number, whatever the sign of the margin
        return max(1.0 - max(-margin, 0.0) - math.log1p(math.exp(-abs(margin))), reward.low)

    return logistic
