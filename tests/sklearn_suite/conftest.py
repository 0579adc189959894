"""scikit-learn's tests of searches: what they warn of, and why some do not pass.

Many of them provoke a warning and let it pass, because scikit-learn runs them with warnings allowed. Those warnings are
silent here; one that scikit-learn's searches would not give is an error, as everywhere in these tests.
``not_passing.csv`` has a row for each of them: one that ``differs`` must fail, one that ``does not apply`` is left out.
Tests of searches that take long are slow; those of all other parts of scikit-learn are for ``make drop-in``.
"""

from pathlib import Path
from typing import Any

import pytest
import sklearn
from sklearn_suite.borrowed import NOT_PASSING, uses_search

SLOW = {  # tenths of a second and more
    "test_SearchCV_with_fit_params",
    "test_custom_run_search",
    "test_cv_results_dtype_issue_29074",
    "test_cv_results_multi_size_array",
    "test_empty_cv_iterator_error",
    "test_grid_search_correct_score_results",
    "test_grid_search_cv_results",
    "test_grid_search_cv_results_multimetric",
    "test_grid_search_cv_splits_consistency",
    "test_grid_search_no_score",
    "test_grid_search_one_grid_point",
    "test_grid_search_score_method",
    "test_grid_search_sparse",
    "test_grid_search_sparse_scoring",
    "test_grid_search_with_multioutput_data",
    "test_n_features_in",
    "test_random_search_cv_results",
    "test_random_search_cv_results_multimetric",
    "test_random_search_bad_cv",
    "test_refit_callable",
    "test_search_cv_sample_weight_equivalence",
    "test_search_cv_score_samples_method",
    "test_search_cv_using_minimal_compatible_estimator",
    "test_search_html_repr",
    "test_search_with_2d_array",
    "test_searchcv_raise_warning_with_non_finite_score",
    "test_unsupervised_grid_search",
}

SAME = (  # what scikit-learn's searches warn of in the same tests
    "A column-vector y was passed",
    "Liblinear failed to converge",
    "Maximum number of iteration reached",
    "One or more of the (test|train) scores are non-finite",
    "R.2 score is not well-defined",
    "Scoring failed",
    "The estimator NoCallbackEstimator does not support callbacks",
    "The least populated class in y has only",
    "The total space of parameters",
)
OWN = (
    "ConsumingSplitter puts rows of group",  # told here, and not there: docs/drop_in.md
    "refit='accuracy' is not the metric of scoring='recall'",
    "A worker stopped while some jobs",  # of joblib, on a busy machine
)
# any other UserWarning is an error where the tests are those that were read
REST = ("ignore", "error::UserWarning") if sklearn.__version__.startswith("1.9") else ("ignore",)
RULES = (*REST, *(f"ignore:{message}:UserWarning" for message in (*SAME, *OWN)))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The other files of scikit-learn are imported only where they are run."""
    nightly = "not nightly" not in (config.getoption("markexpr") or "")
    return True if collection_path.name == "test_other_suites.py" and not nightly else None


def pytest_collection_modifyitems(items: list[Any]) -> None:
    left = []
    for item in items:
        path = getattr(item.module, "BORROWED", {}).get(getattr(item, "originalname", None))
        if path is None:
            left.append(item)
            continue
        row = NOT_PASSING.get((path, item.function.__name__))
        if not uses_search(item) or (row is not None and row["kind"] == "does not apply"):
            continue
        item.add_marker(pytest.mark.filterwarnings(*RULES), append=False)
        if row is not None:
            item.add_marker(pytest.mark.xfail(reason=row["reason"], strict=True))
        if not path.endswith("test_search.py"):
            item.add_marker(pytest.mark.nightly)
        elif item.function.__name__ in SLOW:
            item.add_marker(pytest.mark.slow)
        left.append(item)
    items[:] = left


@pytest.fixture
def global_random_seed() -> int:
    """Of scikit-learn's own conftest."""
    return 42
