"""scikit-learn's ``test_search.py`` with its searches replaced by `FoldlessSearch`."""

from sklearn_suite.borrowed import borrowed_from

BORROWED = dict.fromkeys(
    tests := borrowed_from("model_selection/tests/test_search.py"), "model_selection/tests/test_search.py"
)
globals().update(tests)
