"""A learner of streams as the classifier inside QuaPy's quantifiers, and our adjusted count beside QuaPy's."""

import matplotlib as mpl
import numpy as np
import pytest

from foldless.online import NEMSIS
from foldless.quantifiers import adjusted_count, classify_and_count

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]  # of QuaPy and what it imports
with mpl.rc_context():  # QuaPy changes matplotlib for everybody
    aggregative = pytest.importorskip("quapy.method.aggregative")


def drawn(n, share, seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    return rng.normal(size=(n, 4)) + 1.2 * y[:, None], y


@pytest.fixture(scope="module")
def fitted():
    return NEMSIS("bakld").fit(*drawn(8000, 0.3, 0))


@pytest.mark.parametrize("share", [0.1, 0.3, 0.7])
def test_cc_with_a_fitted_learner(fitted, share):
    X, _ = drawn(3000, share, 1)
    quantifier = aggregative.CC(fitted, fit_classifier=False).fit(*drawn(2000, 0.3, 2))
    assert np.allclose(quantifier.predict(X), classify_and_count(fitted.predict(X), 2))


@pytest.mark.parametrize("share", [0.1, 0.3, 0.7])
def test_acc_with_a_fitted_learner(fitted, share):
    X, _ = drawn(3000, share, 1)
    val, y_val = drawn(4000, 0.3, 2)
    shares = aggregative.ACC(fitted, fit_classifier=False, val_split=None).fit(val, y_val).predict(X)
    labels = fitted.predict(val)
    table = np.array([[np.sum((y_val == j) & (labels == i)) for i in range(2)] for j in range(2)])
    assert np.allclose(adjusted_count(classify_and_count(fitted.predict(X), 2), table), shares, atol=1e-3)
    assert abs(shares[1] - share) < 0.05


def test_quapy_fits_the_learner_itself():
    X, y = drawn(4000, 0.3, 0)
    shares = aggregative.ACC(NEMSIS("bakld")).fit(X, y).predict(drawn(3000, 0.6, 1)[0])
    assert abs(shares[1] - 0.6) < 0.06
