"""Strategies of labeling that are only compared with: they pick rows, whose labels are then no sample of the pool.

`label_next` adds them to ``foldless.labeling.STRATEGIES``; give their names to ``--strategies``.

* ``uncertainty``: rows about which the leaders are least sure, 1 − (p₁ − p₂) with the two largest class probabilities.
  One model's probabilities are all near ½ and another's near 0 and 1, so that each leader ranks the rows, from 0 to 1,
  and the ranks are averaged. Of values, it is the standard deviation of the leaders' answers.
* ``committee``: rows whose labels the leaders dispute, by the entropy of their weighted votes, −Σ v log v.
* ``core_set``: rows that cover the pool, each the one farthest from all labeled and chosen rows (greedy k-center).

References
----------
Scheffer, Decomain & Wrobel (2001). Active hidden Markov models for information extraction. IDA.
Seung, Opper & Sompolinsky (1992). Query by committee. COLT.
Dagan & Engelson (1995). Committee-based sampling for training probabilistic classifiers. ICML.
Sener & Savarese (2018). Active learning for convolutional neural networks: a core-set approach. ICLR.
"""

from typing import NoReturn

import numpy as np

from foldless.core import Array
from foldless.labeling._drawing_rules import draw_unsure
from foldless.labeling._known_probabilities import Draw
from foldless.labeling._pool_view import PoolView
from foldless.labeling._suggesting import Strategy


def least_sure(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """The n rows about which the leaders are least sure; ties in random order."""
    return _highest(view.unsure, n, rng)


def most_disputed(view: PoolView, n: int, rng: np.random.Generator) -> Array:
    """The n rows on which votes differ most; ties in random order."""
    return _highest(vote_entropy(view), n, rng)


def draw_disputed(view: PoolView, _: int, rng: np.random.Generator) -> Draw:
    """Rows drawn by how much votes differ, in the order of what the leaders say and how unsure they are."""
    return Draw(vote_entropy(view), np.lexsort((rng.random(len(view.unsure)), view.unsure, view.labels)))


def vote_entropy(view: PoolView) -> Array:
    """The entropy of the votes on each row; of values their spread."""
    if view.regression:
        return view.unsure
    entropy = np.zeros(len(view.read))
    for code in range(view.shares.shape[1]):
        share = view.weights @ (view.votes == code)
        entropy -= share * np.log(np.where(share > 0, share, 1.0))
    return np.maximum(entropy, 0.0)


def farthest(view: PoolView, n: int, rng: np.random.Generator) -> Array:  # noqa: ARG001 (all strategies have it)
    """n rows, each the farthest from all labels and from those before it."""
    labeled, pool = view.features
    nearest = np.full(len(pool), np.inf)
    for row in labeled:
        nearest = np.minimum(nearest, _squared_distances(pool, row))
    picked: list[int] = []
    for _ in range(n):
        at = int(nearest.argmax())
        picked.append(at)
        nearest = np.minimum(nearest, _squared_distances(pool, pool[at]))
        nearest[at] = -1.0
    return np.array(picked)


def no_draw(view: PoolView, n: int, rng: np.random.Generator) -> NoReturn:  # noqa: ARG001 (all strategies have it)
    raise ValueError("core_set draws nothing, so that its rows have no probabilities")


def _highest(scores: Array, n: int, rng: np.random.Generator) -> Array:
    return np.lexsort((rng.random(len(scores)), -scores))[:n]


def _squared_distances(rows: Array, center: Array) -> Array:
    difference = rows - center
    return np.asarray(np.einsum("ij,ij->i", difference, difference))


COMPARED = {
    "uncertainty": Strategy(draw_unsure, least_sure),
    "committee": Strategy(draw_disputed, most_disputed),
    "core_set": Strategy(no_draw, farthest, reason="far from all labels"),
}
