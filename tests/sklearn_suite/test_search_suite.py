"""scikit-learn's ``test_search.py`` with its searches replaced by `FoldlessSearch`; conftest.py says which are slow."""

import pytest
import sklearn
from sklearn_suite.borrowed import NOT_PASSING, borrowed_from

FILE = "model_selection/tests/test_search.py"
BORROWED = dict.fromkeys(borrowed := borrowed_from(FILE), FILE)
globals().update(borrowed)


def test_every_test_that_does_not_pass_has_a_reason_and_is_there():
    for (file, test), row in NOT_PASSING.items():
        assert row["kind"] in ("differs", "does not apply")
        assert len(row["reason"].split()) > 5
        assert file != FILE or test in borrowed


@pytest.mark.skipif(not sklearn.__version__.startswith("1.9"), reason="counted for scikit-learn 1.9")
def test_at_most_two_tests_of_searches_differ():
    differing = [test for (file, test), row in NOT_PASSING.items() if file == FILE and row["kind"] == "differs"]
    assert len(differing) <= 2
