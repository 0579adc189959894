"""FL003: a class is rare only where labels are enough to say so."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, numbers


@pytest.mark.parametrize(("n", "rare", "found"), [(60, 2, []), (900, 2, ["FL003"]), (900, 200, [])])
def test_few_labels_do_not_show_imbalance(n, rare, found):
    y = np.where(np.arange(n) < rare, "fraud", "fine")
    assert codes_of("FL003", numbers(n), y) == found
