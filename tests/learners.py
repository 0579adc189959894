"""Small learners that count, fail, wait or answer in batches, for tests of the engine."""

import time
from collections import Counter
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.linear_model import RidgeClassifier

from foldless.batching import Answered, Member

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
            said = []
            for question in member.questions:
                X = _rows(blocks, question.part)
                said.append(model.predict(X) if question.response == "labels" else model.decision_function(X))
            given.append(Answered(tuple(said), model.classes_, model if member.keep else None))
        return given


class MeanOverRows(Mean):
    """The same, also for different training rows in one batch."""

    batch_over: ClassVar[frozenset[str]] = frozenset({"C", "rows", "labels"})


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
