"""FL007: test rows that are training rows, and the form without them."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply


def test_training_rows_in_the_test_are_counted():
    labeled, test = numbers(40), numbers(50, seed=2)
    both = {name: np.append(labeled[name][:5], test[name]) for name in test}
    (one,) = diagnoses("FL007", labeled, test=both)
    assert one.finding.problem == "5 of 55 test rows are rows of the training data"
    assert one.variant is not None
    assert one.variant.test_rows.tolist() == [0, 1, 2, 3, 4]
    assert codes_of("FL007", labeled, test=test) == []
    assert diagnoses("FL007", labeled, test=labeled)[0].untold == "no test row is left without them"
    with pytest.raises(DoesNotApply, match="no test rows"):
        diagnoses("FL007", labeled)
