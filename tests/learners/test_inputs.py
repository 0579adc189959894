"""Parameters that must be numbers above zero."""

import numpy as np
import pytest

from foldless.learners.inputs import check_positive


def test_finite_numbers_above_zero_pass():
    check_positive(1e-300, "lam")
    check_positive(np.float32(3), "lam")
    check_positive(0, "mu", zero=True)


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize(
    ("number", "error", "told"),
    [
        (-1, ValueError, "lam == -1, must be >"),
        (np.inf, ValueError, "lam must be a finite number, got inf"),
        (np.nan, ValueError, "lam must be a finite number, got nan"),
        ("1", TypeError, "lam must be an instance of"),
    ],
)
def test_others_are_named(number, error, told, zero):
    with pytest.raises(error, match=told):
        check_positive(number, "lam", zero=zero)


def test_zero_must_be_allowed():
    with pytest.raises(ValueError, match="lam == 0, must be > 0"):
        check_positive(0, "lam")
