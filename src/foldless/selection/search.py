"""FoldlessSearch, shaped like GridSearchCV: choose among classifiers with the help of unlabeled rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import estimator_html_repr, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from foldless.core import Array, Criterion
from foldless.core.regression.value_scoring import METRICS
from foldless.core.scoring import Scoring, scorer_of
from foldless.criteria import resolve
from foldless.engine.callbacks import CallbackSupport, Hooks, with_callbacks
from foldless.engine.candidates import are_regressors, bases
from foldless.errors import BadInput
from foldless.selection._pipelines import check_transformed
from foldless.selection._request import Request
from foldless.selection._road import choose
from foldless.selection.cv_results import cv_results, rows_of
from foldless.selection.selection import Selection


def _by_metric(criterion: Criterion, scoring: Scoring | None) -> Criterion:
    """The criterion with another metric."""
    if scoring is None:
        return criterion
    if "scoring" not in getattr(criterion, "__dataclass_fields__", {}):
        raise BadInput(
            f"the score of criterion {criterion.name!r} is its own, and scoring={scoring!r} does not change it: leave "
            f"scoring out, or choose a criterion with a metric, such as 'auto' or 'k_fold'"
        )
    return replace(criterion, scoring=scoring)  # type: ignore[type-var]  # it is a dataclass


def _delegates(name: str) -> Any:
    """Whether the chosen model (before fit: the estimator) has a method."""

    def check(search: "FoldlessSearch") -> bool:
        search._check_refit(name)
        if hasattr(search, "best_estimator_"):
            getattr(search.best_estimator_, name)
            return True
        for base in bases(search.estimator):
            getattr(base, name)
        return True

    return available_if(check)


class FoldlessSearch(CallbackSupport, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Choose among candidate classifiers, or regressors, by a criterion that may read unlabeled rows.

    Parameters
    ----------
    estimator : classifier or regressor, or dict of name -> (estimator, grid)
        What to choose from; any scikit-learn classifier, regressor or Pipeline.
    param_grid : dict or list of dicts
        As for GridSearchCV; with ``n_iter``, distributions to draw from.
    criterion : str or Criterion
        How to choose: ``"auto"``, a race over resamples in which the pool has a vote, or another name such as
        ``"k_fold"``, ``"quantification_bound"`` or ``"bootstrap_632"`` (the keys of ``foldless.criteria.BY_NAME``), two
        of them with a plus between (their ranks are added) or a bar (the best estimate of all), or an object from
        `foldless.criteria` with parameters of its own.
    scoring : str or callable, optional
        The metric to choose by, as for GridSearchCV, for criteria that have one: ``"roc_auc"`` with ``"k_fold"`` is
        ``criterion=KFold(scoring="roc_auc")``. It is accuracy by default, and R² for regressors.
    n_iter : int, optional
        Draw that many candidates (per estimator) instead of taking the whole grid.
    n_jobs : int, optional
        Parallel workers; ``joblib.parallel_config`` chooses the backend.
    refit : bool
        Whether ``best_estimator_`` is wanted. It costs a fit only where the criterion did not train it already.
    verbose : int
        1 shows progress: a bar on a terminal, a line a minute in a log.
    error_score : "raise" or float
        What to do about a candidate that fails: raise, or report it, rank it last and show this score.
    journal : path, optional
        A file that keeps the answers of all fits, so that a stopped run continues where it was.
    time_budget : float, optional
        Seconds after which no further fit starts.
    keep_models : float
        Megabytes of fitted models kept while choosing, so that the chosen one need not be trained again.
    tie_break : "first" or "random"
        Who wins among equal scores; ``"random"`` is for reproductions.
    estimate : bool
        Whether to estimate the accuracy of the chosen model, as ``selection_.estimate``. It takes up to five fits of
        the chosen candidate, where the criterion did not judge it by labels that it left out.
    random_state : int, RandomState or None
        The seed of every random draw, and of candidates that have none.

    Attributes
    ----------
    best_estimator_, best_params_, best_score_, best_index_, cv_results_
        As in GridSearchCV; higher scores are better, always. ``"dagging"`` offers a vote of several models,
        a `foldless.learners.DaggingClassifier`. A semi-supervised classifier has learned the numbers of the classes;
        where labels are not 0, 1, … it is ``best_estimator_.estimator_``, inside one that predicts the labels.
    scorer_ : callable
        The metric of the criterion, by which `score` judges the chosen model; accuracy where it has none.
    selection_ : Selection
        The ranking with its notes, class shares, counts of fits, the certificate of the best if there is one, and the
        accuracy on test rows.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from foldless import FoldlessSearch
    >>> X, y = load_iris(return_X_y=True)
    >>> search = FoldlessSearch(LogisticRegression(max_iter=500), {"C": [0.01, 1, 100]}, random_state=0)
    >>> search.fit(X[::5], y[::5], X_unlabeled=X).best_params_
    {'C': 100}
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any = None,
        *,
        criterion: str | Criterion = "auto",
        scoring: Scoring | None = None,
        n_iter: int | None = None,
        n_jobs: int | None = None,
        refit: bool = True,
        verbose: int = 0,
        error_score: Any = np.nan,
        journal: Any = None,
        time_budget: float | None = None,
        keep_models: float = 512,
        tie_break: str = "first",
        estimate: bool = True,
        random_state: Any = None,
    ):
        self.estimator = estimator
        self.param_grid = param_grid
        self.criterion = criterion
        self.scoring = scoring
        self.n_iter = n_iter
        self.n_jobs = n_jobs
        self.refit = refit
        self.verbose = verbose
        self.error_score = error_score
        self.journal = journal
        self.time_budget = time_budget
        self.keep_models = keep_models
        self.tie_break = tie_break
        self.estimate = estimate
        self.random_state = random_state

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        X_unlabeled: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        groups: Any = None,
        **params: Any,
    ) -> "FoldlessSearch":
        """Choose a model.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list
            Labeled rows.
        y : array
            Their labels. Rows whose label is None or NaN join the pool, and without ``X_unlabeled`` those with
            ``y == -1`` too. An indicator matrix or a list of
            label sets gives a row several labels.
        X_unlabeled : like X, or Pool
            The pool; a `Pool` is not sliced by an outer search. As the last step of a Pipeline, a search refuses a pool
            that the steps before it have not transformed: put the steps inside the search, or name the pool in the
            Pipeline's ``transform_input``.
        X_test, y_test : like X and y, optional
            Labeled rows on which the candidates and the choice are measured, as ``selection_.test_accuracy`` and
            ``selection_.best_test_accuracy``; never used for choosing.
        groups : array
            Rows of one group stay together in a fold.
        **params
            Passed to the candidates' fit (``sample_weight``), cut to the rows of each fit.
        """
        if not isinstance(self.refit, bool | np.bool_):
            raise BadInput(f"refit must be True or False, got {self.refit!r}: a criterion has one score to choose by")
        for name in ("best_estimator_", "feature_names_in_", "classes_"):
            self.__dict__.pop(name, None)  # of an earlier fit
        criterion = _by_metric(resolve(self.criterion), self.scoring)
        if self.scoring == "accuracy" and are_regressors(self.estimator):
            raise BadInput(
                f"scoring='accuracy' does not score the values of regressors: choose {METRICS}, or leave it out"
            )
        check_transformed(self, X_unlabeled=X_unlabeled, X_test=X_test)
        hooks = Hooks.of(self)
        chosen = choose(
            self._request(), {criterion.name: criterion}, X, y, X_unlabeled=X_unlabeled, X_test=X_test, y_test=y_test,
            groups=groups, fit_params=self._routed(params), refit=[criterion.name] if self.refit else [],
            verbose=self.verbose, hooks=hooks,
        )  # fmt: skip
        self.selection_ = chosen.selections[criterion.name]
        self._publish(self.selection_, chosen.session.data.classes)
        if hasattr(X, "columns") and all(isinstance(name, str) for name in X.columns):
            self.feature_names_in_ = np.asarray(X.columns, dtype=object)
        if hooks is not None:
            hooks.end()
        return self

    def _request(self) -> Request:
        return Request(
            self.estimator, self.param_grid, self.n_iter, self.n_jobs, self.journal, self.time_budget,
            self.keep_models, self.tie_break, self.random_state, self.error_score, self.estimate,
        )  # fmt: skip

    def _publish(self, selection: Selection, classes: Array) -> None:
        self.cv_results_ = cv_results(selection, self.error_score)
        self.best_index_ = [entry.choice for entry in rows_of(selection)].index(selection.best)
        self.best_params_ = dict(selection.best.candidate.params)
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        self.n_splits_ = len(selection.best.splits)
        self.refit_time_ = selection.refit_seconds
        if len(classes):  # values have none
            self.classes_ = classes
        self.scorer_ = scorer_of(getattr(selection.criterion, "scoring", "accuracy"))
        if self.refit:
            self.best_estimator_ = selection.model

    @_delegates("predict")
    def predict(self, X: Any) -> Array:
        """The chosen model's labels."""
        return self._chosen().predict(X)

    @_delegates("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        """The chosen model's probabilities."""
        return self._chosen().predict_proba(X)

    @_delegates("predict_log_proba")
    def predict_log_proba(self, X: Any) -> Array:
        """The chosen model's log probabilities."""
        return self._chosen().predict_log_proba(X)

    @_delegates("decision_function")
    def decision_function(self, X: Any) -> Array:
        """The chosen model's scores."""
        return self._chosen().decision_function(X)

    @_delegates("transform")
    def transform(self, X: Any) -> Array:
        """The chosen model's transformation."""
        return self._chosen().transform(X)

    def score(self, X: Any, y: Any, **params: Any) -> float:
        """The chosen model's score, by the metric it was chosen by: `scorer_`."""
        chosen = self._chosen()
        return float(self.scorer_(chosen, X, y, **params))

    def report(self, path: Any, *, about: Sequence[str] = ()) -> Path:
        """Write one HTML file with the figures, the ranking, what was assumed and the code that makes it again.

        ``about`` are sentences on the data, such as ``foldless.tables.Problem.describe`` gives.
        """
        check_is_fitted(self)
        from foldless.report import code

        made_by = code.of_search(self, pool=self.selection_.shares is not None, path=path)
        return self.selection_.report(path, made_by=made_by, about=about)

    def _html(self) -> str:
        """What it chose, with a small picture; before it is fitted, the diagram of scikit-learn."""
        diagram = str(estimator_html_repr(self))
        if not hasattr(self, "selection_"):
            return diagram
        from foldless.report.notebook import search_summary

        return search_summary(self.selection_, diagram)

    @property
    def _repr_html_(self) -> Any:
        if get_config()["display"] != "diagram":
            raise AttributeError("_repr_html_ is there only where scikit-learn's display is 'diagram'")
        return self._html

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:  # noqa: ARG002 (IPython's)
        plain = {"text/plain": repr(self)}
        return {**plain, "text/html": self._html()} if get_config()["display"] == "diagram" else plain

    @property
    def n_features_in_(self) -> int:
        """The number of features the chosen model was trained on."""
        try:
            check_is_fitted(self)
        except Exception as error:
            raise AttributeError(f"{type(self).__name__} object has no attribute 'n_features_in_': {error}") from error
        return int(self.best_estimator_.n_features_in_)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "selection_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = [get_tags(base) for base in bases(self.estimator)]
        tags.classifier_tags, tags.regressor_tags = inner[0].classifier_tags, inner[0].regressor_tags
        if inner[0].estimator_type == "regressor":
            tags.estimator_type = "regressor"
        tags.input_tags.pairwise = all(t.input_tags.pairwise for t in inner)
        tags.input_tags.sparse = all(t.input_tags.sparse for t in inner)
        tags.input_tags.allow_nan = all(t.input_tags.allow_nan for t in inner)
        tags.array_api_support = False
        return tags

    def get_metadata_routing(self) -> Any:
        """Fit parameters go to the candidates; X_unlabeled, X_test, y_test and groups are the search's own."""
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        mapping = MethodMapping().add(caller="fit", callee="fit").add(caller="score", callee="score")
        return router.add(method_mapping=mapping, **{f"estimator_{i}": b for i, b in enumerate(bases(self.estimator))})

    def _routed(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        if not params:
            return {}
        if not get_config()["enable_metadata_routing"]:
            return params
        routed = process_routing(self, "fit", **params)
        wanted = [dict(routed[f"estimator_{at}"].fit) for at in range(len(bases(self.estimator)))]
        if any(set(names) != set(wanted[0]) for names in wanted):
            raise BadInput("the estimators request different fit parameters: let all of them request the same")
        return wanted[0]

    def _chosen(self) -> Any:
        check_is_fitted(self)
        self._check_refit("best_estimator_")
        return self.best_estimator_

    def _check_refit(self, name: str) -> None:
        if not self.refit:
            raise AttributeError(f"this {type(self).__name__} has no {name}: its refit is False")
