"""FoldlessSearch, shaped like GridSearchCV: choose among classifiers with the help of unlabeled rows."""

import sys
import time
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from foldless.core import Classes, Criterion
from foldless.core._metrics import ONE
from foldless.criteria import resolve
from foldless.data._metadata import Draws, Metadata
from foldless.data._minus_one import ASSUMED, marks_pool
from foldless.data._opening import open_sample
from foldless.engine._callbacks import CallbackSupport, Hooks, with_callbacks
from foldless.errors import BadInput
from foldless.judging._judge import is_of_answers
from foldless.judging._split_scores import Scorings, named
from foldless.judging.costs import Costs
from foldless.results.selection import Selection
from foldless.selection._cv_results import cv_results, rows_of, split_lines
from foldless.selection._default_candidates import candidates_for, for_last_step, weighted
from foldless.selection._pipelines import check_transformed
from foldless.selection._request import Request
from foldless.selection._search_code import code_of
from foldless.selection.as_grid_search import _routing as routing
from foldless.selection.as_grid_search._chosen_model import ChosenModel
from foldless.selection.as_grid_search._planning import SearchPlan, check_refit, chosen_index
from foldless.selection.as_grid_search._planning import plan as planned
from foldless.selection.decided import decided
from foldless.selection.measured import measured

if TYPE_CHECKING:
    from foldless.selection._road import Chosen

CHOICE = "criterion"  # what the one criterion of a search is called in a run
NO_POOL = "there is no pool, so auto chooses by the labels alone"
FITTED = (
    "best_estimator_",
    "feature_names_in_",
    "best_index_",
    "best_params_",
    "best_score_",
    "scorer_",
    "refit_time_",
    "candidates_",
)


@dataclass(eq=False, repr=False)
class FoldlessSearch(CallbackSupport, ChosenModel, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Choose among candidate classifiers, or regressors, by a criterion that may read unlabeled rows.

    Parameters
    ----------
    estimator : classifier or regressor, or dict of name -> (estimator, grid), optional
        What to choose from; any scikit-learn classifier, regressor or Pipeline. By default it is the portfolio: a list
        of classifiers that suit X (an array of numbers, a sparse matrix, a list of texts, or a data frame of mixed
        columns). Some of them learn from the pool too.
    param_grid : dict or list of dicts
        As for GridSearchCV; with ``n_iter``, distributions to draw from.
    criterion : str or Criterion
        How to choose. ``"auto"`` compares candidates on a few resamples, and the pool has a vote. Other names are the
        keys of ``foldless.criteria.BY_NAME``, such as ``"k_fold"``, ``"quantification_bound"`` or ``"bootstrap_632"``.
        ``"k_fold+quantification_bound"`` adds the ranks of two criteria, and ``"k_fold|dagging"`` takes the choice with
        the better estimate. An object of `foldless.criteria` has parameters of its own.
    scoring : str, callable, list or dict, optional
        The metric to choose by, as for GridSearchCV, for criteria that have one: ``"roc_auc"`` with ``"k_fold"`` is
        ``criterion=KFold(scoring="roc_auc")``. It is accuracy by default, and R² for regressors. Several metrics need
        cross-validation, and a ``refit`` that says which of them chooses.
    offer : "best" or "average"
        The model: the best candidate, or an average of candidates, which is usually better. For an average, ``"auto"``
        is the criterion ``"combination"``, which weighs all candidates by their out-of-fold probabilities.
    n_iter : int, optional
        Draw that many candidates (per estimator) instead of taking the whole grid. With ``cv`` and a whole number as
        ``random_state`` they are those of RandomizedSearchCV.
    n_jobs : int, optional
        Parallel workers; ``joblib.parallel_config`` chooses the backend.
    refit : bool, str or callable
        Whether ``best_estimator_`` is wanted. It costs a fit only where the criterion did not train it already. With
        several metrics the name of the one that chooses; a callable is given ``cv_results_`` and returns a row of it.
    cv : int, splitter or iterable, optional
        The folds of a criterion that has folds, as for GridSearchCV: a number is stratified for classifiers. Without a
        pool, ``"auto"`` becomes cross-validation over them; with one it resamples by them, and the pool has a vote. By
        default the criterion has folds of its own.
    return_train_score : bool
        Whether ``cv_results_`` has the scores on training rows too; for cross-validation and ``"auto"``.
    verbose : int
        1 shows progress: a bar on a terminal, a line every ten seconds in a log. From 3 on the scores of all splits are
        printed at the end.
    error_score : "raise" or float
        What to do about a candidate that fails: raise, or report it, rank it last and show this score. In
        cross-validation it is the score of each split whose fit or scorer fails.
    journal : path, optional
        A file that keeps the answers of all fits, so that a stopped run continues where it was.
    time_budget : float, optional
        Seconds after which no further fit starts; fits that still run two seconds later are abandoned. Candidates that
        are complete are ranked; if none is, the model is a constant, with a `StoppedEarly` warning. The seconds count
        from the call, or, of a `foldless.core.TimeBudget`, from when it was made.
    keep_models : float
        Megabytes of fitted models kept while choosing, so that the chosen one need not be trained again.
    unlabeled : -1 or None
        What marks the rows of ``y`` without a label, where no ``X_unlabeled`` is given. By default −1, with a warning
        if there are such rows; None makes −1 a class.
    estimate : bool
        Whether to estimate the accuracy of the chosen model, as ``selection_.estimate``. It takes up to five fits of
        the chosen candidate, if the criterion has no out-of-fold predictions of it.
    random_state : int, RandomState or None
        The seed of every random draw, and of candidates that have none.

    Attributes
    ----------
    best_score_ : float
        The score by which the criterion ranks the chosen candidate, ``mean_test_score`` of ``cv_results_`` as in
        GridSearchCV. It is the best of many, and that of ``auto`` is from a few resamples
        (``selection_.trace["resamples"]``): it ranks candidates. ``selection_.estimate`` says how good the model is.
    best_estimator_, best_params_, best_index_, cv_results_
        As in GridSearchCV; higher scores are better, always. ``"dagging"`` offers a vote of several models,
        a `foldless.learners.DaggingClassifier`. A semi-supervised classifier is trained on codes of the classes; where
        labels are not 0, 1, … it is ``best_estimator_.estimator_``, and ``best_estimator_`` predicts the labels.
    scorer_ : callable or dict
        The metric of the criterion, by which `score` judges the chosen model; accuracy where it has none. With
        several metrics (``multimetric_``) a dict.
    selection_ : Selection
        The ranking with its notes, class shares, counts of fits, the certificate of the best if there is one, and the
        accuracy on test rows.
    candidates_ : dict of name -> (estimator, grid)
        The default portfolio for the rows of ``fit``, where no estimator was given.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from foldless import FoldlessSearch
    >>> X, y = load_iris(return_X_y=True)
    >>> search = FoldlessSearch(LogisticRegression(max_iter=500), {"C": [0.01, 1, 100]}, random_state=0)
    >>> search.fit(X[::5], y[::5], X_unlabeled=X).best_params_
    {'C': 100}

    Without an estimator it is a portfolio that is combined:

    >>> search = FoldlessSearch(offer="average", time_budget=60)  # doctest: +SKIP
    >>> search.fit(X[::5], y[::5], X_unlabeled=X).selection_.table()  # doctest: +SKIP
    """

    estimator: Any = None
    param_grid: Any = None
    _: KW_ONLY
    criterion: str | Criterion = "auto"
    scoring: Scorings | None = None
    offer: Literal["best", "average"] = "best"
    n_iter: int | None = None
    n_jobs: int | None = None
    refit: Any = True
    cv: Any = None
    return_train_score: bool = False
    verbose: int = 0
    error_score: Any = np.nan
    journal: Any = None
    time_budget: float | None = None
    keep_models: float = 512
    unlabeled: Any = ASSUMED
    estimate: bool = True
    random_state: Any = None

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
        label_probabilities: Any = None,
        label_rounds: Any = None,
        **params: Any,
    ) -> "FoldlessSearch":
        """Choose a model.

        Parameters
        ----------
        X : array, sparse matrix, data frame or list
            Labeled rows.
        y : array
            Their labels; numbers for regressors. Rows whose label is None or NaN join the pool, and without
            ``X_unlabeled`` those of classes with ``y == -1`` too. An indicator matrix is for classifiers of several
            labels, which are cross-validated on it; others, and all if ``y`` is a list of labels for each row, learn a
            copy of a row for each of its labels, and predict one.
        X_unlabeled : like X, a path, a pyarrow Dataset, a Dask frame, or Pool
            The pool; a `Pool` is not sliced by an outer search. A path names a Parquet file or a folder of them. A pool
            in files that takes more than half a gigabyte stays there: sums over it are of all rows, read block by
            block, and single rows are those of a random sample (``Pool(path, sample=100_000)``). As the last step of a
            Pipeline, a search refuses a pool that the steps before it have not transformed: put the steps inside the
            search, or name the pool in the Pipeline's ``transform_input``.
        X_test, y_test : like X and y, optional
            Labeled rows on which the candidates and the choice are measured, as ``selection_.test_accuracy`` and
            ``selection_.best_test_accuracy``; never used for choosing.
        groups : array
            Rows of one group stay together in a fold.
        label_probabilities : array, optional
            Of labels that `foldless.suggest` chose, the probability with which each was drawn, and 0 where it has none;
            NaN for labels drawn at random like the pool. The estimate, the class shares of the labels and the test for
            a shift then hold for the pool. Criteria that certify refuse such labels.
        label_rounds : array, optional
            The number of the round in which each of them was drawn, where there were several.
        **params
            Passed to the candidates' fit (``sample_weight``), cut to the rows of each fit.
        """
        from foldless.selection._road import Wanted, choose  # the engine, once it is needed
        from foldless.selection.watching import observing

        started = time.monotonic()
        self._check()
        left_out: list[str] = []
        for name in FITTED:
            self.__dict__.pop(name, None)  # of an earlier fit
        if self.estimator is None:
            every = candidates_for(X, y, X_unlabeled, self.unlabeled, param_grid=self.param_grid)
            self.candidates_, left_out = weighted(every, params)
        plan = planned(self, y, X_unlabeled)
        check_transformed(self, X_unlabeled=X_unlabeled, X_test=X_test)
        hooks = Hooks.of(self, X, y, params)
        routed = routing.routed(self, plan, params, groups)
        to_fit = for_last_step(routed.fit) if self.estimator is None else routed.fit
        metadata = Metadata(to_fit, routed.score, Draws(label_probabilities, label_rounds))
        sample = open_sample(
            X, y, X_unlabeled, kind=plan.kind, X_test=X_test, y_test=y_test, groups=routed.groups, metadata=metadata,
            unlabeled=self.unlabeled, random_state=self.random_state,
        )  # fmt: skip
        wanted = Wanted(refit=[CHOICE] if self.refit and not callable(self.refit) else [])
        criteria = {CHOICE: routed.bound(plan.criterion)}
        chosen = choose(self._request(started), criteria, sample, wanted, observing(self.verbose), hooks)
        self.replicated_ = sample.replicated
        self._publish(chosen, plan, left_out)
        if hasattr(X, "columns") and all(isinstance(name, str) for name in X.columns):
            self.feature_names_in_ = np.asarray(X.columns, dtype=object)
        if hooks is not None:
            hooks.end()
        return self

    def _check(self) -> None:
        if not isinstance(self.refit, bool | np.bool_ | str) and not callable(self.refit):
            raise BadInput(f"refit must be True, False, the name of a metric or a callable, got {self.refit!r}")
        if not isinstance(self.return_train_score, bool | np.bool_):
            raise BadInput(f"return_train_score must be True or False, got {self.return_train_score!r}")
        if self.offer not in ("best", "average"):
            raise BadInput(f"offer must be 'best' or 'average', got {self.offer!r}")
        marks_pool(None, self.unlabeled)

    def _request(self, started: float) -> Request:
        seed = self.random_state if self.cv is not None and isinstance(self.random_state, int | np.integer) else None
        return Request(
            self.estimators, self.param_grid, self.n_iter, self.n_jobs, self.journal, self.time_budget,
            self.keep_models, self.random_state, self.error_score, self.estimate, seed, self.scoring is not None,
            started,
        )  # fmt: skip

    def _publish(self, chosen: "Chosen", plan: SearchPlan, notes: Sequence[str] = ()) -> None:
        selection = chosen.selections[CHOICE]
        self.cv_results_ = cv_results(selection, self.error_score)
        self.multimetric_ = plan.several or f"mean_test_{ONE}" not in self.cv_results_
        if self.multimetric_ and not plan.several:
            check_refit(self.refit, [key[10:] for key in self.cv_results_ if key.startswith("mean_test_")])
        rows = [entry.choice for entry in rows_of(selection)]
        if callable(self.refit):
            selection = chosen.take(CHOICE, rows[chosen_index(self.refit, self.cv_results_)])
        if self.verbose > 2:
            sys.stdout.write("".join(f"{line}\n" for line in split_lines(selection)))
        self._has_pool = chosen.session.sample.pool is not None
        if isinstance(selection.criterion, type(resolve("auto"))) and not self._has_pool:
            selection = replace(selection, notes=(*selection.notes, NO_POOL))
        selection = self._beside_average(chosen, selection)
        if isinstance(self.scoring, Costs):
            selection = decided(selection, self.scoring)
        if self.scoring is not None and selection.held_out.out_of_fold is not None:
            selection = measured(selection, [each for each in named(self.scoring).values() if is_of_answers(each)])
        self.selection_ = selection.noting(notes)
        self.n_splits_ = len(selection.best.splits)
        self.scorer_ = dict(plan.scorers) if plan.several else plan.scorers[ONE]
        if self.refit or not self.multimetric_:
            candidates = [choice.candidate for choice in rows]
            self.best_index_ = (
                rows.index(selection.best) if selection.best in rows else candidates.index(selection.best.candidate)
            )
            self.best_params_ = dict(selection.best.candidate.params)
            if not callable(self.refit):
                metric = self.refit if self.multimetric_ else ONE
                self.best_score_ = float(self.cv_results_[f"mean_test_{metric}"][self.best_index_])
        if self.refit:
            self.best_estimator_, self.refit_time_ = selection.model, selection.refit_seconds

    def _beside_average(self, chosen: "Chosen", selection: Selection) -> Selection:
        """A selection of one candidate by ``auto``, with what an average would have where that costs no fit."""
        by_auto = isinstance(selection.criterion, type(resolve("auto")))
        if self.offer != "best" or self.scoring is not None or not by_auto:
            return selection
        from foldless.selection._held_out_answers import average_beside  # the engine, once it is needed

        session = chosen.session
        if len(selection.best.fits) > 1 or not isinstance(session.sample.target, Classes):
            return selection
        note = average_beside(session.engine, session.task, selection.ranking)
        return selection if note is None else replace(selection, notes=(*selection.notes, note))

    def report(self, path: Any, *, about: Sequence[str] = ()) -> Path:
        """Write one HTML file with the figures, the ranking, what was assumed and the code that makes it again.

        ``about`` are sentences on the data, such as ``foldless.tables.Problem.describe`` gives.
        """
        check_is_fitted(self)
        made_by = code_of(self, pool=self._has_pool, path=path)
        return self.selection_.report(path, made_by=made_by, about=about)

    def _html(self) -> str:
        """What it chose, with a small picture and the diagram of the model; before that, scikit-learn's diagram."""
        diagram = str(estimator_html_repr(getattr(self, "best_estimator_", self)))
        if not hasattr(self, "selection_"):
            return diagram
        return f"{self.selection_._repr_html_()}<details><summary>estimator</summary>{diagram}</details>"

    @property
    def _repr_html_(self) -> Any:
        if get_config()["display"] != "diagram":
            raise AttributeError("_repr_html_ is there only where scikit-learn's display is 'diagram'")
        return self._html

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:  # noqa: ARG002 (IPython's)
        plain = {"text/plain": repr(self)}
        return {**plain, "text/html": self._html()} if get_config()["display"] == "diagram" else plain
