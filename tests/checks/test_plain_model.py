"""FL028: a chosen model that is clearly worse than a plain one."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers.checked_data import FixedFits, codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply
from foldless.results import Estimate


def chosen(value):
    estimate = Estimate("accuracy", value, value - 0.05, value + 0.05, 0.95, "labels", (), 100)
    return SimpleNamespace(estimate=estimate, baseline=None)


def test_worse_than_a_plain_model():
    fits = FixedFits(np.arange(100) % 10 > 0)
    assert codes_of("FL028", numbers(), fits=fits, selection=chosen(0.6)) == ["FL028"]
    assert codes_of("FL028", numbers(), fits=fits, selection=chosen(0.88)) == []
    with pytest.raises(DoesNotApply, match="no search"):
        diagnoses("FL028", numbers())
