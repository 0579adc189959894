"""From logits to scores, labels or probabilities, one-vs-rest.

Two classes have one logit, that of the second; with more, σ of each class is divided by the sum.
"""

import numpy as np
from scipy.special import expit, log_expit, log_softmax

from foldless.core import Array, Response


def as_response(scores: Array, response: Response) -> Array:
    """Scores of shape (problems, n) as the predict methods return them; labels as class numbers."""
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
