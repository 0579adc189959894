"""The reproduction of Kääriäinen (2005) runs, and its own arithmetic is right."""

import json

import numpy as np
import pandas as pd
import pytest
from benchmarks.papers.kaariainen2005 import consistency, run
from helpers.papers import DATA, needs, reproduce

pytestmark = pytest.mark.slow  # papers


def test_both_readings_have_225_candidates():
    for costs, widths in run.POWERS.values():
        assert len(costs) * len(widths) == 225
    (costs, _), (_, widths) = run.POWERS["hsu_lin"], run.POWERS["printed"]
    assert (max(costs), min(costs)) == (12, -2) == (max(widths), min(widths))


def test_a_mean_ratio_over_sets():
    names = [name for name in run.CRITERIA if name != run.CV]
    rows = [
        {"reading": "printed", "set": held, "criterion": name, "certificate": 0.2 if name == run.PAPER else value}
        for held, value in (("a", 0.1), ("b", 0.3))
        for name in names
    ]
    table = run.tightness(pd.DataFrame(rows)).set_index("set")
    assert table.loc["mean ratio", run.HELD_OUT] == pytest.approx(1.0)
    assert table.loc["a", run.HELD_OUT] == pytest.approx(0.1)


def test_the_simulated_world_has_the_error_it_says():
    world = consistency
    rng = np.random.default_rng(0)
    _, best = world.draw(50_000, rng)
    labels = world.noisy(best, rng)
    assert np.mean(labels != best) == pytest.approx(world.NOISE, abs=0.01)
    for wrong in ((best + 1) % 3, (best + 2) % 3):  # the other two classes are equally likely
        assert np.mean(labels == wrong) == pytest.approx(world.NOISE / 2, abs=0.01)


@needs("segment")
def test_the_parts_of_a_set():
    parts = run.make("segment", DATA, 0, 500)
    assert (len(parts.y), len(parts.forgotten), parts.of_rows) == (450, 50, 2310)
    assert np.abs(np.vstack([parts.X, parts.pool])).max() <= 1
    again = run.make("segment", DATA, 0, 500)
    assert (again.X == parts.X).all()


@pytest.mark.reproduction
@needs("segment")
def test_a_small_run_writes_tables_and_pictures(tmp_path):
    words = ["--only", "segment", "--rows", "300", "--every", "7", "--repeats", "1", "--output", tmp_path]
    done = reproduce("kaariainen2005", *words)
    assert done.returncode == 0, done.stderr
    choices = pd.read_csv(tmp_path / "choices.csv")
    assert choices["reading"].tolist() == ["hsu_lin", "printed"]
    assert (choices["bound"] >= choices["observed by bound"]).all()
    assert len(pd.read_csv(tmp_path / "surface.csv")) == 2 * 9
    assert {path.name for path in tmp_path.glob("*.png")} == {
        "figure1_hsu_lin.png", "figure1_printed.png", "figure2_hsu_lin.png", "figure2_printed.png", "theorem2.png",
    }  # fmt: skip
    assert str(tmp_path) not in json.loads((tmp_path / "meta.json").read_text())["command"]
