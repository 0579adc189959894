"""Nets with early stopping: skorch and torch where they are installed, and a net that takes an eval_set."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier

from foldless import FoldlessSearch
from foldless.criteria import KFold

pytestmark = pytest.mark.slow  # nets and other packages


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


class Wide:
    """A layer with ReLU in front of a logistic output, as a module that a net makes from its class."""

    def __init__(self, width=4, seed=0):
        rng = np.random.default_rng(seed)
        self.first, self.last = rng.normal(size=(8, width)), np.zeros((width, 2))

    def forward(self, X):
        scores = np.exp(self.hidden(X) @ self.last)
        return scores / scores.sum(axis=1, keepdims=True)

    def hidden(self, X):
        return np.maximum(X @ self.first, 0)


class NetLikeSkorch(ClassifierMixin, BaseEstimator):
    """skorch's protocol: a class as parameter, ``module__…`` for it, float32 only, a split of its own to stop by."""

    def __init__(self, module, max_epochs=600, patience=3, lr=0.05, **kwargs):
        self.module, self.max_epochs, self.patience, self.lr = module, max_epochs, patience, lr
        vars(self).update(kwargs)

    def get_params(self, deep=True):
        return {name: value for name, value in vars(self).items() if not name.endswith("_")}

    def set_params(self, **params):
        vars(self).update(params)
        return self

    def fit(self, X, y, **fit_params):
        assert X.dtype == np.float32
        given = {name[8:]: value for name, value in self.get_params().items() if name.startswith("module__")}
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.module_, self.history_, held = self.module(**given), [], np.arange(len(y)) % 5 == 0
        while len(self.history_) < self.max_epochs and not self._waited():
            hidden = self.module_.hidden(X[~held])
            wrong = self.module_.forward(X[~held]) - np.eye(2)[codes[~held]]
            self.module_.last -= self.lr * hidden.T @ wrong / len(hidden)
            given = self.module_.forward(X[held])[np.arange(held.sum()), codes[held]]
            self.history_.append({"valid_loss": -np.log(given).mean()})
        return self

    def _waited(self):
        losses = [epoch["valid_loss"] for epoch in self.history_]
        return len(losses) > self.patience and min(losses[-self.patience :]) > min(losses)

    def predict_proba(self, X):
        return self.module_.forward(X)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def test_a_net_made_from_a_class_as_in_skorch(blobs):
    X, y, pool, truth = blobs
    net, grid = NetLikeSkorch(Wide, lr=0.5, module__seed=1), {"module__width": [1, 8], "lr": [0.5, 2.0]}
    ours, theirs = (kind(net, grid, scoring="neg_log_loss", cv=3).fit(X, y) for kind in (FoldlessSearch, GridSearchCV))
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], rtol=1e-12)
    assert ours.best_params_ == theirs.best_params_
    raced = FoldlessSearch(net, grid, random_state=0).fit(X, y, X_unlabeled=pool)
    assert raced.score(pool, truth) > 0.7
    assert len(raced.best_estimator_.history_) < 600


def test_skorch(blobs):
    """Not in CI: torch brings gigabytes, or 155 MB as ``--index-url https://download.pytorch.org/whl/cpu``."""
    torch = pytest.importorskip("torch")
    skorch = pytest.importorskip("skorch")
    from skorch.callbacks import EarlyStopping

    X, y, pool, truth = blobs
    y = y.astype(np.int64)

    class Net(torch.nn.Module):
        def __init__(self, width=4):
            super().__init__()
            torch.manual_seed(0)
            self.layers = torch.nn.Sequential(
                torch.nn.Linear(8, width), torch.nn.ReLU(), torch.nn.Linear(width, 2), torch.nn.Softmax(dim=-1)
            )

        def forward(self, rows):
            return self.layers(rows)

    net = skorch.NeuralNetClassifier(
        Net, max_epochs=200, lr=0.5, verbose=0, callbacks=[EarlyStopping(patience=3)], classes=[0, 1]
    )
    grid = {"module__width": [1, 8]}
    ours = FoldlessSearch(net, grid, cv=2, estimate=False).fit(X, y)
    theirs = GridSearchCV(net, grid, cv=2).fit(X, y)
    np.testing.assert_array_equal(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    assert ours.best_params_ == theirs.best_params_
    raced = FoldlessSearch(net, grid, random_state=0).fit(X, y, X_unlabeled=pool)
    assert len(raced.best_estimator_.history) < 200
    assert raced.score(pool, truth) > 0.6
    assert raced.predict_proba(pool).shape == (len(pool), 2)
