"""The chance that labels miss a value, beside all ways to draw them."""

from itertools import combinations

import numpy as np
import pytest

from foldless.checks._unseen import never_labeled


@pytest.mark.parametrize(("n", "m", "c"), [(3, 4, 2), (2, 5, 1), (4, 3, 3), (2, 2, 4)])
def test_it_is_the_share_of_draws_without_the_value(n, m, c):
    draws = [set(drawn) for drawn in combinations(range(n + m), n)]
    share = np.mean([not drawn & set(range(c)) for drawn in draws])
    assert never_labeled(np.array([c]), n, m)[0] == pytest.approx(
        share if c <= m else never_labeled(np.array([m]), n, m)[0]
    )
