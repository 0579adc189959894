"""The alarm: false alarms are no more frequent than it says, over whole streams, and drift of shares is detected."""

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
        self.drift_detected = self.drift_detected or p <= self.false_alarm


class Fixed(DriftAlarm):
    """Broken: every bet begins with all that there is, so that late ones are made with borrowed money."""

    def update(self, counts):
        super().update(counts)
        w = self.n_windows
        self._log_wealth = np.logaddexp(self._log_wealth, np.log(1 - 1 / ((w + 1) * (w + 2))))
        self.drift_detected = self.drift_detected or self._log_wealth >= -np.log(self.false_alarm)


def n_alarms(
    kind, shares, windows=WINDOWS, reference=500, window=200, later=None, start=0, alpha=ALPHA, streams=STREAMS
):
    """How many of many streams raise an alarm; ``later`` are the shares from window ``start`` on."""
    rng, total = np.random.default_rng(0), 0
    for _ in range(streams):
        alarm = kind(rng.multinomial(reference, shares), alpha)
        for at in range(windows):
            alarm.update(rng.multinomial(window, shares if later is None or at < start else later))
        total += bool(alarm.drift_detected)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.97, 0.03), (0.6, 0.3, 0.1)])
def test_false_alarms_over_whole_streams(shares):
    assert binom.sf(n_alarms(DriftAlarm, shares) - 1, STREAMS, ALPHA) > 1e-6


@pytest.mark.slow
def test_a_small_reference_is_no_excuse():
    assert binom.sf(n_alarms(DriftAlarm, (0.7, 0.3), reference=20) - 1, STREAMS, ALPHA) > 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("broken", [Unspent, Fixed])
def test_the_same_test_rejects_a_broken_alarm(broken):
    assert binom.sf(n_alarms(broken, (0.5, 0.5)) - 1, STREAMS, ALPHA) < 1e-6


@pytest.mark.parametrize("start", [0, 15])
def test_drift_is_seen_early_and_late(start):
    n = n_alarms(DriftAlarm, (0.8, 0.2), windows=start + 5, later=(0.65, 0.35), start=start, alpha=0.01, streams=20)
    assert n >= 18


def test_the_first_window_is_the_reference_where_there_is_none():
    alarm = DriftAlarm()
    alarm.update(np.array([50, 50]))
    assert alarm.evidence == pytest.approx(0.5 / 2 + 1 / 2)
    assert alarm.drift_window is None
    alarm.update(np.array([0, 100]))
    assert alarm.drift_detected


@pytest.mark.parametrize("counts", [[1, 2, 3], [-1, 5], "ab", 7, [5]])
def test_counts_that_are_none(counts):
    with pytest.raises(BadInput, match="counts must"):
        DriftAlarm([50, 50]).update(counts)


def test_an_alarm_stays():
    alarm = DriftAlarm(np.array([500, 500]))
    alarm.update(np.array([0, 300]))
    assert alarm.drift_detected
    for _ in range(50):
        alarm.update(np.array([150, 150]))
        assert alarm.drift_detected


def test_evidence_is_a_number_however_long_a_drift_lasts():
    alarm = DriftAlarm(np.array([10_000, 10_000]))
    for _ in range(4):
        alarm.update(np.array([0, 10_000]))
        assert 1e100 < alarm.evidence < np.inf


def test_evidence_is_the_sum_in_the_docstring():
    rng = np.random.default_rng(1)
    reference = rng.multinomial(300, (0.6, 0.3, 0.1))
    alarm, bets = DriftAlarm(reference), []
    for w in range(1, 9):
        counts = rng.multinomial(100, (0.5, 0.3, 0.2))
        bets.append(_bet(_p_value(reference, counts)))
        reference = reference + counts
        terms = [np.prod(bets[j - 1 :]) / (j * (j + 1)) for j in range(1, w + 1)]
        alarm.update(counts)
        assert alarm.evidence == pytest.approx(sum(terms) + 1 / (w + 1))
        assert alarm._start == 1 + np.argmax([np.prod(bets[j:]) for j in range(w)])


@pytest.mark.parametrize("start", [1, 8, 20])
def test_when_a_drift_began(start):
    rng, found = np.random.default_rng(0), []
    for _ in range(15):
        alarm = DriftAlarm(rng.multinomial(5000, (0.9, 0.1)))
        for w in range(1, start + 5):
            alarm.update(rng.multinomial(5000, (0.9, 0.1) if w < start else (0.85, 0.15)))
        found.append(alarm.drift_window)
    assert np.median(found) == start
    assert max(found) <= start + 1


@pytest.mark.parametrize("window", [200, 10_000])
def test_bursts_raise_it_without_drift_in_windows_of_any_length(window):
    """What the level assumes: rows are independent. These come in runs of 20 of one class."""
    rng, raised = np.random.default_rng(0), 0
    for _ in range(20):
        alarm = DriftAlarm(rng.multinomial(1000, (0.9, 0.1)), 0.01)
        for _ in range(20):
            runs = 20 * rng.binomial(window // 20, 0.1)
            alarm.update(np.array([window - runs, runs]))
        raised += alarm.drift_detected
    assert raised >= 15


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
    assert np.mean([_bet(value) for value in p[::100_000]] / bets[::100_000]) == pytest.approx(1, abs=1e-3)
    assert 0.85 < bets.mean() <= 1  # what is missing is the mass of the smallest p, about 1 / ln(2e6)
    assert _bet(0.0) > 1e200


def test_a_probability_that_is_none():
    with pytest.raises(BadInput, match=r"must be in \(0, 1\), got 1"):
        DriftAlarm(np.zeros(2), 1)
