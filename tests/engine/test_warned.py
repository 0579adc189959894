"""Warnings of fits: one for each fact."""

import warnings

from sklearn.exceptions import ConvergenceWarning

from foldless.engine._warned import new_kinds, of_one_kind

AT_ONE = (ConvergenceWarning, "it did not converge in 100 passes at C = 1000: raise max_iter")
AT_TWO = (ConvergenceWarning, "it did not converge in 100 passes at C = 1e+02, 1000: raise max_iter")
ANOTHER = (ConvergenceWarning, "another did not converge in 100 passes at C = 1000: raise max_iter")


def test_warnings_that_differ_in_numbers_are_one_with_the_fits_of_all():
    other_category = (UserWarning, AT_ONE[1])
    assert of_one_kind({AT_ONE: 3, AT_TWO: 2, other_category: 1, ANOTHER: 1}) == {
        AT_TWO: 5,
        other_category: 1,
        ANOTHER: 1,
    }


def test_what_is_known_is_not_said_again():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with new_kinds([AT_TWO]):
            warnings.warn(AT_ONE[1], AT_ONE[0], stacklevel=1)
            warnings.warn(ANOTHER[1], ANOTHER[0], stacklevel=1)
    assert [str(each.message) for each in caught] == [ANOTHER[1]]
