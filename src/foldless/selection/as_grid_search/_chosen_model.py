"""A fitted search in the place of the model it chose: what that can do, the search can do."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn import get_config
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from foldless.core import Array
from foldless.data._targets import label_sets
from foldless.engine._candidates import bases
from foldless.errors import BadInput
from foldless.selection.as_grid_search import _routing as routing

BEFORE_FIT = LogisticRegression()  # can what every portfolio can
NO_REFIT = (
    "This {kind} instance was initialized with `refit=False`. {name} is available only after refitting on the best "
    "parameters. You can refit an estimator manually using the `best_params_` attribute"
)


def _delegates(name: str) -> Any:
    """Whether the chosen model (before fit: the estimator) has a method."""

    def check(search: Any) -> bool:
        search._check_refit(name)
        if hasattr(search, "best_estimator_"):
            getattr(search.best_estimator_, name)
            return True
        for base in bases(search.estimators):
            getattr(base, name)
        return True

    return available_if(check)


class ChosenModel:
    """Methods of the chosen model."""

    estimator: Any
    refit: Any

    @property
    def estimators(self) -> Any:
        """What is chosen from: the estimator that was given, or else the portfolio for the rows of ``fit``."""
        if self.estimator is not None:
            return self.estimator
        return getattr(self, "candidates_", None) or BEFORE_FIT

    @_delegates("predict")
    def predict(self, X: Any) -> Array:
        """The chosen model's labels."""
        return self._chosen("predict").predict(X)

    @_delegates("predict_proba")
    def predict_proba(self, X: Any) -> Array:
        """The chosen model's probabilities."""
        return self._chosen("predict_proba").predict_proba(X)

    def predict_frame(self, X: Any, *, all_classes: bool = False) -> pd.DataFrame:
        """The chosen model's labels with what is known of each: the columns that ``foldless predict`` writes.

        Parameters
        ----------
        X : rows
        all_classes : bool
            Whether each class has a column, however many there are; by default up to 20 have.

        Returns
        -------
        DataFrame
            ``predicted``, the label; ``predicted_probability``; of an average ``predicted_agreement``, the weight of
            the members that predict the label by themselves; and ``P(class)`` for each class. A model without
            probabilities has those of its out-of-fold scores if there is an estimate, and otherwise none.
        """
        from foldless.selection._probability_columns import Answering

        model = self._chosen("predict")
        temperature = self.selection_.temperature  # type: ignore[attr-defined]  # made by fit
        answers = Answering(model, temperature, all_classes or "auto").about(X)
        index = X.index if isinstance(X, pd.DataFrame | pd.Series) else None
        return pd.DataFrame({"predicted": answers.labels, **answers.beside("predicted")}, index=index)

    @_delegates("predict_log_proba")
    def predict_log_proba(self, X: Any) -> Array:
        """The chosen model's log probabilities."""
        return self._chosen("predict_log_proba").predict_log_proba(X)

    @_delegates("decision_function")
    def decision_function(self, X: Any) -> Array:
        """The chosen model's scores."""
        return self._chosen("decision_function").decision_function(X)

    @_delegates("score_samples")
    def score_samples(self, X: Any) -> Array:
        """The chosen model's score of each row."""
        return self._chosen("score_samples").score_samples(X)

    @_delegates("transform")
    def transform(self, X: Any) -> Array:
        """The chosen model's transformation."""
        return self._chosen("transform").transform(X)

    @_delegates("inverse_transform")
    def inverse_transform(self, X: Any) -> Array:
        """The chosen model's inverse transformation."""
        return self._chosen("inverse_transform").inverse_transform(X)

    def score(self, X: Any, y: Any = None, **params: Any) -> float:
        """The chosen model's score, by the metric it was chosen by: `scorer_`.

        A model that learned one copy of a row for each of its labels predicts one label. Where ``y`` has several in a
        row, its score is the share of rows whose predicted label is one of theirs.
        """
        if self.replicated_ and (sets := label_sets(y)) is not None:  # type: ignore[attr-defined]  # made by fit
            hits = np.asarray(self._chosen("score").predict(X))[sets.rows] == sets.labels
            return float(np.bincount(sets.rows, hits, minlength=sets.n).mean())
        chosen, scorer = self._chosen("score"), self.scorer_  # type: ignore[attr-defined]  # made by fit
        several = self.multimetric_  # type: ignore[attr-defined]  # made by fit
        if isinstance(scorer, dict):
            scorer = scorer[self.refit]
        if get_config()["enable_metadata_routing"] and params:  # what routes nothing has no parts to look up
            params = routing.of_scorer(process_routing(self, "score", **params), self.refit if several else None)
        elif unknown := set(params) - {"sample_weight"}:
            raise BadInput(
                f"{sorted(unknown)} is only supported if metadata routing is enabled: enable_metadata_routing"
            )
        scores = scorer(chosen, X, y, **params)
        return float(scores[self.refit] if several and isinstance(scores, dict) else scores)

    @property
    def n_features_in_(self) -> int:
        """The number of features the chosen model was trained on."""
        try:
            check_is_fitted(self)
        except Exception as error:
            raise AttributeError(f"{type(self).__name__} object has no attribute 'n_features_in_': {error}") from error
        return int(self.best_estimator_.n_features_in_)  # type: ignore[attr-defined]  # made by fit

    @property
    def classes_(self) -> Array:
        """The labels that the chosen model knows."""
        self._check_refit("classes_")
        if not hasattr(self, "best_estimator_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'classes_' before it is fitted")
        return self.best_estimator_.classes_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "selection_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # of the estimator that this is mixed into
        inner = [get_tags(base) for base in bases(self.estimators)]
        tags.estimator_type = inner[0].estimator_type
        tags.classifier_tags, tags.regressor_tags = inner[0].classifier_tags, inner[0].regressor_tags
        tags.input_tags.pairwise = all(t.input_tags.pairwise for t in inner)
        tags.input_tags.sparse = all(t.input_tags.sparse for t in inner)
        imputes = self.estimator is None  # as every portfolio does
        tags.input_tags.allow_nan = imputes or all(t.input_tags.allow_nan for t in inner)
        tags.array_api_support = False
        return tags

    def get_metadata_routing(self) -> Any:
        """Parameters go to the candidates, the scorers and the splitter as each requests them."""
        return routing.router(self)

    def _chosen(self, name: str) -> Any:
        self._check_refit(name)
        check_is_fitted(self)
        return self.best_estimator_  # type: ignore[attr-defined]  # made by fit

    def _check_refit(self, name: str) -> None:
        if not self.refit:
            raise AttributeError(NO_REFIT.format(kind=type(self).__name__, name=name))
