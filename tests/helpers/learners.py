"""Small learners that count, fail, wait or answer in batches, for tests of the engine."""

import time
from collections import Counter
from typing import Any, ClassVar

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.linear_model import RidgeClassifier

from foldless.core.batch import Answered, Member

CALLS: Counter[str] = Counter()


class Ridge(RidgeClassifier):
    """Ridge classification with C = 1 / alpha, counting its fits."""

    def __init__(self, C=1.0, fail_at=None, sleep=0.0):
        super().__init__(alpha=1 / C)
        self.C = C
        self.fail_at = fail_at
        self.sleep = sleep

    def fit(self, X, y, sample_weight=None):
        CALLS["fit"] += 1
        time.sleep(self.sleep)
        if self.fail_at is not None and self.fail_at == self.C:
            raise RuntimeError(f"no fit at C={self.C}")
        self.alpha = 1 / self.C
        return super().fit(X, y, sample_weight)


class Mean(ClassifierMixin, BaseEstimator):
    """Nearest class mean, shrunken by C; answers whole batches, and says how often it was asked."""

    batch_over: ClassVar[frozenset[str]] = frozenset({"C"})

    def __init__(self, C=1.0, power=2):
        self.C = C
        self.power = power

    def fit(self, X, y):
        CALLS["mean fit"] += 1
        return self._learn(np.asarray(X), np.asarray(y))

    def _learn(self, X, y):
        if self.C < 0:
            raise ValueError(f"C must be positive, got {self.C}")
        self.classes_ = np.unique(y)
        self.n_features_in_ = X.shape[1]
        overall = X.mean(axis=0)
        own = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        self.means_ = overall + (own - overall) * self.C / (1 + self.C)
        return self

    def decision_function(self, X):
        d = -(np.abs(np.asarray(X)[:, None, :] - self.means_) ** self.power).sum(axis=2)
        return d[:, 1] - d[:, 0] if len(self.classes_) == 2 else d

    def predict(self, X):
        d = self.decision_function(X)
        return self.classes_[(d > 0).astype(int) if d.ndim == 1 else d.argmax(axis=1)]

    def answer_batch(self, blocks: list[Any], members: list[Member]) -> list[Answered]:
        CALLS["batch"] += 1
        CALLS["members"] += len(members)
        given = []
        for member in members:
            model = type(self)(**{**self.get_params(), **member.params})._learn(_rows(blocks, member.train), member.y)
            answers = []
            for question in member.questions:
                X = _rows(blocks, question.part)
                answers.append(model.predict(X) if question.response == "labels" else model.decision_function(X))
            given.append(Answered(tuple(answers), model.classes_, model if member.keep else None))
        return given


class MeanOverRows(Mean):
    """The same, also for different training rows in one batch."""

    batch_over: ClassVar[frozenset[str]] = frozenset({"C", "rows", "labels"})


class MeanInSeries(MeanOverRows):
    """The same, with batches of different powers one after the other; it must have been prepared for their blocks."""

    series_over: ClassVar[frozenset[str]] = frozenset({"power"})

    def prepare(self, blocks, members):
        CALLS["prepared"] += 1
        self.prepared_ = blocks

    def answer_batch(self, blocks, members):
        assert self.prepared_ is blocks
        assert len({member.params["power"] for member in members}) == 1
        return super().answer_batch(blocks, members)


class Centered(ClassifierMixin, BaseEstimator):
    """Class means about the mean of all rows, labeled or not; what the features alone give is made once per batch."""

    semi_supervised: ClassVar[bool] = True
    batch_over: ClassVar[frozenset[str]] = frozenset({"rows", "labels", "unlabeled"})

    def __init__(self, C=1.0, power=2):
        self.C = C
        self.power = power

    def fit(self, X, y):
        CALLS["centered fit"] += 1
        X, y = np.asarray(X), np.asarray(y)
        return self._learn(self._middle(X), X[y >= 0], y[y >= 0])

    def _middle(self, X):
        CALLS["kernel"] += 1
        return X.mean(axis=0)

    def _learn(self, middle, X, y):
        if y.dtype.kind != "i" or (y < 0).any():
            raise ValueError(f"labels must be codes, got {y}")
        if len(np.unique(y)) < 2:
            raise ValueError("one class only")
        self.classes_, self.middle_, self.n_features_in_ = np.unique(y), middle, X.shape[1]
        self.means_ = np.array([X[y == c].mean(axis=0) for c in self.classes_]) - middle
        self.evidence_ = float(
            np.log(self.predict_proba(X)[np.arange(len(y)), np.searchsorted(self.classes_, y)]).sum()
        )
        return self

    def predict_proba(self, X):
        return softmax(self.C * (np.asarray(X) - self.middle_) @ self.means_.T, axis=1)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def log_marginal_likelihood(self):
        return self.evidence_

    def answer_batch(self, blocks: list[Any], members: list[Member]) -> list[Answered]:
        CALLS["batch"] += 1
        CALLS["members"] += len(members)
        middles: dict[Any, Any] = {}
        given = []
        for member in members:
            parts = [member.train] + [member.unlabeled] * (member.unlabeled is not None)
            assert len({part.block for part in parts}) == 1
            every = np.arange(len(blocks[member.train.block]))
            rows = np.sort(np.concatenate([every if part.rows is None else part.rows for part in parts]))
            if (member.train.block, rows.tobytes()) not in middles:
                middles[member.train.block, rows.tobytes()] = self._middle(np.asarray(blocks[member.train.block])[rows])
            model = type(self)(**{**self.get_params(), **member.params})._learn(
                middles[member.train.block, rows.tobytes()], _rows(blocks, member.train), member.y
            )
            answers = []
            for question in member.questions:
                if question.response == "evidence":
                    assert len(question.part.rows) == 0
                    answers.append(np.array([model.evidence_]))
                else:
                    answer = model.predict if question.response == "labels" else model.predict_proba
                    answers.append(answer(_rows(blocks, question.part)))
            given.append(Answered(tuple(answers), model.classes_, model if member.keep else None))
        return given


class Scale(TransformerMixin, BaseEstimator):
    """A transformer that learns a scale, and counts."""

    def __init__(self, by=1.0):
        self.by = by

    def fit(self, X, y=None):
        CALLS["scale fit"] += 1
        self.scale_ = np.abs(np.asarray(X)).max() * self.by
        return self

    def transform(self, X):
        CALLS["scale transform"] += 1
        return np.asarray(X) / self.scale_


class TwoFaced(TransformerMixin, BaseEstimator):
    """Makes something else of the training rows than of the same rows later, as cross-fitted encoders do."""

    def fit(self, X, y=None):
        return self

    def fit_transform(self, X, y=None):
        return np.asarray(X)[:, ::-1]

    def transform(self, X):
        return np.asarray(X)


def _rows(blocks, part):
    block = np.asarray(blocks[part.block])
    return block if part.rows is None else block[part.rows]
