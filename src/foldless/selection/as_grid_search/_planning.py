"""What the arguments of GridSearchCV mean here: folds, metrics, and which candidate becomes the model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier, is_clusterer, is_outlier_detector, is_regressor
from sklearn.utils import get_tags

from foldless.core import Classes, Criterion, Opaque, Target, Values
from foldless.core._metrics import ONE, SEVERAL
from foldless.core._resampling import LikeScikitLearn, as_splitter
from foldless.criteria import resolve
from foldless.data._minus_one import has_pool
from foldless.data._targets import n_columns
from foldless.engine._candidates import are_regressors, checked_bases, last_step
from foldless.errors import BadInput, BadType, warn_user
from foldless.judging._judge import is_of_answers, own_score, scorer_of
from foldless.judging._split_scores import named
from foldless.judging._value_scoring import METRICS

OTHER_METRIC = (
    "refit={refit!r} is not the metric of scoring={scoring!r}, by which candidates are ranked: pass refit=True"
)
NO_VOTE = (
    "several metrics, a function as refit, or a scorer that reads the model need cross-validation, which does not "
    "use the pool: choose by one metric of predictions to use it, or pass criterion='k_fold'"
)
OPAQUE_POOL = "{what}, so candidates are cross-validated without the pool: pass criterion='k_fold'"
NO_CLASSES = "criterion {criterion!r} reads class labels, and {what}: choose by k_fold, which reads scores only"
SEVERAL_LABELS = (
    ", or pass the labels of each row as a list, so that models train on one copy of the row per label and predict "
    "one label"
)


@dataclass(frozen=True, eq=False)
class SearchPlan:
    """A criterion with the folds and metrics of a search, and the scorers behind them.

    ``kind`` says what labels are to be read as; ``several`` that scoring names metrics.
    """

    criterion: Criterion
    kind: type[Target]
    scorers: Mapping[str, Any]
    several: bool


def plan(search: Any, y: Any, X_unlabeled: Any) -> SearchPlan:
    """What a search does with the data it is given."""
    estimators = checked_bases(search.estimators)
    several = search.scoring is not None and not isinstance(search.scoring, str) and not callable(search.scoring)
    opaque = _why_opaque(estimators, y, resolve(search.criterion), search.cv is not None)
    marker = None if estimators and all(map(is_regressor, estimators)) else search.unlabeled  # −1 may be a value
    pooled = X_unlabeled is not None or (not opaque and has_pool(y, X_unlabeled, marker))
    criterion = _offering(_criterion(search, estimators, opaque, several, pooled), search, estimators)
    if opaque and not criterion.traits.asks_metrics:
        other = SEVERAL_LABELS if n_columns(y) > 1 and all(map(is_classifier, estimators)) else ""
        raise BadInput(NO_CLASSES.format(criterion=criterion.name, what=opaque) + other)
    unscored = criterion.traits.asks_metrics and search.scoring is None
    own_scores = unscored and _scores_itself(search, estimators, bool(opaque))
    scoring = own_score if own_scores and getattr(criterion, "scoring", "") == "accuracy" else search.scoring
    if several:
        scoring = named(scoring)
        check_refit(search.refit, scoring)
    elif isinstance(search.refit, str) and (scoring is None or isinstance(scoring, str)) and search.refit != scoring:
        warn_user(OTHER_METRIC.format(refit=search.refit, scoring=scoring))
    by_accuracy = isinstance(scoring, str) and scoring == "accuracy"
    as_it_is = scoring is None or (criterion.name == "combination" and by_accuracy)
    changed: dict[str, Any] = {} if as_it_is else {"scoring": scoring}
    if isinstance(search.refit, str) and (several or (callable(scoring) and not is_of_answers(scoring))):
        changed["by"] = search.refit
    if search.cv is not None:
        changed["k"] = _folds(search.cv, estimators)
    if search.return_train_score:
        changed["train_scores"] = True
    criterion = _changed(criterion, changed)
    if search.scoring == "accuracy" and estimators and all(map(is_regressor, estimators)):
        raise BadInput(f"scoring='accuracy' does not score the values of regressors: choose {METRICS}, or leave it out")
    itself = search.scoring is None and all(hasattr(estimator, "score") for estimator in estimators)
    kind: type[Target] = Opaque if opaque else Values if are_regressors(search.estimators) else Classes
    return SearchPlan(criterion, kind, _scorers(getattr(criterion, "scoring", "accuracy"), itself), several)


def check_refit(refit: Any, metrics: Sequence[str] | Mapping[str, Any]) -> None:
    """Several metrics choose nothing unless one of them is named, or a function that chooses is given."""
    if refit is not False and not callable(refit) and not (isinstance(refit, str) and refit in metrics):
        raise BadInput(SEVERAL.format(refit=refit))


def chosen_index(refit: Any, results: Mapping[str, Any]) -> int:
    """The candidate that a function chooses from ``cv_results_``."""
    index = refit(results)
    if not isinstance(index, int | np.integer):
        raise BadType(f"best_index_ returned is not an integer, but {index!r}: refit must return a row of cv_results_")
    if not 0 <= index < len(results["params"]):
        raise _OutOfRange(f"best_index_ index out of range: refit returned {index} of {len(results['params'])} rows")
    return int(index)


class _OutOfRange(BadInput, IndexError):
    """A row of cv_results_ that is not there."""


def takes_weights(scorer: Any) -> bool:
    """Whether a scorer can be given sample weights."""
    asked = getattr(scorer, "_accept_sample_weight", None)  # scikit-learn 1.9 and later
    if callable(asked):
        return bool(asked())
    try:
        return scorer is own_score or "sample_weight" in signature(getattr(scorer, "_score_func", scorer)).parameters
    except (TypeError, ValueError):
        return False


def _criterion(search: Any, estimators: Sequence[Any], opaque: str, several: bool, pooled: bool) -> Criterion:
    """The criterion; ``"auto"`` cross-validates where it is asked for what only cross-validation has.

    Without a pool that is any of the arguments of GridSearchCV. With one, splits and train scores are had from a race
    in which the pool has a vote, but not several metrics and scorers that read the model.
    """
    criterion = resolve(search.criterion)
    of_folds = search.cv is not None or search.return_train_score
    of_models = search.scoring is not None and not several and not is_of_answers(search.scoring)
    only = several or callable(search.refit) or of_models
    if search.criterion != "auto" or not (opaque or only or (of_folds and not pooled)):
        return criterion
    if pooled:
        warn_user(OPAQUE_POOL.format(what=opaque) if opaque else NO_VOTE)
    return replace(resolve("k_fold"), k=_folds(5, estimators))  # type: ignore[type-var]  # it is a dataclass


def _offering(criterion: Criterion, search: Any, estimators: Sequence[Any]) -> Criterion:
    """The criterion that offers an average, if that was asked for."""
    auto = resolve("auto")
    if search.offer == "best" or getattr(criterion, "offer", "") == "average" or criterion.name == "combination":
        return criterion
    if estimators and all(map(is_regressor, estimators)):
        raise BadInput(
            "offer='average' averages probabilities of classes, and regressors predict numbers: leave it out"
        )
    if not isinstance(criterion, type(auto)):
        raise BadInput(
            f"offer='average' needs criterion='auto' or 'combination', and the criterion is {criterion.name!r}: "
            f"leave one of the two out"
        )
    of_answers = search.scoring is None or is_of_answers(search.scoring)
    by_default = criterion == auto and of_answers and not search.return_train_score
    return resolve("combination") if by_default else replace(criterion, offer="average")  # type: ignore[type-var]


def _why_opaque(estimators: Sequence[Any], y: Any, criterion: Criterion, by_folds: bool) -> str:
    """Why targets cannot be taken as class labels, or nothing."""
    columns = n_columns(y)
    if estimators and all(map(is_regressor, estimators)):
        return f"y has {columns} columns" if columns > 1 else ""
    for kind, is_kind in (("clusterer", is_clusterer), ("outlier detector", is_outlier_detector)):
        if of_kind := [estimator for estimator in estimators if is_kind(estimator)]:
            return f"{type(last_step(of_kind[0])).__name__} is a {kind}"
    unknown = [estimator for estimator in estimators if not is_classifier(estimator) and not is_regressor(estimator)]
    if unknown and by_folds and criterion.traits.asks_metrics:
        return f"{type(unknown[0]).__name__} does not say that it is a classifier"
    if y is None:
        wanted = any(is_classifier(each) or get_tags(each).target_tags.required for each in estimators)
        return "y is None" if estimators and not wanted else ""
    if len(getattr(y, "shape", ())) > 2:
        return f"y has {len(y.shape)} dimensions"
    native = estimators and all(map(_takes_several_labels, estimators))
    return f"y has {columns} columns" if columns > 1 and native else ""


def _takes_several_labels(estimator: Any) -> bool:
    tags = get_tags(estimator)
    multi = tags.classifier_tags is not None and tags.classifier_tags.multi_label
    return bool(multi or tags.target_tags.multi_output)


def _scores_itself(search: Any, estimators: Sequence[Any], opaque: bool) -> bool:
    """Whether an estimator's own score is something else than accuracy; one that has none is refused."""
    scores_otherwise = False
    for estimator in estimators:
        if not hasattr(estimator, "score"):
            if opaque or search.cv is not None:
                raise BadType(
                    f"with no scoring, the estimator should have a 'score' method, and {estimator!r} has none: pass "
                    "scoring='accuracy', or another metric"
                )
            continue
        usual = (ClassifierMixin.score, RegressorMixin.score)
        scores_otherwise |= opaque or getattr(type(last_step(estimator)), "score", None) not in usual
    return scores_otherwise and (opaque or search.cv is not None)


def _folds(cv: Any, estimators: Sequence[Any]) -> LikeScikitLearn:
    if isinstance(cv, str | bool) or not (isinstance(cv, int | np.integer) or hasattr(cv, "split") or np.iterable(cv)):
        raise BadInput(f"cv must be a number of folds, a splitter or an iterable of splits, got {cv!r}")
    return LikeScikitLearn(as_splitter(cv), all(map(is_classifier, estimators)))


def _changed(criterion: Criterion, changed: Mapping[str, Any]) -> Criterion:
    """The criterion with other metrics and folds, where it has them."""
    if not changed:  # it need not be a dataclass then
        return criterion
    fields = getattr(criterion, "__dataclass_fields__", {})
    unknown = [name for name in changed if name not in fields]
    if "scoring" in unknown:
        raise BadInput(
            f"the score of criterion {criterion.name!r} is its own, and scoring={changed['scoring']!r} does not change "
            f"it: leave scoring out, or choose a criterion with a metric, such as 'auto' or 'k_fold'"
        )
    if unknown:
        argument = {"k": "cv", "train_scores": "return_train_score", "by": "refit by the name of a metric"}[unknown[0]]
        raise BadInput(
            f"criterion {criterion.name!r} does not use {argument}: leave it out, or choose criterion='k_fold'"
        )
    return replace(criterion, **changed)  # type: ignore[type-var]  # it is a dataclass


def _scorers(scoring: Any, itself: bool) -> dict[str, Any]:
    """Scorers by the names of their metrics; where nobody named accuracy, a model may score ``itself``."""
    if isinstance(scoring, str) and scoring == "accuracy" and itself:
        return {ONE: own_score}
    return {name: scorer_of(scorer) for name, scorer in named(scoring).items()}
