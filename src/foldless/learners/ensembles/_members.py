"""What ensembles have in common: fitted members that vote, whatever classes each of them has seen."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from foldless.core import Array
from foldless.core._vote import Vote
from foldless.data._class_labels import encode
from foldless.data._features import as_features, n_rows, take
from foldless.errors import BadInput, BadType
from foldless.learners._inputs import note_features
from foldless.learners.ensembles._shared_steps import FirstSteps

Ensemble = TypeVar("Ensemble", bound="Members")
TOGETHER = 32  # members whose answers are in memory at once


class Members:
    """A mixin: ``estimators_`` vote with equal votes, or with ``weights_``."""

    voting: str
    n_jobs: int | None
    random_state: Any

    def around(
        self: Ensemble,
        members: Sequence[Any],
        classes: Array,
        weights: tuple[float, ...] = (),
        temperatures: tuple[float | None, ...] = (),
    ) -> Ensemble:
        """Use members that are already fitted, with these classes and with equal votes or these weights.

        Members that have scores and no probabilities have ``temperatures``.
        """
        self.estimators_, self.classes_ = list(members), classes
        for name, values in (("weights_", weights), ("temperatures_", temperatures)):
            self.__dict__.pop(name, None)  # of an earlier fit
            if values:
                setattr(self, name, values)
        note_features(self, members)
        return self

    def _rows(self, X: Any, y: Any) -> tuple[Any, Array]:
        """Features and labels to train on, or what is wrong with them."""
        if y is None:
            raise BadInput(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X, y = as_features(X, "X"), column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        if not len(y):
            raise BadInput("there are no rows to train on, n_samples=0: pass at least one")
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        return X, y

    def _check_votes_of(self, estimator: Any, temperature: float | None = None) -> None:
        if temperature is not None and hasattr(estimator, "decision_function"):
            return
        if self._vote().response == "probabilities" and not hasattr(estimator, "predict_proba"):
            raise BadType(f"voting='soft' averages probabilities, which {estimator!r} does not have: use voting='hard'")

    def _trained(self, plan: Iterable[tuple[Any, Array]], X: Any, y: Array, sample_weight: Any) -> list[Any]:
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        return list(
            Parallel(n_jobs=self.n_jobs, prefer="threads")(
                delayed(_train)(member, take(X, rows), y[rows], None if weights is None else weights[rows])
                for member, rows in plan
            )
        )

    def predict(self, X: Any) -> Array:
        """The label with the most votes."""
        shares = self.predict_proba(X)  # first, as it says what is not fitted
        return np.asarray(self.classes_[self._vote().winners(shares)])

    def predict_proba(self, X: Any) -> Array:
        """The share of each class in the votes, or the mean of the members' probabilities."""
        check_is_fitted(self)
        X, vote = as_features(X, "X"), self._vote()
        return vote.shares(self._answers(X, vote), len(self.classes_))

    def vote_on(self, X: Any) -> tuple[Array, Array]:
        """What `predict_proba` says, and for each row the weight of the members that predict the same label."""
        check_is_fitted(self)
        X, vote = as_features(X, "X"), self._vote()
        labels: list[Array] = []

        def noted() -> Iterator[Array]:
            for answer in self._answers(X, vote):
                labels.append(answer if answer.ndim == 1 else answer.argmax(axis=1))
                yield answer

        shares = vote.shares(noted(), len(self.classes_))
        weights = np.asarray(vote.weights or (1.0,) * len(labels))
        agree = np.asarray(labels) == vote.winners(shares)
        return shares, np.asarray(weights @ agree / weights.sum())

    def _answers(self, X: Any, vote: Vote) -> Iterator[Array]:
        """What the members answer, some at a time: all at once would be members times rows."""
        first = FirstSteps(self.estimators_, X)
        for start in range(0, len(self.estimators_), TOGETHER):
            yield from Parallel(n_jobs=self.n_jobs, prefer="threads")(
                delayed(_answer)(*first.behind(member), vote.response_of(at), self.classes_)
                for at, member in enumerate(self.estimators_[start : start + TOGETHER], start)
            )

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithms of `predict_proba`, −∞ for a class without any vote."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def _vote(self) -> Vote:
        weights, temperatures = getattr(self, "weights_", ()), getattr(self, "temperatures_", ())
        return Vote(self.voting, weights, temperatures)  # type: ignore[arg-type]  # checked there


def seeded(estimator: Any, rng: np.random.Generator) -> Any:
    """The estimator with a seed wherever it has none."""
    unset = [
        name
        for name, value in estimator.get_params(deep=True).items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    ]
    return estimator.set_params(**{name: int(rng.integers(np.iinfo(np.int32).max)) for name in unset})


def _train(member: Any, X: Any, y: Array, weights: Array | None) -> Any:
    """Fit a member; rows of a single class get a constant classifier."""
    if (y == y[0]).all():
        return DummyClassifier(strategy="most_frequent").fit(X, y)
    return member.fit(X, y) if weights is None else member.fit(X, y, sample_weight=weights)


def _answer(member: Any, X: Any, response: str, classes: Array) -> Array:
    """Class codes of a member's labels, or its probabilities or scores with a column for every class.

    Classes that only the member knows do not count.
    """
    if response == "labels":
        return encode(member.predict(X), classes)
    columns = encode(member.classes_, classes)
    if response == "scores" and hasattr(member, "decision_function"):  # a member of one class has none
        answer, unseen = np.asarray(member.decision_function(X), dtype=float), -np.inf
        answer = np.c_[-answer, answer] if answer.ndim == 1 else answer
    else:
        answer, unseen = member.predict_proba(X), 0.0
    aligned = np.full((n_rows(X), len(classes)), unseen)
    aligned[:, columns[columns >= 0]] = answer[:, columns >= 0]
    return aligned
