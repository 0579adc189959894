from math import log, sqrt

import numpy as np
import pytest

from foldless.bounds._hoeffding import upper


def test_by_hand():
    assert upper(np.array([1, 0, 2, 1] * 25), 4, 0.05) == pytest.approx(0.25 + sqrt(log(20) / 200))
