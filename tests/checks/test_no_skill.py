"""FL027: a cheap model beside a constant prediction."""

import numpy as np
from helpers.checked_data import FixedFits, codes_of, diagnoses, numbers

y = np.arange(100) % 2


def test_a_coin_is_not_above_a_constant():
    coin = np.random.default_rng(0).random(100) < 0.55
    (one,) = diagnoses("FL027", numbers(), y, fits=FixedFits(coin, y))
    assert "always saying 0" in one.finding.problem
    assert codes_of("FL027", numbers(), y, fits=FixedFits(np.arange(100) % 10 > 0, y)) == []
