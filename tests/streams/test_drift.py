"""The alarm: it rings falsely no more often than it says, over whole streams, and it rings when shares drift."""

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from foldless.errors import BadInput
from foldless.streams.drift import DriftAlarm, _bet, _p_value

ALPHA, STREAMS, WINDOWS = 0.1, 120, 20


class Unspent(DriftAlarm):
    """Broken: the whole of α for each window, as if it were the only one."""

    def update(self, counts):
        p = _p_value(self._reference, counts)
        self._reference = self._reference + counts
        self._rung = self._rung or p <= self.alpha
        return self._rung


class Fixed(DriftAlarm):
    """Broken: every bet begins with all that there is, so that late ones are made with borrowed money."""

    def update(self, counts):
        verdict = super().update(counts)
        w = self._windows
        self._wealth = np.logaddexp(self._wealth, np.log(1 - 1 / ((w + 1) * (w + 2))))
        self._rung = self._rung or self._wealth >= -np.log(self.alpha)
        return self._rung or verdict.alarm


def rung(kind, shares, windows=WINDOWS, reference=500, window=200, later=None, start=0, alpha=ALPHA, streams=STREAMS):
    """How many of many streams ring; ``later`` are the shares from window ``start`` on."""
    rng, total = np.random.default_rng(0), 0
    for _ in range(streams):
        alarm = kind(rng.multinomial(reference, shares), alpha)
        for at in range(windows):
            verdict = alarm.update(rng.multinomial(window, shares if later is None or at < start else later))
        total += bool(getattr(verdict, "alarm", verdict))
    return total


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.97, 0.03), (0.6, 0.3, 0.1)])
def test_false_alarms_over_whole_streams(shares):
    assert binom.sf(rung(DriftAlarm, shares) - 1, STREAMS, ALPHA) > 1e-6


def test_a_small_reference_is_no_excuse():
    assert binom.sf(rung(DriftAlarm, (0.7, 0.3), reference=20) - 1, STREAMS, ALPHA) > 1e-6


@pytest.mark.parametrize("broken", [Unspent, Fixed])
def test_the_same_test_rejects_a_broken_alarm(broken):
    assert binom.sf(rung(broken, (0.5, 0.5)) - 1, STREAMS, ALPHA) < 1e-6


@pytest.mark.parametrize("start", [0, 15])
def test_drift_is_seen_early_and_late(start):
    n = rung(DriftAlarm, (0.8, 0.2), windows=start + 5, later=(0.65, 0.35), start=start, alpha=0.01, streams=20)
    assert n >= 18


def test_the_first_window_is_the_reference_where_there_is_none():
    alarm = DriftAlarm(np.zeros(2))
    assert alarm.update(np.array([50, 50])).evidence == pytest.approx(0.5 / 2 + 1 / 2)
    assert alarm.update(np.array([0, 100])).alarm


def test_an_alarm_stays():
    alarm = DriftAlarm(np.array([500, 500]))
    assert alarm.update(np.array([0, 300])).alarm
    assert all(alarm.update(np.array([150, 150])).alarm for _ in range(50))


def test_evidence_is_a_number_however_long_a_drift_lasts():
    alarm = DriftAlarm(np.array([10_000, 10_000]))
    for _ in range(4):
        verdict = alarm.update(np.array([0, 10_000]))
        assert 1e100 < verdict.evidence < np.inf


def test_evidence_is_the_sum_in_the_docstring():
    rng = np.random.default_rng(1)
    reference = rng.multinomial(300, (0.6, 0.3, 0.1))
    alarm, bets = DriftAlarm(reference), []
    for w in range(1, 9):
        counts = rng.multinomial(100, (0.5, 0.3, 0.2))
        bets.append(_bet(_p_value(reference, counts)))
        reference = reference + counts
        terms = [np.prod(bets[j - 1 :]) / (j * (j + 1)) for j in range(1, w + 1)]
        verdict = alarm.update(counts)
        assert verdict.evidence == pytest.approx(sum(terms) + 1 / (w + 1))
        assert verdict.since == 1 + np.argmax([np.prod(bets[j:]) for j in range(w)])


@pytest.mark.parametrize("start", [1, 8, 20])
def test_when_a_drift_began(start):
    rng, found = np.random.default_rng(0), []
    for _ in range(15):
        alarm = DriftAlarm(rng.multinomial(5000, (0.9, 0.1)))
        for w in range(1, start + 5):
            verdict = alarm.update(rng.multinomial(5000, (0.9, 0.1) if w < start else (0.85, 0.15)))
        found.append(verdict.since)
    assert np.median(found) == start
    assert max(found) <= start + 1


@pytest.mark.parametrize("window", [200, 10_000])
def test_bursts_ring_without_drift_in_windows_of_any_length(window):
    """What the level assumes: rows are independent. These come in runs of 20 of one class."""
    rng, rang = np.random.default_rng(0), 0
    for _ in range(20):
        alarm = DriftAlarm(rng.multinomial(1000, (0.9, 0.1)), 0.01)
        for _ in range(20):
            runs = 20 * rng.binomial(window // 20, 0.1)
            verdict = alarm.update(np.array([window - runs, runs]))
        rang += verdict.alarm
    assert rang >= 15


def test_p_values_by_hand_and_at_most_as_often_as_they_say():
    # 2 of 4 rows in the window, 2 of 4 rows positive: P(X = 0) = 1/6, twice that is the two-sided tail
    assert _p_value(np.array([0, 2]), np.array([2, 0])) == pytest.approx(1 / 3)
    law, k = hypergeom(300, 60, 100), np.arange(61)
    p = np.array([_p_value(np.array([200 - (60 - x), 60 - x]), np.array([100 - x, x])) for x in k])
    for level in (0.001, 0.01, 0.05, 0.3):
        assert law.pmf(k)[p <= level].sum() <= level


def test_a_bet_has_mean_one():
    p = (np.arange(2_000_000) + 0.5) / 2_000_000
    bets = (1 - p + p * np.log(p)) / (p * np.log(p) ** 2)
    assert np.mean([_bet(one) for one in p[::100_000]] / bets[::100_000]) == pytest.approx(1, abs=1e-3)
    assert 0.85 < bets.mean() <= 1  # what is missing is the mass of the smallest p, about 1 / ln(2e6)
    assert _bet(0.0) > 1e200


def test_a_probability_that_is_none():
    with pytest.raises(BadInput, match=r"must be in \(0, 1\), got 1"):
        DriftAlarm(np.zeros(2), 1)
