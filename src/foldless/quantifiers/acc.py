"""Adjusted count: the shares p whose predictions would be counted as they were, Σ_j p_j P(ŷ = i | y = j) = q_i.

The rates P(ŷ | y) come from labeled rows that the classifier has not seen, and are taken to hold for the pool as well
(only the shares differ). Where no shares in [0, 1] solve the equations, those nearest in squared error are taken.

Where a classifier hardly separates the classes, the equations are ill-conditioned: small errors of the rates become
large ones of the shares. `ill_conditioned` says when the rates are within their sampling noise of a table that cannot
be solved. The noise is that of draws from the Dirichlet posterior of each class under Jeffreys' prior.

References
----------
Forman, G. (2008). Quantifying counts and costs via classification. Data Mining and Knowledge Discovery 17.
Hopkins and King (2010). A method of automated nonparametric content analysis. American J. of Political Science 54.
"""

from dataclasses import dataclass

import numpy as np

from foldless.core import Array
from foldless.errors import BadInput
from foldless.quantifiers._matching import OfLabels
from foldless.quantifiers._simplex import simplex_least_squares

SINGULAR = 1e-9  # least singular value of rates that can be solved for
DRAWS = 400  # of rates, for their noise
JEFFREYS = 0.5
MAX_RATES = 2**24  # rates that are drawn at once, 128 MB: all draws of up to 204 classes
LEAST_DRAWS = 20  # of the noise of many classes, whose size hardly differs between draws


@dataclass(frozen=True)
class ACC(OfLabels):
    """Adjust counts of predicted classes by the rates of right and wrong predictions, by least squares on the simplex.

    Examples
    --------
    >>> from foldless.quantifiers import Held
    >>> predicted, y = np.repeat([0, 1, 0, 1], [90, 10, 20, 80]), np.repeat([0, 1], 100)
    >>> learned = ACC().learn(Held(predicted, y, n_classes=2))
    >>> learned.aggregate(np.repeat([0, 1], [70, 30])).round(3)
    array([0.714, 0.286])
    """


def adjusted_count(counted: Array, table: Array) -> Array:
    """Shares of the classes, from the shares that were counted.

    Parameters
    ----------
    counted : shares (K,) of the predicted labels
    table : labeled rows (K, K) by true and predicted class

    Examples
    --------
    >>> adjusted_count(np.array([0.7, 0.3]), np.array([[90, 10], [20, 80]])).round(3).tolist()
    [0.714, 0.286]
    """
    sizes = table.sum(axis=1)
    if not sizes.all():
        raise BadInput(
            f"class {int(np.argmin(sizes))} has no row in the table, so its rates are not known: hold out more rows"
        )
    rates = table / sizes[:, None]
    if len(rates) > 1 and np.linalg.svd(rates, compute_uv=False)[-1] < SINGULAR:
        raise BadInput(
            "the confusion rates of some classes equal those of others or mixtures of them, so counts cannot be "
            "adjusted: use classify_and_count, or a classifier that separates the classes"
        )
    return np.asarray(simplex_least_squares(rates.T, counted[None, :])[0])


def ill_conditioned(table: Array, rng: np.random.Generator, draws: int = DRAWS) -> bool:
    """Whether the rates of a table are within their sampling noise of rates that cannot be solved for the shares."""
    table = np.asarray(table)
    if len(table) < 2:
        return False
    rates = table / table.sum(axis=1, keepdims=True)
    drawn = drawn_rates(table, min(draws, max(LEAST_DRAWS, MAX_RATES // len(table) ** 2)), rng)
    noise = np.median(np.linalg.norm(drawn - drawn.mean(axis=0), ord=2, axis=(1, 2)))
    return bool(np.linalg.svd(rates, compute_uv=False)[-1] <= noise)


def drawn_rates(table: Array, draws: int, rng: np.random.Generator) -> Array:
    """Rates (draws, K, K) of predicted classes in each true one, from their posterior."""
    return np.stack([rng.dirichlet(row + JEFFREYS, draws) for row in np.asarray(table)], axis=1)
