from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from foldless.bounds._quantification import printed, valid

MEASURES = ["accuracy", "macro_precision", "macro_recall", "macro_f1"]
VALID = {"n_labeled": 400, "n_pool": 900, "delta": 0.05}


@st.composite
def share_pairs(draw):
    """Shares of the labels, all positive, and of the pool, some of them zero."""
    k = draw(st.integers(1, 6))
    labeled = np.array(draw(st.lists(st.integers(1, 20), min_size=k, max_size=k)), float)
    pool = np.array(draw(st.lists(st.integers(0, 20), min_size=k, max_size=k).filter(any)), float)
    return labeled / labeled.sum(), pool / pool.sum()


@st.composite
def confusions(draw):
    """Counts of (true, predicted) classes in which every true class occurs."""
    k = draw(st.integers(2, 4))
    rows = st.lists(st.integers(0, 6), min_size=k, max_size=k).filter(any)
    return np.array(draw(st.lists(rows, min_size=k, max_size=k)))


def harmonic(a, b):
    return 2 * a * b / (a + b) if a + b else 0.0


# printed


@given(share_pairs())
def test_accuracy_is_one_minus_total_variation(shares):
    p, q = shares
    assert printed("accuracy", p, q) == pytest.approx(1 - np.abs(p - q).sum() / 2)


@pytest.mark.parametrize("measure", MEASURES)
@given(share_pairs())
def test_equal_shares_allow_everything(measure, shares):
    p, _ = shares
    assert printed(measure, p, p) == pytest.approx(1)
    assert valid(measure, p, p, 10, 0, 0.05) == pytest.approx(1)


@given(share_pairs(), st.data())
def test_predicting_one_class_only(shares, data):
    p, _ = shares
    k = len(p)
    c = data.draw(st.integers(0, k - 1))
    one = np.eye(k)[c]
    assert printed("accuracy", p, one) == pytest.approx(p[c])
    assert printed("macro_precision", p, one) == pytest.approx(p[c] / k)
    assert printed("macro_recall", p, one) == pytest.approx(1 / k)
    assert printed("macro_f1", p, one) == pytest.approx(harmonic(p[c] / k, 1 / k))


def test_numbers_by_hand():
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.25, 0.75, 0.0])
    assert printed("accuracy", p, q) == pytest.approx(0.55)
    precision, recall = (1 + 0.4 + 0) / 3, (0.5 + 1 + 0) / 3
    assert printed("macro_precision", p, q) == pytest.approx(precision)
    assert printed("macro_recall", p, q) == pytest.approx(recall)
    assert printed("macro_f1", p, q) == pytest.approx(2 * precision * recall / (precision + recall))


def test_numbers_by_hand_with_an_error_of_the_shares():
    p, q, eps = np.array([0.5, 0.3, 0.2]), np.array([0.25, 0.75, 0.0]), 0.05
    assert printed("accuracy", p, q, eps) == pytest.approx(0.55 + 3 * eps)
    precision = (1 + 0.35 / 0.8 + 0.05 / 0.05) / 3
    recall = (0.3 / 0.55 + 0.35 / 0.35 + 0.05 / 0.25) / 3
    assert printed("macro_precision", p, q, eps) == pytest.approx(precision)
    assert printed("macro_recall", p, q, eps) == pytest.approx(recall)
    assert printed("macro_f1", p, q, eps) == pytest.approx(harmonic(precision, recall))


def test_a_single_class_allows_everything():
    for measure in MEASURES:
        assert printed(measure, np.ones(1), np.ones(1)) == 1


def test_nothing_predicted_at_all():
    for measure in MEASURES:
        assert printed(measure, np.array([0.5, 0.5]), np.zeros(2)) == 0


@pytest.mark.slow
@given(confusions())
def test_macro_f1_covers_both_of_its_readings(confusion):
    k = len(confusion)
    truth, predicted = (np.repeat(side.ravel(), confusion.ravel()) for side in np.indices((k, k)))
    settings = {"average": "macro", "labels": range(k), "zero_division": 0}
    precision = precision_score(truth, predicted, **settings)
    recall = recall_score(truth, predicted, **settings)
    mean_of_f1 = f1_score(truth, predicted, **settings)
    assert mean_of_f1 <= harmonic(precision, recall) + 1e-12


@given(confusions())
def test_what_shares_allow_is_never_less_than_what_is_reached(confusion):
    n, k = confusion.sum(), len(confusion)
    p, q, right = confusion.sum(axis=1) / n, confusion.sum(axis=0) / n, np.diag(confusion) / n
    precision = np.divide(right, q, out=np.zeros(k), where=q > 0).mean()
    recall = (right / p).mean()
    reached = {
        "accuracy": right.sum(),
        "macro_precision": precision,
        "macro_recall": recall,
        "macro_f1": harmonic(precision, recall),
    }
    for measure, value in reached.items():
        assert value <= printed(measure, p, q) + 1e-12
        assert value <= valid(measure, p, q, n, 0, 0.05) + 1e-12


# the errata of Theorem 1


def test_the_printed_error_term_of_precision_is_too_small():
    # SPEC 1.3, item 4: p = .03, q = .04 ± .005; the count may be .035, so precision may be .857.
    value = printed("macro_precision", np.array([0.03]), np.array([0.04]), 0.005)
    assert value == pytest.approx(0.778, abs=5e-4)
    assert value < 0.03 / (0.04 - 0.005) == pytest.approx(0.857, abs=5e-4)


def test_a_slack_inside_the_harmonic_mean_counts_up_to_twice():
    # SPEC 1.3, item 3: a = .9, b = .1, s = .05.
    gained = harmonic(0.95, 0.15) - harmonic(0.9, 0.1)
    assert gained == pytest.approx(0.079, abs=5e-4)
    assert gained > 0.05


def test_slack_of_accuracy_at_the_size_of_dmoz():
    # SPEC 1.3, item 6 and 1.4: the valid slack is .43 where the printed one is 13.1.
    p = np.full(250, 1 / 250)
    assert valid("accuracy", p, p, 1542, 2401, 0.05) - 1 == pytest.approx(0.43, abs=5e-3)
    assert 250 * sqrt(log(250 / 0.05) / (2 * 1542)) == pytest.approx(13.1, abs=0.05)


# valid


def test_valid_by_hand():
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.25, 0.75, 0.0])
    n, m, delta = 400, 900, 0.1
    both = sum(sqrt((3 * log(2) + log(2 / delta)) / (2 * size)) for size in (n, m))
    assert valid("accuracy", p, q, n, m, delta) == pytest.approx(0.55 + both)
    s = sqrt(log(12 / delta) / (2 * n)) + sqrt(log(12 / delta) / (2 * m))
    assert s < 0.2
    precision = (1 + (0.3 + s) / 0.75 + 0) / 3
    recall = (0.25 / (0.5 - s) + 1 + 0) / 3
    assert valid("macro_precision", p, q, n, m, delta) == pytest.approx(precision)
    assert valid("macro_recall", p, q, n, m, delta) == pytest.approx(recall)
    assert valid("macro_f1", p, q, n, m, delta) == pytest.approx(harmonic(precision, recall))


def test_a_share_below_the_slack_allows_full_recall():
    p, q = np.array([0.99, 0.01]), np.array([1.0, 0.0])
    assert valid("macro_recall", p, q, 50, 50, 0.05) == 1
    assert valid("macro_precision", p, q, 50, 50, 0.05) == 0.5


@pytest.mark.parametrize("measure", MEASURES)
@given(share_pairs())
def test_slack_only_adds(measure, shares):
    p, q = shares
    without = valid(measure, p, q, 400, 0, 0.05)
    assert valid(measure, p, q, **VALID) >= without - 1e-12
    assert without == pytest.approx(printed(measure, p, q))


@pytest.mark.parametrize("measure", MEASURES)
@given(share_pairs())
def test_more_rows_and_less_confidence_tighten(measure, shares):
    p, q = shares
    value = valid(measure, p, q, **VALID)
    assert valid(measure, p, q, **VALID | {"n_labeled": 4000}) <= value
    assert valid(measure, p, q, **VALID | {"n_pool": 9000}) <= value
    assert valid(measure, p, q, **VALID | {"delta": 0.5}) <= value


@given(share_pairs())
def test_macro_bounds_stay_shares_and_accuracy_is_not_clipped(shares):
    p, q = shares
    assert all(0 <= valid(measure, p, q, **VALID) <= 1 + 1e-12 for measure in MEASURES[1:])
    assert valid("accuracy", p, p, **VALID) > 1
