"""What the learners of streams share: labels and shares at the door, and linear scores.

Two classes are one problem, that of the second class. K classes are K problems, each class against all others, each
with the share of its class: every count is learned for itself, and the counts need not add up to the number of rows. A
class is counted where its own score is positive; the label of a row is the class with the highest score, and counts of
labels are not those learned.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from foldless.core import Array
from foldless.errors import BadInput
from foldless.learners._inputs import EITHER_PRECISION, check_several
from foldless.learners._logits import LinearClassifier, in_blocks


class OneVsRest(LinearClassifier):
    """A linear classifier for each class against the others, which counts classes too."""

    def predict_shares(self, X: Any) -> Array:
        """The share of every class among rows X, as learned: of rows whose score for that class is positive.

        Shares of more than two classes are each learned for itself: they need not add up to one, and labels from
        ``predict`` have other shares.
        """
        X, coef, intercept = self._rows_and_weights(X)
        counts = sum(np.count_nonzero(part > 0, axis=0) for part in in_blocks(X, coef, intercept))
        predicted = np.asarray(counts / X.shape[0])
        return np.array([1 - predicted[0], predicted[0]]) if len(predicted) == 1 else predicted

    def _labeled(self, X: Any, y: Any, **forms: Any) -> tuple[Any, Array, Array]:
        """What ``fit`` is given: rows, the classes, and the code of every label."""
        X, y = validate_data(self, X, y, **EITHER_PRECISION, **forms)
        return X, *coded(y, None, type(self).__name__)

    def _further(self, X: Any, y: Any, classes: Any, **forms: Any) -> tuple[Any, Array, Array]:
        """What a call of ``partial_fit`` is given: rows, all classes of the stream, and the code of every label."""
        fresh = not hasattr(self, "classes_")
        X, y = validate_data(self, X, y, reset=fresh, **EITHER_PRECISION, **forms)
        if fresh and classes is None:
            raise BadInput("classes must be passed on the first call to partial_fit: name all classes of the stream")
        if not fresh and classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise BadInput(f"classes must stay as in the first call, {self.classes_.tolist()}, got {classes!r}")
        return X, *coded(y, np.unique(classes) if fresh else self.classes_, type(self).__name__)


def positive_classes(classes: Array) -> list[int]:
    """The classes that are the positive one of a problem, by their codes."""
    return [1] if len(classes) == 2 else list(range(len(classes)))


def coded(y: Any, classes: Array | None, who: str) -> tuple[Array, Array]:
    """The classes, found or given, and the code of every label."""
    if y.dtype.kind not in "biuSU":  # whole numbers and words are classes, which takes scikit-learn a while to see
        check_classification_targets(y)
    if classes is None:
        classes, codes = _classes_and_codes(y)
    else:
        codes = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
        strange = np.flatnonzero(classes[codes] != y)
        if len(strange):
            known = ", ".join(map(repr, classes.tolist()))
            raise BadInput(
                f"y holds {y[strange].tolist()[0]!r} in row {strange[0]}, which is not one of the classes {known}: "
                f"name all classes in the first call of partial_fit"
            )
    check_several(classes, who)
    return classes, codes.astype(np.int32, copy=False)


def _classes_and_codes(y: Array) -> tuple[Array, Array]:
    """The classes among labels, and codes; two whole numbers, the usual case, are found without sorting."""
    if y.dtype.kind in "iu" and len(y):
        low, high = y.min(), y.max()
        second = y == high
        if low < high and (low + 1 == high or ((y == low) | second).all()):  # between neighbors there is nothing
            return np.array([low, high], dtype=y.dtype), second.astype(np.int32)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes


def known_shares(shares: Any, n_classes: int) -> Array | None:
    """The shares of all classes, if they are known; a single number is the share of the second of two."""
    if shares is None:
        return None
    try:
        known = np.asarray(shares, dtype=float)
    except (TypeError, ValueError):
        known = np.array([])
    if known.ndim == 0 and n_classes == 2:
        known = np.array([1 - known, known])
    good = known.shape == (n_classes,) and (known > 0).all() and (known < 1).all() and abs(known.sum() - 1) < 1e-6
    if not good:
        wanted = "a number between 0 and 1, the share of the second class, or " if n_classes == 2 else ""
        raise BadInput(f"shares must be {wanted}{n_classes} numbers between 0 and 1 that add up to 1, got {shares!r}")
    return known


def class_weights(class_weight: Any, classes: Array) -> Array | None:
    """A weight for every class, or None for "balanced"."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        return None
    if class_weight is None:
        return np.ones(len(classes))
    if not isinstance(class_weight, Mapping):
        raise BadInput(f"class_weight must be a dict, 'balanced' or None, got {class_weight!r}")
    weights = np.asarray(compute_class_weight(class_weight, classes=classes, y=classes), dtype=float)
    if not ((weights > 0) & np.isfinite(weights)).all():
        raise BadInput(f"class_weight must hold finite numbers above 0, got {class_weight!r}")
    return weights


def odds_of(weights: Array, code: int) -> float:
    """The weight of a class against the other; with more than two, against rows as they are."""
    return float(weights[1] / weights[0]) if len(weights) == 2 else float(weights[code])
