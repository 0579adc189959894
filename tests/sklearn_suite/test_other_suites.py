"""Tests of other parts of scikit-learn that use a search, with the searches replaced by `FoldlessSearch`."""

from sklearn_suite.borrowed import borrowed_from

FILES = (
    "decomposition/tests/test_kernel_pca.py",
    "ensemble/tests/test_bagging.py",
    "ensemble/tests/test_forest.py",
    "ensemble/tests/test_voting.py",
    "ensemble/tests/test_weight_boosting.py",
    "feature_extraction/tests/test_text.py",
    "impute/tests/test_impute.py",
    "linear_model/tests/test_coordinate_descent.py",
    "linear_model/tests/test_logistic.py",
    "linear_model/tests/test_ridge.py",
    "linear_model/tests/test_sgd.py",
    "metrics/tests/test_regression.py",
    "metrics/tests/test_score_objects.py",
    "model_selection/tests/test_split.py",
    "model_selection/tests/test_validation.py",
    "neighbors/tests/test_kde.py",
    "tests/test_base.py",
    "tests/test_metaestimators.py",
    "tests/test_metaestimators_metadata_routing.py",
    "tests/test_multiclass.py",
    "tests/test_multioutput.py",
    "utils/_repr_html/tests/test_estimator.py",
    "utils/tests/test_parallel.py",
)
BORROWED = {}
for file in FILES:
    for name, test in borrowed_from(file).items():
        own = f"{name}_of_{file.split('/')[-1].removesuffix('.py').removeprefix('test_')}"
        BORROWED[own] = file
        globals()[own] = test
del test
