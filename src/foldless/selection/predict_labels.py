"""The labels that a model predicts, and None for the rows that it cannot reach."""

from typing import Any

from sklearn.base import is_regressor

from foldless.core import Array
from foldless.errors import BadInput


def refuse_regressor(model: Any, what: str = "the model is a regressor") -> None:
    """Measures of classes are not for values."""
    if hasattr(model, "__sklearn_tags__") and is_regressor(model):
        raise BadInput(
            f"{what}, and only classifiers are measured here: name the rows as test rows when you choose the model"
        )


def predict_labels(model: Any, X: Any) -> Array:
    """The labels that a fitted model predicts for some rows; None where no labeled row reaches one.

    scikit-learn's ``LabelPropagation`` and ``LabelSpreading`` predict the first class for rows that are too far from
    all labeled rows. Here these rows have no label, and the array is of dtype object. For other models it is
    ``model.predict(X)``.

    Examples
    --------
    >>> from sklearn.semi_supervised import LabelSpreading
    >>> from foldless.selection import predict_labels
    >>> model = LabelSpreading(gamma=10).fit([[0.0], [1.0], [1.1]], [0, 1, -1])
    >>> predict_labels(model, [[0.1], [1e6]])
    array([0, None], dtype=object)
    """
    from foldless.engine._fits import label

    labels, _ = label(model, X)
    return labels
