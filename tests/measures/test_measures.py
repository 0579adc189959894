"""Every measure: derivatives by finite differences, conjugates by their definition, values known by hand."""

import inspect

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import entropy

from foldless.errors import BadInput
from foldless.measures import (
    BAKLD,
    BY_NAME,
    CQB,
    KLD,
    NSS,
    BalancedAccuracy,
    BKReward,
    CQReward,
    FMeasure,
    GMean,
    Nested,
    NestedConcave,
    PseudoConcave,
    QMeasure,
    rates,
    resolve,
)
from foldless.measures.kld import negative_kld
from foldless.solvers.online._duals import pull
from foldless.solvers.online._stream_state import STATE, factors, known, restart

OWN = Nested(
    psi=lambda x, y: -((1 - x) ** 2 + (1 - y) ** 2), psi_gradient=lambda x, y: (2 * (1 - x), 2 * (1 - y)),
    zeta1=lambda P, N, p: P, zeta1_gradient=lambda P, N, p: (1.0, 0.0),
    zeta2=lambda P, N, p: N - p * P * P, zeta2_gradient=lambda P, N, p: (-2 * p * P, 1.0),
)  # fmt: skip
MEASURES = [
    KLD(), KLD(smoothing=0.01), NSS(), NSS(normalize=True), BalancedAccuracy(), QMeasure(), QMeasure(beta=0.5),
    BAKLD(), BAKLD(C=0.9), GMean(), CQReward(), BKReward(), FMeasure(), CQB(), OWN,
]  # fmt: skip
NESTED = [measure for measure in MEASURES if isinstance(measure, NestedConcave)]
RATIOS = [measure for measure in MEASURES if isinstance(measure, PseudoConcave)]
POINTS = [(0.7, 0.9, 0.1), (0.2, 0.4, 0.5), (0.55, 0.8, 0.85), (0.9, 0.95, 0.3)]
ROWS = 200


def conjugates(measure, P, N, share, n_rows=None):
    """ζ₁* and ζ₂* at the gradients that ζ₁ and ζ₂ have at (P, N): u·x − ζ(x), which NEMSIS need not invert."""
    pieces = measure.inner(P, N, share, measure.smooth(n_rows))
    return [by_P * P + by_N * N - value for value, by_P, by_N in pieces]


def slope(function, x, h=1e-6):
    """By central differences of two widths, which leave an error of h⁴."""
    wide, narrow = ((function(x + k) - function(x - k)) / (2 * k) for k in (2 * h, h))
    return (4 * narrow - wide) / 3


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize("point", POINTS)
def test_gradients_are_derivatives(measure, point):
    P, N, p = point
    by_P, by_N = measure.gradient(P, N, p, ROWS)
    h = 1e-3
    np.testing.assert_allclose(by_P, slope(lambda x: measure.value(x, N, p, ROWS), P, h), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(by_N, slope(lambda x: measure.value(P, x, p, ROWS), N, h), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("measure", [KLD(), KLD(smoothing=0.01), BAKLD(), BKReward()], ids=str)
@pytest.mark.parametrize("point", [(-3.0, 1.0, 0.2), (1.0, -2.0, 0.7)])
def test_gradients_are_derivatives_where_a_predicted_share_is_below_zero(measure, point):
    test_gradients_are_derivatives(measure, point)
    if isinstance(measure, NestedConcave):
        test_the_pieces_have_the_derivatives_they_tell(measure, point)


@pytest.mark.parametrize("measure", NESTED, ids=str)
@pytest.mark.parametrize("point", POINTS)
def test_conjugates_are_the_least_distance_to_a_line(measure, point):
    """f*(u) = inf u·x − f(x), searched over x; at the gradient of a concave f the infimum is where it was taken."""
    P, N, p = point
    e = measure.smooth(ROWS)
    for k, conjugate in enumerate(conjugates(measure, P, N, p, ROWS)):
        _, u, v = measure.inner(P, N, p, e)[k]

        def gap(x, k=k, u=u, v=v):
            return u * x[0] + v * x[1] - measure.inner(x[0], x[1], p, e)[k][0]

        grid = [gap((x, y)) for x in np.linspace(0, 1, 11) for y in np.linspace(0, 1, 11)]
        assert min(grid) >= conjugate - 1e-12
        np.testing.assert_allclose(minimize(gap, [P, N], method="Nelder-Mead").fun, conjugate, rtol=1e-6, atol=1e-9)


def test_conjugates_in_closed_form():
    for P, N, p in POINTS:
        n, e, D = 1 - p, 0.5 / ROWS, p * (1 - P) - (1 - p) * (1 - N)
        positive, negative = p * P + n * (1 - N), n * N + p * (1 - P)
        s, t = 1 / (positive + e), 1 / (negative + e)
        known = 1 - (n + e) * s + np.log(s) + np.log1p(2 * e), 1 - (p + e) * t + np.log(t) + np.log1p(2 * e)
        np.testing.assert_allclose(conjugates(KLD(), P, N, p, ROWS), known, rtol=1e-9)
        np.testing.assert_allclose(conjugates(NSS(), P, N, p)[0], 2 * D * (p - n) - D * D - 1, rtol=1e-12)
        np.testing.assert_allclose(conjugates(BalancedAccuracy(), P, N, p), 0, atol=1e-15)


@pytest.mark.parametrize("measure", NESTED, ids=str)
@pytest.mark.parametrize("point", POINTS)
def test_the_pieces_have_the_derivatives_they_tell(measure, point):
    P, N, p = point
    e = measure.smooth(ROWS)
    for k in (0, 1):
        _, u, v = measure.inner(P, N, p, e)[k]
        by_P = slope(lambda x, k=k: measure.inner(x, N, p, e)[k][0], P, 1e-3)
        by_N = slope(lambda x, k=k: measure.inner(P, x, p, e)[k][0], N, 1e-3)
        np.testing.assert_allclose([u, v], [by_P, by_N], rtol=1e-6, atol=1e-9)
    (x, *_), (y, *_) = measure.inner(P, N, p, e)
    by_x = slope(lambda z: measure.outer(z, y, p, e)[0], x, 1e-3)
    by_y = slope(lambda z: measure.outer(x, z, p, e)[0], y, 1e-3)
    np.testing.assert_allclose(measure.outer(x, y, p, e)[1:], [by_x, by_y], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("measure", NESTED, ids=str)
def test_nested_measures_are_concave_in_the_rates(measure):
    rng = np.random.default_rng(0)
    P, N, Q, M = rng.random((4, 2000))
    for p in (0.02, 0.3, 0.5, 0.9):
        middle = measure.value((P + Q) / 2, (N + M) / 2, p, ROWS)
        assert (middle >= (measure.value(P, N, p, ROWS) + measure.value(Q, M, p, ROWS)) / 2 - 1e-12).all()


@pytest.mark.parametrize("measure", RATIOS, ids=str)
def test_ratios_have_convex_level_sets(measure):
    rng = np.random.default_rng(0)
    P, N, Q, M = rng.random((4, 2000))
    for p in (0.02, 0.3, 0.5, 0.9):
        a, b = measure.value(P, N, p, ROWS), measure.value(Q, M, p, ROWS)
        assert (measure.value((P + Q) / 2, (N + M) / 2, p, ROWS) >= np.minimum(a, b) - 1e-12).all()
        level = measure.value(0.6, 0.7, p, ROWS)
        assert ((measure.valuation(P, N, p, level, ROWS)[0] >= 0) == (a >= level)).all()
        assert abs(measure.valuation(0.6, 0.7, p, level, ROWS)[0]) < 1e-12
        assert (type(measure).bottom(P, N, p, measure.smooth(ROWS), 0.0)[0] > 0).all()


@pytest.mark.parametrize("measure", [*NESTED, *RATIOS], ids=str)
@pytest.mark.parametrize("point", POINTS)
def test_kernels_pull_along_the_gradient(measure, point):
    """With running values at those of the rates, the pulls are the gradient (of the valuation, for ratios)."""
    P, N, p = point
    state = np.zeros(1, STATE)
    s = state[0]
    ratio, level = isinstance(measure, PseudoConcave), 0.4
    s["share"], s["smoothing"], s["parameter"] = p, measure.smooth(ROWS), level if ratio else measure.parameter
    restart(state, measure.factors(level), measure.compiled_dual)

    def pulls():
        if measure.factors(level) is None:
            return [s["to_P"], s["to_N"]]
        return [pull(factors(s), known(s), positive) for positive in (True, False)]

    start = measure.valuation(0.5, 0.5, p, level, ROWS)[1:] if ratio else measure.gradient(0.5, 0.5, p, ROWS)
    np.testing.assert_allclose(pulls(), start, rtol=1e-12, atol=1e-14)
    s["P"], s["N"] = P, N
    if isinstance(measure, NestedConcave):
        s["Q1"], s["Q2"] = [zeta[0] for zeta in measure.inner(P, N, p, measure.smooth(ROWS))]
    if measure.factors(level) is None:
        for _ in range(2):
            measure.compiled_dual.ctypes(state.ctypes.data)
            s["Q1"], s["Q2"] = s["zeta1"], s["zeta2"]
    wanted = measure.valuation(P, N, p, level, ROWS)[1:] if ratio else measure.gradient(P, N, p, ROWS)
    np.testing.assert_allclose(pulls(), wanted, rtol=1e-12, atol=1e-14)


def test_by_hand():
    P, N, p = 0.5, 0.75, 0.4  # of 100 rows: TP 20, FN 20, FP 15, TN 45
    assert BalancedAccuracy().value(P, N, p) == 0.625
    np.testing.assert_allclose(KLD().value(P, N, p), -entropy([0.4, 0.6], [0.35, 0.65]))
    smooth = [(c + 0.5) / 101 for c in (40, 60, 35, 65)]
    np.testing.assert_allclose(KLD().value(P, N, p, 100), -entropy(smooth[:2], smooth[2:]))
    np.testing.assert_allclose(NSS().value(P, N, p), 1 - 0.05**2)
    np.testing.assert_allclose(NSS(normalize=True).value(P, N, p), 1 - (0.05 / 0.6) ** 2)
    np.testing.assert_allclose(QMeasure(2).value(P, N, p), 5 * 0.625 * 0.9975 / (4 * 0.625 + 0.9975))
    np.testing.assert_allclose(CQReward().value(P, N, p), 0.625 / 1.0025)
    np.testing.assert_allclose(BKReward().value(P, N, p), 0.625 / (1 + entropy([0.4, 0.6], [0.35, 0.65])))
    np.testing.assert_allclose(BAKLD(0.25).value(P, N, p), 0.25 * 0.625 + 0.75 * KLD().value(P, N, p))
    np.testing.assert_allclose(FMeasure().value(P, N, p), 40 / 75)
    np.testing.assert_allclose(GMean().value(P, N, p), np.sqrt(0.375))
    np.testing.assert_allclose(CQB().value(P, N, p), -abs(0.15**2 - 0.2**2))


@pytest.mark.parametrize("name", BY_NAME)
def test_names_and_the_perfect_classifier(name):
    measure = resolve(name)
    perfect = {"kld": 0, "cqb": 0, "bakld": 0.5}.get(name, 1)
    np.testing.assert_allclose(measure.value(1.0, 1.0, 0.2, 50), perfect, atol=1e-12)
    assert resolve(name.replace("_", "-")) == measure
    assert inspect.getdoc(type(measure))


def test_scores_of_labels():
    y, predicted = np.array(list("aaaabbbbbb")), np.array(list("aabbbbbbba"))
    assert rates(y == "a", predicted == "a") == (0.5, 5 / 6)
    np.testing.assert_allclose(NSS().score(y, predicted, "a"), 1 - 0.1**2)
    np.testing.assert_allclose(FMeasure().score(y, predicted, "a"), 4 / 7)
    assert rates(np.array([True]), np.array([False])) == (0.0, 1.0)  # no negative row to be wrong about
    with pytest.raises(BadInput, match="at least one row"):
        rates(np.array([], bool), np.array([], bool))


def test_kld_is_finite_where_a_class_is_not_predicted():
    assert np.isfinite(KLD().value(0.0, 1.0, 0.1, 100))
    assert np.isfinite(KLD().value(-3.0, 1.0, 0.1, 100))  # a mean margin below zero
    assert np.isfinite(KLD().gradient(-3.0, 1.0, 0.1, 100)).all()


def test_kld_where_a_share_is_zero_and_nothing_is_smoothed():
    """0 ln 0 = 0, and what is there but not predicted costs infinitely much."""
    for share, halves in ((0.0, np.log(0.5)), (1.0, np.log(0.5)), (0.5, 0.0)):
        np.testing.assert_allclose(KLD().value(0.5, 0.5, share), halves)
    assert KLD().value(1.0, 1.0, 0.0) == KLD().value(1.0, 1.0, 1.0) == 0
    assert KLD().value(0.0, 1.0, 0.2) == -np.inf
    assert KLD().value(np.array([0.0, 1.0]), 1.0, 0.2).tolist() == [-np.inf, 0.0]
    assert KLD().gradient(0.5, 0.5, 0.0) == (0.0, 2.0)  # of ln N
    assert KLD().gradient(0.5, 1.0, 0.0) == (0.0, 1.0)
    assert KLD().gradient(0.5, 0.0, 0.0) == (0.0, np.inf)
    assert KLD(smoothing=0.0).value(0.5, 0.5, 0.0) == KLD().value(0.5, 0.5, 0.0)


def test_bad_measures():
    with pytest.raises(BadInput, match=r"measure must be one of kld, nss, .*, got 'auc'"):
        resolve("auc")
    with pytest.raises(BadInput, match="is pseudo-concave: SCAN or CAN can learn it"):
        resolve("cq_reward", NestedConcave)
    with pytest.raises(BadInput, match="is nested concave: NEMSIS can learn it"):
        resolve("kld", PseudoConcave)
    with pytest.raises(BadInput, match="no learner optimizes it"):
        resolve("cqb", NestedConcave)
    with pytest.raises(BadInput, match="C must be between 0 and 1, got 2"):
        BAKLD(C=2)
    with pytest.raises(BadInput, match="beta must be above 0 and finite, got 0"):
        QMeasure(0)
    for make in (KLD, BAKLD, BKReward):
        for smoothing in (-1, np.nan, np.inf, "x"):
            with pytest.raises(BadInput, match=f"smoothing must be None or a finite number.*, got {smoothing!r}"):
                make(smoothing=smoothing)


def test_a_share_of_almost_zero_is_no_warning() -> None:
    """As a forged checkpoint has it, which tells of 10³¹⁰ rows; pytest takes warnings as errors."""
    value, by_P, by_N = negative_kld(1.0, 0.0, 0.5, 1e-310, None)
    assert value < -100
    assert not np.isfinite(by_P)
    assert not np.isfinite(by_N)
