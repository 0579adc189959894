"""The reproduction of Kar et al. (2016) runs, and its own arithmetic is right."""

import json

import numpy as np
import pandas as pd
import pytest
from benchmarks.papers.kar2016 import race, sets, tables
from helpers.papers import DATA, needs, reproduce

pytestmark = pytest.mark.slow  # papers

SIZES = pd.DataFrame([{"set": "a", "rows": 1000, "test rows": 300, "positives": 0.2}])


def curve(method, points, split=0):
    keys = {"goal": "KLD", "set": "a", "split": split, "method": method, "errors": 0.06, "Q": 0.5, "CQ": 0.5}
    return [{**keys, "seconds": t, "in the program": t / 4, "KLD": kld, "BA": ba} for t, kld, ba in points]


def test_sooner_is_the_time_to_the_baselines_last_value():
    rows = curve(tables.SVM, [(1.0, 0.5, 0.5), (8.0, 0.1, 0.7), (10.0, 0.1, 0.7)])
    rows += curve(tables.OURS, [(0.1, 0.3, 0.5), (0.2, 0.11, 0.6), (0.4, 0.09, 0.66)])
    row = tables.sooner(pd.DataFrame(rows), SIZES).iloc[0]
    assert row[["sooner", "and BA", "than its end"]].tolist() == pytest.approx([8 / 0.2, 8 / 0.4, 10 / 0.2])
    assert row["quadratic program"] == pytest.approx(1 / 4)
    never = [{**row, "KLD": 0.2} if row["method"] == tables.OURS else row for row in rows]
    row = tables.sooner(pd.DataFrame(never), SIZES).iloc[0]
    assert row[["sooner", "and BA", "never"]].tolist() == [0, 0, 1]


def test_counting_is_paired_with_the_best_baseline():
    ours = [(0.01, 0.66), (0.05, 0.66)]
    rows = [
        row
        for split, (kld, ba) in enumerate(ours)
        for row in curve(tables.OURS, [(1.0, 9.0, 0.1), (2.0, kld, ba)], split)
    ]
    for split, kld in enumerate((0.02, 0.08)):
        rows += curve("1PMB", [(1.0, kld, 0.7)], split) + curve(tables.SVM, [(1.0, 0.3, 0.9)], split)
    final = tables.ends(pd.DataFrame(rows))
    row = tables.counting(final, SIZES).iloc[0]
    assert row["best baseline"] == "1PMB"
    assert row["not worse"]
    assert row[["difference", "± difference", "BA lost"]].tolist() == pytest.approx([-0.02, 0.01, 0.04])
    assert row["by chance"] == pytest.approx(0.06 / (2 * 300 * 0.2 * 0.8))
    final.loc[final["method"] == tables.OURS, "BA"] = 0.64  # six points below
    assert not tables.counting(final, SIZES).iloc[0]["not worse"]
    final.loc[final["method"] == tables.OURS, ["BA", "KLD"]] = 0.7, 0.06
    assert not tables.counting(final, SIZES).iloc[0]["not worse"]


def test_what_a_right_count_has_by_chance_is_so():
    n, p = 2000, 0.2
    rng, klds, wrong = np.random.default_rng(0), [], 0.1
    for _ in range(400):  # of the negatives 2.5 % and of the positives 10 % are wrong: the counts are equal
        y = np.arange(n) < p * n
        positive = y ^ (rng.random(n) < np.where(y, wrong, wrong * p / (1 - p)))
        klds.append(race.judged((np.array([1.0]), 0.0), positive[:, None] - 0.5, y.astype(int))["KLD"])
    errors = 2 * wrong * p
    assert np.mean(klds) == pytest.approx(errors / (2 * n * p * (1 - p)), abs=5 * np.std(klds) / 20)


def test_curves_stand_until_their_next_point():
    rows = curve("1PMB", [(1.0, 0.4, 0.5), (4.0, 0.2, 0.5)]) + curve("1PMB", [(2.0, 0.8, 0.5), (16.0, 0.6, 0.5)], 1)
    table = tables.over_time(pd.DataFrame(rows))
    assert table["seconds"].iloc[[0, -1]].tolist() == pytest.approx([2, 16])
    at = dict(zip(table["seconds"], table["KLD"], strict=True))
    assert {round(value, 3) for t, value in at.items() if t < 4} == {0.6}
    assert {round(value, 3) for t, value in at.items() if 4 < t < 15.9} == {0.5}
    assert table["KLD"].iloc[-1] == pytest.approx(0.4)


def test_a_curve_is_settled_when_it_does_not_rise_any_more():
    rows = curve("1PMB", [(1.0, 5e-4, 0.5), (2.0, 2e-3, 0.5), (3.0, 9e-4, 0.5), (4.0, 8e-4, 0.5)])
    rows += curve("NEMSIS", [(1.0, 5e-4, 0.5), (2.0, 5e-4, 0.5)]) + curve(
        tables.SVM, [(1.0, 5e-4, 0.5), (2.0, 2e-3, 0.5)]
    )
    row = tables.settled(pd.DataFrame(rows)).iloc[0]
    assert row[["1PMB", "NEMSIS"]].tolist() == [3.0, 1.0]
    assert np.isnan(row[tables.SVM])


def test_small_divergences_are_printed_in_small_units():
    frame = pd.DataFrame({"set": ["a"], "BA": [0.9], "our KLD": [2e-4], "by chance": [1e-4], 0.5: [3e-4]})
    table = tables.legible(frame)
    assert table.columns.tolist() == ["set", "BA", "our KLD (1e-4)", "by chance (1e-4)", "0.5 (1e-4)"]
    assert table.iloc[0, 1:].tolist() == pytest.approx([0.9, 2, 1, 3])


def test_of_the_settings_that_count_right_the_one_that_tells_rows_apart_is_chosen():
    rng = np.random.default_rng(0)
    y = (rng.random(4000) < 0.1).astype(int)
    X = (rng.normal(size=(4000, 3)) + 2 * y[:, None]).astype(np.float32)
    parts = sets.Parts("a", X, y, 2800, X, y)
    model, grid = race.METHODS["KLD"][race.OURS]
    chosen = race.tuned(model, grid, parts, race.counts_right)
    weights = race.weights_of(chosen.set_params(passes=race.PASSES).fit(*parts.learning))
    measured = race.judged(weights, *parts.validating)
    assert measured["surprise"] <= 1
    assert measured["BA"] > 0.85


@needs("letter")
@pytest.mark.parametrize(("name", "share"), [("letter", 783 / 20_000), ("a9a", 0.2393), ("covtype", 0.0163)])
def test_the_parts_of_a_set(name, share):
    _, y = sets.load(name, DATA)
    assert y.mean() == pytest.approx(share, abs=1e-4)
    parts = sets.make(name, DATA, 0, 1000)
    assert (parts.X.shape[0], parts.n_learning, parts.X_test.shape[0]) == (700, 490, 300)
    assert len(parts.validating[1]) == 210
    if name != "a9a":
        np.testing.assert_allclose(parts.X[:, 0].mean(), 0, atol=1e-5)


@pytest.mark.reproduction
@needs("letter")
def test_a_small_run_writes_tables_and_pictures(tmp_path):
    words = ["--only", "letter", "--rows", "600", "--splits", "1", "--output", tmp_path]
    done = reproduce("kar2016", *words)
    assert done.returncode == 0, done.stderr
    assert set(pd.read_csv(tmp_path / "final.csv")["goal"]) == {"KLD", "Q", "CQ"}
    assert (pd.read_csv(tmp_path / "curves.csv")["KLD"] >= 0).all()
    assert not (tmp_path / "journal.jsonl").exists()
    assert {path.name for path in tmp_path.glob("*.png")} == {f"figure{k}.png" for k in range(1, 7)}
    assert str(tmp_path) not in json.loads((tmp_path / "meta.json").read_text())["command"]
