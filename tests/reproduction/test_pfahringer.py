"""The reproduction of Pfahringer et al. runs, and its own arithmetic is right."""

import json

import numpy as np
import pandas as pd
import pytest
from benchmarks.papers.pfahringer import printed, sets, tables
from helpers.papers import DATA, needs, reproduce

pytestmark = pytest.mark.slow  # papers

here = needs("reuters21578")


@pytest.fixture
def measured():
    """Four splits of one topic: dagging is right about SMO-L, and the estimates of split 3 are misleading."""
    truth = {"cv NBM": 0.05, "cv SMO": 0.03, "cv SMO-L": 0.04, "dag NBM": 0.06, "dag SMO": 0.02, "dag SMO-L": 0.01}
    truth |= {"cv SMO-P": 0.04, "dag SMO-P": 0.015}
    rows = []
    for split in range(4):
        for name, error in truth.items():
            kind, learner = name.split(" ")
            estimate = 0.001 if (split, name) == (3, "cv NBM") else error / 2
            measures = {
                "estimate": estimate,
                "error": error,
                "auc": 1 - error,
                "auc estimate": 1 - estimate,
                "named": 0.02,
            }
            rows.append({"percent": 5, "split": split, "topic": "corn", "kind": kind, "learner": learner, **measures})
    return pd.DataFrame(rows)


def test_a_table_by_hand(measured):
    row = tables.table(measured, 5, "weka").iloc[0]
    assert row["wrong %"] == 25
    assert row["error"] == pytest.approx(100 * (3 * 0.01 + 0.05) / 4)
    assert (row["1st"], row["2nd"]) == (pytest.approx(1), pytest.approx(2))
    assert (row["best"], row["paper best"], row["paper error"]) == ("dag SMO-L", "dag SMO-L", 0.628)
    claim = tables.claims(measured).query("reading == 'weka'").iloc[0]
    assert (claim["dagged SVM best"], claim["dagged SVM within one se"]) == (1, 1)
    assert (claim["choice at most 2nd"], claim["choice at most 1st"]) == (1, 0)


def test_the_rest_by_hand(measured):
    sign = tables.sign_tests(measured).query("reading == 'weka'").iloc[0]
    assert (sign["1st: less"], sign["1st: more"], sign["1st: p"]) == (0, 1, 1)
    assert (sign["cv SMO: less"], sign["cv SMO: more"], sign["cv SMO: p"]) == (4, 0, pytest.approx(2 / 16))
    bias = tables.optimism(measured).set_index(["kind", "learner"])
    assert bias.loc[("dag", "SMO"), "too low by"] == pytest.approx(1)
    assert bias.loc[("dag", "SMO"), "of the error"] == pytest.approx(0.5)
    area = tables.areas(measured).query("reading == 'weka'").iloc[0]
    assert (area["wrong %"], area["best"]) == (25, "dag SMO-L")
    assert tables.correlations(measured.query("split < 3")).iloc[0]["dag, all points"] == pytest.approx(1)


def test_ties_of_estimates_are_drawn(measured):
    tied = measured.assign(estimate=0.1)
    names = {tuple(row) for row in tables.chosen(tied)[["kind", "learner"]].to_numpy()}
    assert len(names) > 1


def test_the_printed_tables_are_whole():
    table = printed.printed()
    assert len(table) == 30
    assert (table["first"] <= table["second"]).all()
    assert table.groupby("percent")["best"].apply(lambda best: best.str.startswith("dag").sum()).tolist() == [
        10,
        4,
        4,
    ]


@here
def test_a_split():
    collection = sets.reuters(DATA, 600)
    parts = sets.split(collection, "earn", 10, 0, 0)
    assert (len(parts.y), len(parts.hidden)) == (60, 540)
    assert parts.X.shape[1] == parts.pool.shape[1]
    other = sets.split(collection, "earn", 10, 1, 0)
    assert not np.array_equal(other.y, parts.y)
    norms = np.sqrt(parts.X.multiply(parts.X).sum(axis=1))
    assert np.ptp(norms) < 1e-9


@pytest.mark.reproduction
@here
def test_a_small_run_writes_tables_and_pictures(tmp_path):
    words = ["--only", "earn", "corn", "--rows", "1500", "--splits", "2", "--percents", "5", "--study-splits", "1"]
    words += ["--output", tmp_path]
    done = reproduce("pfahringer", *words)
    assert done.returncode == 0, done.stderr
    assert len(pd.read_csv(tmp_path / "measurements.csv")) == 2 * 2 * 2 * 4
    assert {path.name for path in tmp_path.glob("*.png")} == {"figure1.png", "figure2.png", "figure3.png"}
    assert str(tmp_path) not in json.loads((tmp_path / "meta.json").read_text())["command"]
    again = reproduce("pfahringer", *words, "--resume")
    assert "5 %: 0 s" in again.stdout
