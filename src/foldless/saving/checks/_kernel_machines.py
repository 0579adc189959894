"""Support vector machines with kernels: as many coefficients, intercepts and counts as classes and support vectors."""

from typing import Any

import numpy as np
from scipy import sparse

from foldless.saving._plain_shapes import within

KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")


def _is_libsvm(model: Any) -> bool:
    """libsvm reads the arrays of a model as they come; coefficients of a sparse one by their place."""
    if not hasattr(model, "support_"):
        return True
    k, n, width = len(model.classes_), len(model.support_), model.n_features_in_
    pairs = k * (k - 1) // 2
    vectors, dual = model.support_vectors_, model._dual_coef_
    if model.kernel == "precomputed":
        shapes = (
            model.shape_fit_[0] == width
            and within(model.support_, width)
            and not sparse.issparse(vectors)
            and vectors.size == 0
        )
    else:
        shapes = vectors.shape == (n, width)
    return (
        isinstance(model.kernel, str)
        and model.kernel in KERNELS
        and k > 1
        and model.support_.shape == (n,)
        and shapes
        and bool(model._sparse) == sparse.issparse(vectors) == sparse.issparse(dual)
        and dual.shape == (k - 1, n)
        and (not sparse.issparse(dual) or len(dual.data) == (k - 1) * n)
        and model._intercept_.shape == (pairs,)
        and all(part.shape in ((0,), (pairs,)) for part in (model._probA, model._probB))
        and model._probA.shape == model._probB.shape
        and model.class_weight_.shape == (k,)
        and _counts(model._n_support, k, n)
    )


def _is_kernel_svc(model: Any) -> bool:
    """Votes are counted without looking at the bounds of what is read; a model that is not fitted counts none."""
    if not hasattr(model, "classes_"):
        return True
    k, n = len(model.classes_), len(model.support_)
    shapes = model.dual_coef_.shape == (k - 1, n) and model.intercept_.shape == (k * (k - 1) // 2,)
    return bool(k > 1 and shapes and _counts(model.n_support_, k, n))


def _counts(counts: Any, k: int, n: int) -> bool:
    """Whether so many classes have these support vectors; sums of small integers may wrap around."""
    each = [int(count) for count in np.asarray(counts).ravel()]
    return np.shape(counts) == (k,) and min(each) >= 0 and sum(each) == n


CHECKS = {
    "foldless.learners.KernelSVC": _is_kernel_svc,
    "sklearn.svm._classes.NuSVC": _is_libsvm,
    "sklearn.svm._classes.SVC": _is_libsvm,
}
