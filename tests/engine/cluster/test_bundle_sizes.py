"""Bundles: as many fits as a call has time for, fewer towards the end, and few calls where a scheduler serves many."""

import pytest
from benchmarks.scale.scheduler import bundled, makespan

from foldless.engine.cluster._dask_cluster import AHEAD, CALL, PER_CALL, bundle_size, call_seconds


def test_a_call_has_time_for_so_many_fits() -> None:
    assert bundle_size(100_000, 0.005, 2) == round(CALL / 0.005)
    assert bundle_size(100_000, 10.0, 2) == 1
    assert call_seconds(1000) == 1000 * PER_CALL


def test_bundles_shrink_so_that_workers_end_together() -> None:
    calls = list(bundled(2_000, 0.005, 2))
    assert sum(calls) == pytest.approx(10.0)
    assert max(calls) == pytest.approx(CALL)
    assert calls[-1] <= 0.01
    assert makespan(calls, 2, PER_CALL) < 1.1 * 5.0


@pytest.mark.parametrize("seconds", [0.005, 0.05, 1.0])
def test_bundles_keep_one_scheduler_from_being_the_bottleneck(seconds: float) -> None:
    """By the queue, for 100,000 fits on 1,000 workers; calls of one fit each are the broken twin."""
    ideal = 100_000 * seconds / 1000
    own = makespan(bundled(100_000, seconds, 1000), 1000, PER_CALL)
    alone = makespan([seconds] * 100_000, 1000, PER_CALL)
    assert own < 1.5 * ideal + 4.0
    assert alone == pytest.approx(400, rel=0.01)  # the scheduler's time, whatever the fits take
    assert alone > 3 * own


def test_the_queue_by_hand() -> None:
    assert makespan([1.0], 1, 0.0) == 1.0
    assert makespan([1.0] * 4, 2, 0.0) == 2.0
    assert makespan([1.0], 1, 0.5) == 1.5  # handed out, run, taken back
    assert makespan([0.0] * (3 * AHEAD), 1, 0.1) == pytest.approx(0.3 * AHEAD)
