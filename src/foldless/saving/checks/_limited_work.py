"""Types whose predictions take time or memory by a number of their own: not more than training makes, or than a limit.

Most types take what their arrays tell. These repeat something until a number of times is reached, or write as many
columns as a number says.
"""

from typing import Any

import numpy as np

from foldless.saving._plain_shapes import within

MAX_ITERATIONS = 100_000  # while rows are transformed
MAX_COLUMNS = 2**20  # that a transformer makes of others


def _iterates(*names: str) -> Any:
    """A check that these numbers of iterations have a limit, where they are there."""

    def check(model: Any) -> bool:
        limits = [getattr(model, name, None) for name in names]
        return all(most is None or _count(most) <= MAX_ITERATIONS for most in limits)

    return check


def _factorizes(model: Any) -> bool:
    """Rows are factorized by as many parts as there are."""
    known = not hasattr(model, "components_") or model._n_components == model.n_components_ == len(model.components_)
    return known and _iterates("max_iter", "_transform_max_iter")(model)


def _is_polynomial(model: Any) -> bool:
    """As many products as there are up to a degree."""
    if not hasattr(model, "n_output_features_"):
        return True
    parts = {"n_features": _count(model.n_features_in_), "interaction_only": bool(model.interaction_only)}
    least, most, bias = _count(model._min_degree), _count(model._max_degree), bool(model.include_bias)
    written = model._num_combinations(**parts, min_degree=least, max_degree=most, include_bias=bias)
    whole = model._num_combinations(**parts, min_degree=0, max_degree=most, include_bias=bias)
    return (model.n_output_features_, model._n_out_full) == (written, whole) and whole <= MAX_COLUMNS


def _is_count_sketch(model: Any) -> bool:
    """Each power has its hashes, and each hash a column."""
    if not hasattr(model, "indexHash_"):
        return True
    columns, signs, k = np.asarray(model.indexHash_), np.asarray(model.bitHash_), _count(model.n_components)
    return (
        columns.shape == signs.shape
        and len(columns) == _count(model.degree)
        and within(columns, k)
        and k <= MAX_COLUMNS
    )


def _samples(model: Any) -> bool:
    return _count(model.sample_steps) * getattr(model, "n_features_in_", 1) <= MAX_COLUMNS


def _guesses_one_column(model: Any) -> bool:
    """A guess for one label column, of which the classes are known."""
    if not hasattr(model, "n_outputs_"):
        return True
    return model.n_outputs_ == 1 and getattr(model, "n_classes_", 1) == len(getattr(model, "classes_", "1"))


def _knows_its_classes(model: Any) -> bool:
    return not hasattr(model, "n_classes_") or model.n_classes_ == len(model.classes_)


def _count(number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 0:
        raise ValueError(f"{number!r} is not a count")
    return int(number)


CHECKS = {
    "sklearn.decomposition._dict_learning.DictionaryLearning": _iterates("transform_max_iter"),
    "sklearn.decomposition._dict_learning.MiniBatchDictionaryLearning": _iterates("transform_max_iter"),
    "sklearn.decomposition._dict_learning.SparseCoder": _iterates("transform_max_iter"),
    "sklearn.decomposition._lda.LatentDirichletAllocation": _iterates("max_doc_update_iter"),
    "sklearn.decomposition._nmf.MiniBatchNMF": _factorizes,
    "sklearn.decomposition._nmf.NMF": _factorizes,
    "sklearn.dummy.DummyClassifier": _guesses_one_column,
    "sklearn.dummy.DummyRegressor": _guesses_one_column,
    "sklearn.ensemble._bagging.BaggingClassifier": _knows_its_classes,
    "sklearn.ensemble._weight_boosting.AdaBoostClassifier": _knows_its_classes,
    "sklearn.kernel_approximation.AdditiveChi2Sampler": _samples,
    "sklearn.kernel_approximation.PolynomialCountSketch": _is_count_sketch,
    "sklearn.preprocessing._polynomial.PolynomialFeatures": _is_polynomial,
}
