"""Probabilistic adjusted count: the shares p whose mixture of mean probabilities is that of the pool.

Σ_j p_j E[P(i | x) | y = j] = mean P(i | x): as adjusted count, with probabilities in the place of predicted classes.
The means of each class come from labeled rows that the classifier has not seen, and are taken to hold for the pool.

References
----------
Bella et al. (2010). Quantification via probability estimators. ICDM.
"""

from dataclasses import dataclass

from foldless.quantifiers._matching import OfProbabilities


@dataclass(frozen=True)
class PACC(OfProbabilities):
    """Adjust mean probabilities by those of each class, by least squares on the simplex.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.quantifiers import Held
    >>> held = Held(np.array([[0.8, 0.2], [0.8, 0.2], [0.4, 0.6]]), np.array([0, 0, 1]), n_classes=2)
    >>> PACC().learn(held).aggregate(np.array([[0.7, 0.3], [0.5, 0.5]])).round(2)
    array([0.5, 0.5])
    """
