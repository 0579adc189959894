"""Weights, centers and the state of stream learners: one number for each column that a row has."""

from typing import Any

import numpy as np


def _is_linear(model: Any) -> bool:
    """Weights are looked up by column without looking at their number; a model that is not fitted has none."""
    return not hasattr(model, "coef_") or model.coef_.shape[1:] == (model.n_features_in_,)


def _has_centers(model: Any) -> bool:
    if not hasattr(model, "cluster_centers_"):
        return True
    centers = model.cluster_centers_
    return isinstance(centers, np.ndarray) and len(centers) > 0 and centers.shape[1:] == (model.n_features_in_,)


def _is_stream_learner(model: Any) -> bool:
    """The state is that of as many problems, features and numbers as the learner makes."""
    if not hasattr(model, "_state"):
        return not hasattr(model, "classes_")
    shapes = model._shapes(int(model.n_features_in_), model.classes_)
    kinds = {name: np.float64 if name == "scalars" else np.float32 for name in shapes}
    return model._state.keys() == shapes.keys() and all(
        part.shape == shapes[name] and part.dtype == kinds[name] and part.flags.c_contiguous
        for name, part in model._state.items()
    )


CHECKS = {
    "foldless.learners.L1LogisticRegression": _is_linear,
    "foldless.saving.AveragedWeights": _is_linear,
    "foldless.online.NEMSIS": _is_stream_learner,
    "foldless.online.SCAN": _is_stream_learner,
    "sklearn.cluster._kmeans.KMeans": _has_centers,
    "sklearn.cluster._kmeans.MiniBatchKMeans": _has_centers,
}
