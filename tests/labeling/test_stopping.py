"""When labels are enough: not too early although one looks after every batch, and a forecast that is often right."""

import numpy as np
import pytest
from scipy.special import betaincinv
from scipy.stats import binom

from foldless.labeling import LabelingTarget, Look, enough, forecast
from foldless.labeling._stopping import lower_end, share_of_test

TARGET = LabelingTarget(accuracy=0.9, confidence=0.95, per_class=20)
BATCHES = np.arange(20, 320, 20)  # 15 looks


def looked(right, sizes=BATCHES, tail=0.025):
    """Looks at the share of right answers among the first ones, with Clopper and Pearson's interval."""
    k = np.cumsum(right)[sizes - 1]
    ends = np.where(k > 0, betaincinv(np.maximum(k, 1e-9), sizes - k + 1, tail), 0.0)
    return [Look(int(n), a / n, float(end), None) for n, a, end in zip(sizes, k, ends, strict=True)]


def answers(rng, accuracy, n=BATCHES[-1]):
    return rng.random(n) < accuracy


def test_enough_is_said_too_early_in_at_most_5_percent_and_by_a_plain_interval_more_often():
    """The accuracy is just below the target all the time: every "enough" is wrong."""
    trials, rng = 800, np.random.default_rng(0)
    runs = [looked(answers(rng, 0.899)) for _ in range(trials)]
    early = sum(enough(run, TARGET).enough for run in runs)
    values = np.array([[look.value for look in run] for run in runs])
    plain = (betaincinv(BATCHES * values, BATCHES * (1 - values) + 1, 0.05) >= TARGET.accuracy).any(axis=1).sum()
    assert binom.sf(early - 1, trials, 0.05) > 1e-6
    assert binom.sf(plain - 1, trials, 0.05) < 1e-6  # the broken twin


def test_a_model_that_learns_but_stays_below_is_seldom_called_enough():
    trials, rng, n = 500, np.random.default_rng(1), np.arange(1, BATCHES[-1] + 1)
    early = sum(enough(looked(rng.random(len(n)) < 0.897 - 0.8 * n**-0.7), TARGET).enough for _ in range(trials))
    assert binom.sf(early - 1, trials, 0.05) > 1e-6


def test_a_good_model_is_called_enough_and_stays_so():
    runs = [looked(answers(np.random.default_rng(seed), 0.97)) for seed in range(100)]
    assert np.mean([enough(run, TARGET).enough for run in runs]) > 0.9
    first = next(n for n in range(1, 16) if enough(runs[0][:n], TARGET).enough)
    decisions = [enough(runs[0][:n], TARGET) for n in range(first, 16)]
    assert {(each.enough, each.n_labels) for each in decisions} == {(True, decisions[0].n_labels)}


def test_classes_must_have_their_rows():
    looks = [Look(300, 0.99, 0.97)]
    assert enough(looks, TARGET, [150, 150]).enough
    few = enough(looks, TARGET, [281, 19, 0])
    assert (few.enough, few.accurate, few.missing) == (False, True, {1: 1, 2: 20})
    assert enough(looks, TARGET._replace(per_class=0), [300, 0]).enough


def test_looks_without_an_interval_and_with_few_labels_are_no_tests():
    looks = [Look(20, 1.0, 0.83), Look(40, 1.0, None), Look(60, 1.0, float("nan"))]
    decision = enough(looks, TARGET)
    assert (decision.n_tests, decision.lower, decision.enough) == (0, None, False)
    assert enough([*looks, Look(80, 0.9, 0.8), Look(90, 0.9, 0.8)], TARGET).n_tests == 1  # 90 is no quarter more
    assert enough([], TARGET) == (False, False, None, 0, 0, {})


def test_the_lower_end_of_another_confidence_is_that_of_clopper_and_pearson():
    look = Look(200, 0.95, float(betaincinv(190, 11, 0.025)))
    assert lower_end(look, 0.025) == pytest.approx(look.lower, abs=1e-6)
    assert lower_end(look, 0.001) == pytest.approx(betaincinv(190, 11, 0.001), abs=1e-6)
    certain = Look(100, 1.0, 0.025**0.01)
    assert lower_end(certain, 0.01) == pytest.approx(0.01**0.01, abs=1e-6)


def test_shares_add_up_to_one():
    assert sum(share_of_test(k) for k in range(1, 1000)) == pytest.approx(1, abs=0.005)


def test_no_forecast_from_two_looks_or_where_the_curve_does_not_lead():
    assert forecast([Look(50, 0.8, 0.67), Look(80, 0.82, 0.72)], TARGET).lower is None
    flat = [Look(n, 0.7, float(betaincinv(0.7 * n, 0.3 * n + 1, 0.025))) for n in range(100, 1000, 100)]
    nowhere = forecast(flat, TARGET)
    assert str(nowhere) == "cannot be said: the learning curve, extrapolated, does not reach the target"
    assert forecast([Look(300, 0.99, 0.97)], TARGET) == (0, 0, "")


@pytest.mark.slow
def test_forecasts_hold_about_as_often_as_they_say():
    """The labels that a run takes from its fifth look on, and the range that was forecast there."""
    rng, held, trials = np.random.default_rng(2), 0, 0
    sizes = np.arange(40, 2400, 40)
    for _ in range(300):
        top, steep = rng.uniform(0.93, 0.98), rng.uniform(0.5, 1.5)
        accuracy = top - steep * sizes**-0.6
        motion = np.cumsum(rng.normal(size=len(sizes)) * np.sqrt(np.diff(sizes, prepend=0)))
        values = np.clip(accuracy + np.sqrt(accuracy * (1 - accuracy)) * motion / sizes, 0, 1)
        ends = betaincinv(sizes * values, sizes * (1 - values) + 1, 0.025)
        looks = [Look(int(n), float(v), float(end)) for n, v, end in zip(sizes, values, ends, strict=True)]
        decision, expected = enough(looks, TARGET), forecast(looks[:5], TARGET, batch=40)
        if expected.lower in (None, 0):
            continue
        takes = decision.n_labels - 200 if decision.accurate else np.inf
        trials += 1
        held += expected.lower <= takes <= (np.inf if expected.upper is None else expected.upper)
    assert trials > 100
    assert binom.cdf(held, trials, 0.8) > 1e-6
