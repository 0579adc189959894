"""Several Gaussian processes, one for each view: the mean of their probabilities as a logit, and their evidence."""

from collections.abc import Sequence

import numpy as np
from scipy.special import log_expit

from foldless.core import Array
from foldless.learners.gaussian_process._laplace_sets import LaplaceAnswers

STRAIGHT = 0.9  # a mean of tanh(z / 2) up to which its inverse is well conditioned


def mean_logit(scores: Sequence[Array]) -> Array:
    """The logit of the mean probability, to full relative precision also near 0."""
    if len(scores) == 1:
        return scores[0]
    z = np.stack(scores)
    mean = np.tanh(z / 2).mean(axis=0)
    far = np.logaddexp.reduce(log_expit(z)) - np.logaddexp.reduce(log_expit(-z))
    return np.where(np.abs(mean) < STRAIGHT, 2 * np.arctanh(np.clip(mean, -STRAIGHT, STRAIGHT)), far)


def evidence_of(answers: Sequence[LaplaceAnswers]) -> float:
    """The mean over classes, as in scikit-learn; of several processes, that of their mixture with equal weights."""
    each = [float(of_view.evidence.mean()) for of_view in answers]
    return each[0] if len(each) == 1 else float(np.logaddexp.reduce(each) - np.log(len(each)))
