"""Measures in words: what scikit-learn calls ``f1_macro`` is "macro F1" wherever people read it.

Names stay scikit-learn's where they are typed, and in ``to_dict()`` and JSON.
"""

import re

AVERAGES = ("macro", "micro", "weighted", "samples")
"""What stands behind the name of a measure of one class, where it is of all classes."""
OF_CLASSES = {"f1": "F1", "jaccard": "Jaccard index", "precision": "precision", "recall": "recall"}
WORDS = {
    **OF_CLASSES,
    **{f"{name}_{average}": f"{average} {word}" for name, word in OF_CLASSES.items() for average in AVERAGES},
    "accuracy": "accuracy",
    "average_precision": "average precision",
    "balanced_accuracy": "balanced accuracy",
    "explained_variance": "explained variance",
    "matthews_corrcoef": "Matthews correlation",
    "r2": "R²",
    "roc_auc": "ROC AUC",
    "roc_auc_ovo": "ROC AUC of pairs of classes",
    "roc_auc_ovo_weighted": "weighted ROC AUC of pairs of classes",
    "roc_auc_ovr": "ROC AUC of each class",
    "roc_auc_ovr_weighted": "weighted ROC AUC of each class",
    "top_k_accuracy": "top-2 accuracy",
    "positive_likelihood_ratio": "positive likelihood ratio",
    "neg_negative_likelihood_ratio": "minus the negative likelihood ratio",
    "neg_brier_score": "minus the Brier score",
    "neg_log_loss": "minus the log loss",
    "neg_max_error": "minus the largest error",
    "neg_mean_absolute_error": "minus the mean absolute error",
    "neg_mean_absolute_percentage_error": "minus the mean absolute error in percent",
    "neg_mean_gamma_deviance": "minus the gamma deviance",
    "neg_mean_poisson_deviance": "minus the Poisson deviance",
    "neg_mean_squared_error": "minus the mean squared error",
    "neg_mean_squared_log_error": "minus the mean squared log error",
    "neg_median_absolute_error": "minus the median absolute error",
    "neg_root_mean_squared_error": "minus the root mean squared error",
    "neg_root_mean_squared_log_error": "minus the root mean squared log error",
    "d2_absolute_error_score": "D² of absolute errors",
    "d2_brier_score": "D² of the Brier score",
    "d2_log_loss_score": "D² of the log loss",
}

_METRIC = re.compile(r"Metric\(name='(\w+)', positive=(.*)\)")
_SCORING = "scoring="


def in_words(measure: str) -> str:
    """The words for a measure; what is not one of scikit-learn's names stays as it is.

    Examples
    --------
    >>> in_words("f1_macro"), in_words("roc_auc of 'yes'"), in_words("expected cost"), in_words("my_own")
    ('macro F1', "ROC AUC of 'yes'", 'expected cost', 'my_own')
    """
    name, of, positive = measure.partition(" of ")
    return f"{WORDS.get(name, name)}{of}{positive}"


def criterion_in_words(criterion: str) -> str:
    """The name of a criterion, with the measure in words behind it and not as a parameter.

    Examples
    --------
    >>> criterion_in_words("combination(scoring='f1_macro')")
    'combination by macro F1'
    >>> criterion_in_words("k_fold(k=10, scoring=Metric(name='f1', positive='yes'))")
    "k_fold(k=10) by F1 of 'yes'"
    >>> criterion_in_words("auto")
    'auto'
    """
    name, bracket, inside = criterion.partition("(")
    parameters = _split(inside[:-1]) if bracket and criterion.endswith(")") else []
    scoring = next((text.removeprefix(_SCORING) for text in parameters if text.startswith(_SCORING)), None)
    if scoring is None:
        return criterion
    others = ", ".join(text for text in parameters if not text.startswith(_SCORING))
    return f"{name}{f'({others})' if others else ''} by {_of_repr(scoring)}"


def _of_repr(scoring: str) -> str:
    if scoring.startswith("Costs("):
        return "expected cost"
    if metric := _METRIC.fullmatch(scoring):
        return f"{in_words(metric[1])} of {metric[2]}"
    return in_words(scoring.strip("'\""))


def _split(parameters: str) -> list[str]:
    """Parameters between commas that are in no bracket and no string."""
    parts, depth, quote = [""], 0, ""
    for sign in parameters:
        if quote or sign in "'\"":
            quote = "" if sign == quote else quote or sign
        depth += 0 if quote else (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
