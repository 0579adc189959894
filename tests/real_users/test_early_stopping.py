"""Nets with early stopping: skorch and torch where they are installed, and a net that takes an eval_set."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import SGDClassifier
from sklearn.neural_network import MLPClassifier

from foldless import FoldlessSearch
from foldless.criteria import KFold


@pytest.fixture(scope="module")
def blobs():
    X, y = make_classification(400, 8, n_informative=5, random_state=0)
    return X[:120].astype(np.float32), y[:120], X[120:].astype(np.float32), y[120:]


class StopsEarly(ClassifierMixin, BaseEstimator):
    """A linear net that is trained until a set beside gets no better, as boosting packages are."""

    def __init__(self, rate=0.01, patience=3, random_state=None):
        self.rate, self.patience, self.random_state = rate, patience, random_state

    def fit(self, X, y, eval_set=None, sample_weight=None):
        """Train; ``eval_set`` has rows and labels of its own."""
        net = SGDClassifier(learning_rate="constant", eta0=self.rate, random_state=self.random_state)
        self.classes_, self.n_iter_, best, waited = np.unique(y), 0, -np.inf, 0
        while waited < self.patience and self.n_iter_ < 200:
            net.partial_fit(X, y, classes=self.classes_, sample_weight=sample_weight)
            score = net.score(*(eval_set or (X, y)))
            best, waited = (score, 0) if score > best else (best, waited + 1)
            self.n_iter_ += 1
        self.net_ = net
        return self

    def predict(self, X):
        return self.net_.predict(X)

    def decision_function(self, X):
        return self.net_.decision_function(X)


def test_an_eval_set_and_weights_reach_every_fit(blobs):
    X, y, pool, truth = blobs
    search = FoldlessSearch(StopsEarly(), {"rate": [1e-4, 0.01]}, criterion=KFold(3), random_state=0)
    search.fit(X, y, eval_set=(pool[:50], truth[:50]), sample_weight=np.ones(len(y)))
    assert search.best_estimator_.n_iter_ < 200
    assert search.score(pool, truth) > 0.7


def test_a_net_with_early_stopping_of_its_own_in_the_race(blobs):
    X, y, pool, truth = blobs
    net = MLPClassifier((8,), early_stopping=True, n_iter_no_change=3, max_iter=300, learning_rate_init=0.02)
    search = FoldlessSearch(net, {"alpha": [1e-4, 1.0]}, random_state=0).fit(X, y, X_unlabeled=pool)
    assert search.best_estimator_.n_iter_ < 300
    assert search.score(pool, truth) > 0.65


def test_skorch(blobs):
    torch = pytest.importorskip("torch")
    skorch = pytest.importorskip("skorch")
    from skorch.callbacks import EarlyStopping

    X, y, pool, truth = blobs

    class Net(torch.nn.Module):
        def __init__(self, width=4):
            super().__init__()
            self.layers = torch.nn.Sequential(
                torch.nn.Linear(8, width), torch.nn.ReLU(), torch.nn.Linear(width, 2), torch.nn.Softmax(dim=-1)
            )

        def forward(self, rows):
            return self.layers(rows)

    torch.manual_seed(0)
    net = skorch.NeuralNetClassifier(
        Net, max_epochs=30, lr=0.1, verbose=0, callbacks=[EarlyStopping(patience=3)], classes=[0, 1]
    )
    search = FoldlessSearch(net, {"module__width": [1, 8]}, criterion=KFold(2), estimate=False, random_state=0)
    search.fit(X, y.astype(np.int64))
    assert search.score(pool, truth) > 0.6
    assert search.predict_proba(pool).shape == (len(pool), 2)
