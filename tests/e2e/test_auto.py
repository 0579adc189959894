"""The default criterion with an engine behind it: any number of workers, a stop, an average that is a model."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from foldless import FoldlessSearch
from foldless.criteria import Auto

X, Y = load_digits(return_X_y=True)
ORDER = np.random.default_rng(0).permutation(len(Y))
LABELED, POOL, TEST = ORDER[:60], ORDER[60:400], ORDER[400:]
CANDIDATES = {
    "neighbors": (KNeighborsClassifier(), {"n_neighbors": [1, 3, 30]}),
    "tree": (DecisionTreeClassifier(random_state=0), {"max_depth": [1, 4, None]}),
    "logistic": (LogisticRegression(max_iter=50), {"C": [1e-4, 1e-2]}),
}


def search(criterion="auto", **others):
    chosen = FoldlessSearch(CANDIDATES, criterion=criterion, random_state=0, **others)
    return chosen.fit(X[LABELED], Y[LABELED], X_unlabeled=X[POOL])


@pytest.mark.filterwarnings("ignore:lbfgs failed")
def test_workers_change_nothing():
    alone, two = search(), search(n_jobs=2)
    assert alone.best_params_ == two.best_params_
    assert alone.selection_.trace.equals(two.selection_.trace)
    assert alone.selection_.n_fits == two.selection_.n_fits


@pytest.mark.filterwarnings("ignore:lbfgs failed")
def test_it_takes_fewer_fits_than_5_fold_and_trains_its_model():
    chosen = search()
    assert chosen.selection_.n_fits.run <= 5 * 8 + 1
    assert chosen.selection_.n_fits.final == 0
    assert chosen.score(X[TEST], Y[TEST]) > 0.75
    assert {"score", "consensus", "blend", "resamples"} <= set(chosen.selection_.trace.columns)


@pytest.mark.filterwarnings("ignore:lbfgs failed")
def test_an_average_is_a_model():
    chosen = search(Auto(offer="average"))
    model = chosen.best_estimator_
    assert len(model.estimators_) == len(model.weights_) > 3
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(X[TEST]), model.predict_proba(X[TEST]))
    weighted = np.zeros((len(TEST), 10))
    for weight, member in zip(model.weights_, model.estimators_, strict=True):
        weighted[:, member.classes_] += weight * member.predict_proba(X[TEST])
    assert model.predict_proba(X[TEST]) == pytest.approx(weighted)
    assert chosen.selection_.n_fits.final == 0
    assert chosen.score(X[TEST], Y[TEST]) > 0.75


@pytest.mark.filterwarnings("ignore:lbfgs failed")
def test_a_stop_between_rounds_keeps_the_leaders(monkeypatch):
    from foldless.engine.run import Engine

    rounds = []
    answer = Engine.answer

    def stop_after_two(engine, asks, *others):
        rounds.append(len(asks))
        if len(rounds) == 3:
            engine.stop.request("time is up")
        answer(engine, asks, *others)

    monkeypatch.setattr(Engine, "answer", stop_after_two)
    with pytest.warns(UserWarning, match="time is up"):
        chosen = search()
    assert len(chosen.selection_.ranking) == 8
    assert not chosen.selection_.unfinished
    assert chosen.selection_.trace["resamples"].max() == 2
    assert chosen.score(X[TEST], Y[TEST]) > 0.7
