"""Our quantifiers against QuaPy's on the same posteriors, ours inside QuaPy, and QuaPy's inside ours."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from foldless.integrations.quapy import Foreign, quapy_class, quapy_quantifier
from foldless.quantifiers import EM, DyS, Held, resolve, share_errors
from foldless.quantifiers.protocols import uniform

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]  # of QuaPy and what it imports
with mpl.rc_context():  # QuaPy changes matplotlib for everybody
    quapy = pytest.importorskip("quapy")
    aggregative = pytest.importorskip("quapy.method.aggregative")


def drawn(n, k, seed, shares=None):
    rng = np.random.default_rng(seed)
    y = rng.choice(k, n, p=shares)
    return rng.normal(size=(n, 4)) + 1.3 * np.random.default_rng(9).normal(size=(k, 4))[y], y


def posteriors(k):
    X, y = drawn(600, k, 0)
    model = LogisticRegression().fit(X[:300], y[:300])
    pool, truth = drawn(800, k, 1)
    return model.predict_proba(X[300:]), y[300:], model.predict_proba(pool), truth


OURS = {
    "ACC": "acc", "PACC": "pacc", "CC": "cc", "PCC": "pcc", "HDy": "hdy", "MS": "ms", "X": "x", "T50": "t50",
    "EMQ": EM(None), "DyS": DyS(distance="hellinger"), "KDEyML": "kdey",
}  # fmt: skip
TOLERANCE = {"HDy": 6e-3, "EMQ": 3e-3, "KDEyML": 4e-3, "T50": 0.02}  # QuaPy searches a grid, or stops early


@pytest.mark.parametrize(("name", "k"), [(n, 2) for n in OURS] + [(n, 4) for n in ("ACC", "PACC", "EMQ", "KDEyML")])
def test_shares_are_those_of_quapy(name, k):
    own, y, pool, truth = posteriors(k)
    bags = np.array(list(uniform(truth, 200, n=5)))
    mine = resolve(OURS[name]).learn(Held(own, y, k)).aggregate_many(pool, bags)

    def make(classifier):
        if name == "EMQ":
            return aggregative.EMQ(classifier)
        return getattr(aggregative, name)(classifier)

    theirs = Foreign(make, name).learn(Held(own, y, k)).aggregate_many(pool, bags)
    assert np.allclose(mine, theirs, atol=TOLERANCE.get(name, 1e-3))


def test_errors_are_those_of_quapy():
    rng = np.random.default_rng(0)
    true, found = rng.dirichlet(np.ones(4), 20), rng.dirichlet(np.ones(4), 20)
    true[0] = [1, 0, 0, 0]
    assert np.allclose(share_errors.absolute_error(true, found), quapy.error.ae(true, found))
    assert np.allclose(share_errors.squared_error(true, found), quapy.error.se(true, found))
    for mine, theirs in (("relative_absolute_error", "rae"), ("kullback_leibler", "kld"),
                         ("normalized_kullback_leibler", "nkld")):  # fmt: skip
        ours = getattr(share_errors, mine)(true, found, eps=0.01)
        assert np.allclose(ours, getattr(quapy.error, theirs)(true, found, eps=0.01))
    assert np.mean(share_errors.normalized_match_distance(true, found)) == pytest.approx(quapy.error.nmd(true, found))


def test_ours_in_the_evaluation_and_grid_search_of_quapy():
    data = quapy.data.LabelledCollection(*drawn(300, 2, 2))
    quantifier = quapy_quantifier(LogisticRegression(), "pacc").fit(*data.Xy)
    test = quapy.data.LabelledCollection(*drawn(600, 2, 3))
    protocol = quapy.protocol.UPP(test, sample_size=100, repeats=5)
    assert quapy.evaluation.evaluate(quantifier, protocol, "mae") < 0.15
    theirs = quapy.evaluation.evaluate(aggregative.PACC(LogisticRegression()).fit(*data.Xy), protocol, "mae")
    assert quapy.evaluation.evaluate(quantifier, protocol, "mae") == pytest.approx(theirs, abs=1e-3)
    search = quapy.model_selection.GridSearchQ(
        quapy_quantifier(LogisticRegression(), "pacc"), {"method": ["cc", "em"], "classifier__C": [0.1, 1.0]},
        quapy.protocol.UPP(test, sample_size=100, repeats=5), refit=False, error="mae",
    ).fit(*data.Xy)  # fmt: skip
    assert set(search.best_params_) == {"method", "classifier__C"}
    best = quapy.evaluation.evaluate(search.best_model_, protocol, "mae")
    assert best == pytest.approx(search.best_score_)
    assert isinstance(search.best_model_, quapy_class())


def test_a_quantifier_of_quapy_in_quantify():
    from foldless import quantify

    way = Foreign(lambda classifier: aggregative.PACC(classifier), "quapy-pacc")
    X, y = drawn(120, 2, 4)
    pool = drawn(300, 2, 5, shares=[0.8, 0.2])[0]
    from foldless.quantifiers import _intervals as intervals

    draws = intervals.DRAWS_OF_LIKELIHOOD
    try:
        intervals.DRAWS_OF_LIKELIHOOD = 5
        theirs = quantify(LogisticRegression(), X, y, X_unlabeled=pool, method=way, random_state=0)
    finally:
        intervals.DRAWS_OF_LIKELIHOOD = draws
    mine = quantify(LogisticRegression(), X, y, X_unlabeled=pool, method="pacc", random_state=0)
    assert theirs.method == "quapy-pacc"
    assert np.allclose(theirs.values, mine.values, atol=1e-3)
