"""Shared by learners with an L1 penalty: initial weights, the scale of λ, and the warning about convergence."""

from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from foldless.core import Array
from foldless.errors import BadInput, warn_user

MAX_STEPS = 1000  # of Newton's method; ten are enough where classes overlap


def empty_weights(n_classes: int, n_features: int) -> Array:
    """Zeros: one row for two classes, else one for each; the last column is the intercept."""
    return np.zeros((1 if n_classes == 2 else n_classes, n_features + 1))


def check_scale(scale: Any) -> None:
    """The penalty is added to the mean of the losses or to their sum."""
    if scale not in ("mean", "sum"):
        raise BadInput(f"scale must be 'mean' or 'sum', got {scale!r}")


def warn_unfinished(unfinished: int, max_steps: int, learner: Any) -> None:
    """Warn that some problems did not converge."""
    if unfinished:
        warn_user(
            f"{type(learner).__name__} did not converge in {max_steps} steps in {unfinished} of its fits: "
            f"raise tol or the penalty",
            ConvergenceWarning,
        )
