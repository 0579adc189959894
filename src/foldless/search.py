"""FoldlessSearch, shaped like GridSearchCV, and compare: choose among classifiers with the help of unlabeled rows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from foldless.core import Array, Ask, Choice, Criterion, ranks_of
from foldless.criteria import BY_NAME
from foldless.data import open_data
from foldless.engine.callbacks import CallbackSupport, Hooks, with_callbacks
from foldless.engine.candidates import bases
from foldless.engine.progress import observer
from foldless.engine.run import Drive
from foldless.engine.selecting import Request, Session, TestLabels
from foldless.errors import BadInput, CannotAnswer
from foldless.results import Comparison, Selection, Timing
from foldless.scoring import Judge


def _delegates(name: str) -> Any:
    """Whether the chosen model (before fit: the estimator) has a method."""

    def check(search: "FoldlessSearch") -> bool:
        if hasattr(search, "best_estimator_"):
            getattr(search.best_estimator_, name)
            return True
        for base in bases(search.estimator):
            getattr(base, name)
        return True

    return available_if(check)


class FoldlessSearch(CallbackSupport, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Choose among candidate classifiers by a criterion that may read unlabeled rows.

    Parameters
    ----------
    estimator : classifier, or dict of name -> (classifier, grid)
        What to choose from; any scikit-learn classifier or Pipeline.
    param_grid : dict or list of dicts
        As for GridSearchCV; with ``n_iter``, distributions to draw from.
    criterion : str or Criterion
        How to choose: ``"quantification_bound"``, ``"k_fold"``, ``"leave_one_out"``, ``"hold_out"``,
        ``"bootstrap_632"``, or an object from `foldless.criteria` with parameters of its own.
    n_iter : int, optional
        Draw that many candidates (per estimator) instead of taking the whole grid.
    n_jobs : int, optional
        Parallel workers; ``joblib.parallel_config`` chooses the backend.
    refit : bool
        Whether ``best_estimator_`` is wanted. It costs a fit only where the criterion did not train it already.
    verbose : int
        1 shows progress on a terminal.
    error_score : "raise" or float
        What to do about a candidate that fails: raise, or report it, rank it last and show this score.
    journal : path, optional
        A file that remembers answers, so that a stopped run goes on where it was.
    time_budget : float, optional
        Seconds after which no further fit starts.
    keep_models : float
        Megabytes of fitted models kept while choosing, so that the chosen one need not be trained again.
    tie_break : "first" or "random"
        Who wins among equal scores.
    random_state : int, RandomState or None
        Behind every draw, and the seed of candidates that have none.

    Attributes
    ----------
    best_estimator_, best_params_, best_score_, best_index_, cv_results_
        As in GridSearchCV; higher scores are better, always.
    selection_ : Selection
        The ranking with its notes, class shares and counts of fits.
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
    {'C': 1}
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any = None,
        *,
        criterion: str | Criterion = "quantification_bound",
        n_iter: int | None = None,
        n_jobs: int | None = None,
        refit: bool = True,
        verbose: int = 0,
        error_score: Any = np.nan,
        journal: Any = None,
        time_budget: float | None = None,
        keep_models: float = 512,
        tie_break: str = "first",
        random_state: Any = None,
    ):
        self.estimator = estimator
        self.param_grid = param_grid
        self.criterion = criterion
        self.n_iter = n_iter
        self.n_jobs = n_jobs
        self.refit = refit
        self.verbose = verbose
        self.error_score = error_score
        self.journal = journal
        self.time_budget = time_budget
        self.keep_models = keep_models
        self.tie_break = tie_break
        self.random_state = random_state

    @with_callbacks
    def fit(
        self, X: Any, y: Any = None, *, X_unlabeled: Any = None, groups: Any = None, **params: Any
    ) -> "FoldlessSearch":
        """Choose a model.

        Parameters
        ----------
        X, y : labeled rows; without ``X_unlabeled``, rows with ``y == -1`` are the pool
        X_unlabeled : the pool, of the same columns as X (or a `Pool`, which no outer search slices)
        groups : rows that must stay together in a fold
        **params : passed to the candidates' fit (``sample_weight``), cut to the rows of each fit
        """
        if not isinstance(self.refit, bool | np.bool_):
            raise BadInput(f"refit must be True or False, got {self.refit!r}: a criterion has one score to choose by")
        criterion = resolve(self.criterion)
        data = open_data(X, y, X_unlabeled, groups=groups, fit_params=self._routed(params))
        hooks = Hooks.of(self)
        session = Session(self._request(), data, observer(self.verbose), hooks)
        if (why := session.unable(criterion)) is not None:
            raise CannotAnswer(why)
        (one,) = session.run([criterion])
        self.selection_ = session.selection(one, refit=self.refit)
        self._publish(self.selection_, data.classes)
        if hasattr(X, "columns") and all(isinstance(name, str) for name in X.columns):
            self.feature_names_in_ = np.asarray(X.columns, dtype=object)
        if hooks is not None:
            hooks.end()
        return self

    def _request(self) -> Request:
        journal = None if self.journal is None else str(self.journal)
        return Request(
            self.estimator, self.param_grid, self.n_iter, self.n_jobs, journal, self.time_budget, self.keep_models,
            self.tie_break, self.random_state, self.error_score,
        )  # fmt: skip

    def _publish(self, selection: Selection, classes: Array) -> None:
        self.cv_results_ = cv_results(selection, self.error_score)
        self.best_index_ = sorted(_rows(selection), key=_index).index(selection.best)
        self.best_params_ = dict(selection.best.candidate.params)
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        self.n_splits_ = len(selection.best.splits)
        self.refit_time_ = selection.refit_seconds
        self.classes_ = classes
        if self.refit:
            self.best_estimator_ = selection.model

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
        """The chosen model's own score, for classifiers its accuracy."""
        return float(self._chosen().score(X, y, **params))

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
        tags.classifier_tags = inner[0].classifier_tags
        tags.input_tags.pairwise = all(t.input_tags.pairwise for t in inner)
        tags.input_tags.sparse = all(t.input_tags.sparse for t in inner)
        tags.input_tags.allow_nan = all(t.input_tags.allow_nan for t in inner)
        tags.array_api_support = False
        return tags

    def get_metadata_routing(self) -> Any:
        """Fit parameters go to the candidates; X_unlabeled and groups are the search's own."""
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
        if any(set(one) != set(wanted[0]) for one in wanted):
            raise BadInput("the estimators request different fit parameters: let all of them request the same")
        return wanted[0]

    def _chosen(self) -> Any:
        check_is_fitted(self)
        if not self.refit:
            raise AttributeError(f"this {type(self).__name__} has no best_estimator_: it was made with refit=False")
        return self.best_estimator_


def compare(
    estimator: Any,
    param_grid: Any,
    X: Any,
    y: Any,
    *,
    X_unlabeled: Any = None,
    criteria: Sequence[str | Criterion] | Mapping[str, str | Criterion],
    X_test: Any = None,
    y_test: Any = None,
    groups: Any = None,
    n_iter: int | None = None,
    n_jobs: int | None = None,
    journal: Any = None,
    time_budget: float | None = None,
    keep_models: float = 512,
    tie_break: str = "first",
    verbose: int = 0,
    random_state: Any = None,
) -> Comparison:
    """Choose by several criteria at once; every fit that two of them need is run once.

    With a test set the truth is shown beside each choice. A criterion that cannot be served is a row without a choice.
    No model is trained only to be handed over: ``comparison[name].model`` is there where a criterion trained it anyway.
    """
    named = _named(criteria)
    data = open_data(X, y, X_unlabeled, X_test=X_test, y_test=y_test, groups=groups)
    request = Request(
        estimator, param_grid, n_iter, n_jobs, None if journal is None else str(journal), time_budget, keep_models,
        tie_break, random_state,
    )  # fmt: skip
    session = Session(request, data, observer(verbose))
    unable = {name: why for name, c in named.items() if (why := session.unable(c)) is not None}
    if len(unable) == len(named):
        raise CannotAnswer("; ".join(unable.values()))
    able = {name: c for name, c in named.items() if name not in unable}
    test = [] if data.test is None else [TestLabels(session.test_rows, data.test_y)]
    drives = session.run([*able.values(), *test])
    n_fits = session.counts(drives)
    by_name = dict(zip(able, drives, strict=False))
    selections = {name: session.selection(one, n_fits, refit=False) for name, one in by_name.items()}
    truth = {c.candidate: c.score for c in drives[-1].choices or ()} if test else None
    rows = [_row(session, name, by_name.get(name), selections.get(name), unable.get(name), truth) for name in named]
    return Comparison(selections, unable, tuple(rows), n_fits, session.engine.stopped, tuple(session.notes), truth or {})


def resolve(criterion: str | Criterion) -> Criterion:
    """A criterion object from its name or from itself."""
    if isinstance(criterion, Criterion):
        return criterion
    name = str(criterion).replace("-", "_")
    if isinstance(criterion, str) and name in BY_NAME:
        return BY_NAME[name]()
    raise BadInput(f"criterion must be one of {', '.join(BY_NAME)}, or a Criterion object, got {criterion!r}")


def cv_results(selection: Selection, error_score: Any) -> dict[str, Any]:
    """GridSearchCV's columns, one row per choice in the order of the grid; failed candidates have the error score."""
    rows = sorted(_rows(selection), key=_index)
    every = [choice.candidate for choice in rows]
    sign = 1 if selection.criterion.better == "higher" else -1
    worst = np.nan if error_score == "raise" else float(error_score)
    timings = [selection.timings.get(c, Timing()) for c in every]
    table: dict[str, Any] = {}
    for key, seconds in (("fit", [t.fit for t in timings]), ("score", [t.answer for t in timings])):
        table[f"mean_{key}_time"] = np.array([np.mean(s) if s else np.nan for s in seconds])
        table[f"std_{key}_time"] = np.array([np.std(s) if s else np.nan for s in seconds])
    for name in dict.fromkeys(name for c in every for name in c.params):
        values = np.ma.MaskedArray(np.empty(len(every), dtype=object), mask=True)
        for at, c in enumerate(every):
            if name in c.params:
                values[at] = c.params[name]
        table[f"param_{name}"] = values
    table["params"] = [dict(c.params) for c in every]
    for at in range(max((len(choice.splits) for choice in rows), default=0)):
        table[f"split{at}_test_score"] = np.array(
            [sign * choice.splits[at] if at < len(choice.splits) else np.nan for choice in rows]
        )
    table["mean_test_score"] = np.array([worst if c.candidate in selection.failed else sign * c.score for c in rows])
    table["std_test_score"] = np.array([np.std(choice.splits) if choice.splits else np.nan for choice in rows])
    ranks = ranks_of(selection.criterion, selection.ranking)
    table["rank_test_score"] = np.array([ranks.get(choice, len(ranks) + 1) for choice in rows], dtype=np.int32)
    return table


def _rows(selection: Selection) -> list[Choice]:
    """Every choice, and one without a score for each candidate that has none."""
    lost = [*selection.failed, *selection.unfinished]
    return [*selection.ranking, *(Choice(candidate, np.nan, ()) for candidate in lost)]


def _index(choice: Choice) -> int:
    return choice.candidate.index


def _named(criteria: Sequence[str | Criterion] | Mapping[str, str | Criterion]) -> dict[str, Criterion]:
    """Criteria by the names that the table shows."""
    if isinstance(criteria, str | Criterion):
        criteria = [criteria]
    if isinstance(criteria, Mapping):
        named = {name: resolve(criterion) for name, criterion in criteria.items()}
    else:
        named = {resolve(criterion).name: resolve(criterion) for criterion in criteria}
    if len(named) < len(criteria) or not named:
        raise BadInput(f"criteria must be at least one and differ from each other, got {criteria!r}")
    return named


def _row(
    session: Session,
    name: str,
    one: Drive | None,
    selection: Selection | None,
    why: str | None,
    truth: dict[Any, float] | None,
) -> dict[str, Any]:
    """A criterion's row in the table of a comparison."""
    row: dict[str, Any] = {"criterion": name, "params": None, "score": np.nan, "fits": 0, "seconds": np.nan}
    test: dict[str, Any] = {}
    if truth is not None:
        test = {"test_accuracy": np.nan, "test_macro_f1": np.nan, "regret": np.nan}
    if selection is None or one is None:
        return {**row, **test, "notes": f"n/a: {why}"}
    best = selection.best
    fits = {fit for fits in one.fits.values() for fit in fits}
    spent = [session.engine.seconds[fit] for fit in fits if fit in session.engine.seconds]
    row |= {
        "params": dict(best.candidate.params),
        "score": best.score,
        "fits": len(fits),
        "seconds": sum(s.fit + s.answer for s in spent),
    }
    if truth and best.candidate in truth and session.data.test_y is not None:
        labels = session.engine.answers[Ask(best.fits[0], session.test_rows)]
        test = {
            "test_accuracy": truth[best.candidate],
            "test_macro_f1": Judge("f1_macro", session.data.classes).score("labels", session.data.test_y, labels),
            "regret": max(truth.values()) - truth[best.candidate],
        }
    return {**row, **test, "notes": "; ".join(best.notes)}
