"""What Gaussian processes say: scores are logits of probabilities, evidence is a logarithm.

Several processes (one per view) may answer together: the mean of their probabilities is then the answer.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import expit, log_expit, log_softmax

from foldless.core import Array, Response
from foldless.learners.laplace_sets import Answers

STRAIGHT = 0.9  # a mean of tanh(z / 2) up to which its inverse is well conditioned


def together(scores: Sequence[Array]) -> Array:
    """The logit of the mean probability, to full relative precision also near 0."""
    if len(scores) == 1:
        return scores[0]
    z = np.stack(scores)
    mean = np.tanh(z / 2).mean(axis=0)
    far = np.logaddexp.reduce(log_expit(z)) - np.logaddexp.reduce(log_expit(-z))
    return np.where(np.abs(mean) < STRAIGHT, 2 * np.arctanh(np.clip(mean, -STRAIGHT, STRAIGHT)), far)


def evidence_of(answers: Sequence[Answers]) -> float:
    """The mean over classes, as in scikit-learn; that of several processes is of a mixture with even weights."""
    each = [float(one.evidence.mean()) for one in answers]
    return each[0] if len(each) == 1 else float(np.logaddexp.reduce(each) - np.log(len(each)))


def spoken(scores: Array, response: Response) -> Array:
    """Scores of shape (problems, n) as the predict methods give them; labels as class numbers."""
    scores = scores[0] if len(scores) == 1 else scores.T
    if response == "probabilities":
        return probabilities(scores)
    if response == "labels":
        return (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
    return scores


def probabilities(scores: Array) -> Array:
    """σ(s), divided by the sum over classes where there are more than two."""
    if scores.ndim == 1:
        both = np.empty((len(scores), 2))
        expit(-scores, out=both[:, 0])
        expit(scores, out=both[:, 1])
        return both
    return np.exp(log_softmax(log_expit(scores), axis=1))
