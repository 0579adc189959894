"""The clock of the benchmarks, with a clock that is made up."""

import json

import pytest
from benchmarks.measuring import best_time, best_times, recorded


class Clock:
    """Tells the time that runs have taken; each run takes the next of its seconds."""

    def __init__(self):
        self.now, self.order = 0.0, []

    def __call__(self):
        return self.now

    def run(self, name, seconds):
        left = iter(seconds)

        def once():
            self.order.append(name)
            self.now += next(left)

        return once


def test_the_least_of_some_repeats_counts_and_sides_take_turns():
    clock = Clock()
    sides = [clock.run("ours", [3, 1, 2]), clock.run("theirs", [5, 6, 4])]
    assert best_times(sides, 3, clock) == [1, 4]
    assert clock.order == ["ours", "theirs"] * 3
    assert best_time(clock.run("alone", [7, 2]), 2, clock) == 2


def test_beside_results_is_how_and_when_they_were_made(tmp_path):
    with recorded(tmp_path, "python -m benchmarks.a --seed 3", seed=3):
        pass
    meta = json.loads((tmp_path / "meta.json").read_text())
    assert list(meta) == [
        "command", "seed", "versions", "commit", "date", "seconds", "OMP_NUM_THREADS", "load average at start and end",
    ]  # fmt: skip
    assert (meta["command"], meta["seed"], meta["seconds"]) == ("python -m benchmarks.a --seed 3", 3, 0)


def test_a_run_that_was_stopped_is_not_recorded(tmp_path):
    with pytest.raises(KeyboardInterrupt), recorded(tmp_path, "python -m benchmarks.a"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
