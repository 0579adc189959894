"""scikit-learn's ``test_search.py`` with its searches replaced by `FoldlessSearch`."""

from sklearn_suite.borrowed import tests_of

BORROWED = dict.fromkeys(tests := tests_of("model_selection/tests/test_search.py"), "model_selection/tests/test_search.py")
globals().update(tests)
