"""Quantifiers of qunfold and mlquantify in ours, through one adapter: the shares that our own find."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from foldless import quantify
from foldless.integrations.quapy import Foreign
from foldless.quantifiers import EM, Held, resolve

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]  # of what they import


def drawn(n, k, seed, shares=None):
    rng = np.random.default_rng(seed)
    y = rng.choice(k, n, p=shares)
    return rng.normal(size=(n, 4)) + 1.3 * np.random.default_rng(9).normal(size=(k, 4))[y], y


def mlquantify(name):
    package = pytest.importorskip("mlquantify")
    where = {"EMQ": "likelihood", "GACC": "counting", "GPACC": "counting", "CC": "counting", "PCC": "counting"}
    kind = getattr(getattr(package, where[name]), name)
    return lambda classifier: kind(classifier)


def qunfold(name):
    package = pytest.importorskip("qunfold")
    if not hasattr(package, "LinearMethod"):
        pytest.skip("another package has this name on PyPI; the one meant is github.com/mirkobunse/qunfold")
    return lambda classifier: getattr(package, name)(classifier)


SAME = {
    ("mlquantify", "CC"): "cc", ("mlquantify", "PCC"): "pcc", ("mlquantify", "GACC"): "acc",
    ("mlquantify", "GPACC"): "pacc", ("mlquantify", "EMQ"): EM(None), ("qunfold", "ACC"): "acc",
    ("qunfold", "PACC"): "pacc",
}  # fmt: skip


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize(("package", "name"), SAME)
def test_shares_are_ours(package, name, k):
    make = {"mlquantify": mlquantify, "qunfold": qunfold}[package](name)
    X, y = drawn(600, k, 0)
    model = LogisticRegression().fit(X[:300], y[:300])
    held = Held(model.predict_proba(X[300:]), y[300:], k)
    pool = model.predict_proba(drawn(800, k, 1, np.arange(1, k + 1) / np.arange(1, k + 1).sum())[0])
    bags = [np.arange(400), np.arange(400, 800)]
    theirs = Foreign(make, name).learn(held).aggregate_many(pool, bags)
    assert np.allclose(theirs, resolve(SAME[package, name]).learn(held).aggregate_many(pool, bags), atol=5e-3)


def test_quantify_counts_with_one_of_them(monkeypatch):
    monkeypatch.setattr("foldless.quantifiers._intervals.DRAWS_OF_LIKELIHOOD", 10)
    X, y = drawn(200, 2, 0)
    pool = drawn(300, 2, 1, [0.2, 0.8])[0]
    found = quantify(
        LogisticRegression(), X, y, X_unlabeled=pool, method=Foreign(mlquantify("GACC"), "GACC"), random_state=0
    )
    assert found.method == "GACC"
    assert found.lower[1] <= found.shares[1] <= found.upper[1]
    assert abs(found.shares[1] - 0.8) < 0.1
