"""ADJ: the training error, times the largest ratio of distances to simpler candidates on the pool and on the labels.

    score_k = error(h_k) · max_{j<k} d_U(h_j, h_k) / d_L(h_j, h_k)

The distance to the truth is known only on the labeled rows, distances between candidates on labeled rows and pool. If
the labeled rows underestimate the latter, they are assumed to underestimate the former by the same factor.

Candidates must be ordered from the simplest to the most complex. 0/0 counts as 1 and x/0 as ∞; the simplest candidate
has the factor 1. A training error of 0 stays 0 whatever the factor, so that with few labels many candidates tie and the
simplest wins. The distance is the share of rows on which labels differ, the total variation of probabilities, or of
regressors, for which the method was made, the root of the mean squared difference of values.

References
----------
Schuurmans & Southey (2002). Metric-based methods for adaptive model selection and regularization. Machine Learning 48.
Quanz & Huan (2012). Section 2.2.2, on candidates with a training error of 0.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from foldless.core import Array, Choice, Criterion, Evaluation, Task, Traits
from foldless.criteria import register
from foldless.judging import _distances as distances
from foldless.judging._pool_distances import on_labels_and_pool


@register("adj", place=12)
@dataclass(frozen=True)
class ADJ(Criterion):
    """Rank by the adjusted training error.

    Parameters
    ----------
    answers : "labels" or "probabilities"
        The predictions that distances compare; of regressors they are values.
    """

    answers: Literal["labels", "probabilities"] = "labels"

    better: ClassVar[Literal["higher", "lower"]] = "lower"
    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    traits: ClassVar[Traits] = Traits(regression=True, compares=True)
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are drawn from the same population",
        "candidates are ordered from the simplest to the most complex",
        "on labeled rows, errors and distances between candidates are too small by the same factor",
    )

    def evaluate(self, task: Task) -> Evaluation:
        on_labels, on_pool = yield from on_labels_and_pool(task, self.answers)
        choices = []
        for k, c in enumerate(task.candidates):
            error = distances.from_truth(on_labels[k], task.y)
            ratios = (_ratio(on_pool.between(j, k), on_labels[j], on_labels[k]) for j in range(k))
            factor = max(ratios, default=1.0)
            note = f"error {error:.4g}, factor {factor:.4g}"
            choices.append(Choice(c, error * factor if error else 0.0, (task.full(c),), notes=(note,)))
        return choices


def _ratio(on_pool: float, labels_j: Array, labels_k: Array) -> float:
    """How much farther apart two candidates are on the pool than on the labeled rows."""
    on_labels = distances.between(labels_j, labels_k)
    if on_labels > 0:
        return on_pool / on_labels
    return np.inf if on_pool > 0 else 1.0
