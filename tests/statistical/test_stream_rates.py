"""How fast streams are learned: the distance to the best that weights can do falls at least about as 1/√T.

Theorems 3 and 6 promise O(1/√T). The slope of log distance over log T is fitted to means over streams; that of a
learner whose duals are wrong, which settles elsewhere, is near zero.
"""

import numpy as np
import pytest
from streams import best_surrogate, drawn, surrogate, weights_of

from foldless.measures import CQReward, Nested, QMeasure
from foldless.online import NEMSIS, SCAN

LENGTHS = 2 ** np.arange(9, 16)
STREAMS = 12
WORLD = drawn(60_000, 4, share=0.2, seed=10_000)
WRONG = Nested(  # the sign of NSS's dual turned
    psi=lambda x, y: 2 * x * y / (x + y), psi_gradient=lambda x, y: (0.5, 0.5),
    zeta1=lambda P, N, p: (P + N) / 2, zeta1_gradient=lambda P, N, p: (0.5, 0.5),
    zeta2=lambda P, N, p: 1 - (p * (1 - P) - (1 - p) * (1 - N)) ** 2,
    zeta2_gradient=lambda P, N, p: (2 * (N - P), 2 * (P - N)),
)  # fmt: skip


def slope(model, measure, best):
    distances = np.zeros((STREAMS, len(LENGTHS)))
    for seed in range(STREAMS):
        X, y = drawn(LENGTHS[-1], 4, share=0.2, seed=seed)
        for at, n in enumerate(LENGTHS):
            distances[seed, at] = best - surrogate(measure, *WORLD, weights_of(model.fit(X[:n], y[:n])))
    return np.polyfit(np.log(LENGTHS), np.log(distances.mean(axis=0)), 1)[0]


@pytest.mark.parametrize(("model", "measure"), [
    (NEMSIS("q_measure", low=-np.inf, eta0=0.3), QMeasure()), (SCAN("cq_reward", low=-np.inf, eta0=0.3), CQReward()),
], ids=str)  # fmt: skip
def test_the_distance_falls_as_the_root_of_the_rows(model, measure):
    start = weights_of(model.fit(*WORLD))
    best, _ = best_surrogate(measure, *(part[:20_000] for part in WORLD), start)
    best = max(best_surrogate(measure, *WORLD, start)[0], surrogate(measure, *WORLD, start))
    found = slope(model, measure, best)
    assert -1.5 < found < -0.4, found


def test_a_wrong_dual_does_not_arrive():
    start = weights_of(NEMSIS("q_measure", low=-np.inf, eta0=0.3).fit(*WORLD))
    best, _ = best_surrogate(QMeasure(), *WORLD, start)
    assert slope(NEMSIS(WRONG, low=-np.inf, eta0=0.3), QMeasure(), best) > -0.2
