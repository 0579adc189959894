"""The reproduction of Kar et al. (2016) runs, and its own arithmetic is right."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "papers" / "kar2016.py"
DATA = Path(os.environ.get("FOLDLESS_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(SCRIPT.parent))
    yield importlib.import_module("kar2016")
    sys.path.remove(str(SCRIPT.parent))


def curve(script, method, points):
    return [
        {"goal": "KLD", "set": "a", "split": 0, "method": method, "seconds": t, "KLD": kld, "BA": ba}
        for t, kld, ba in points
    ]


def test_sooner_is_the_time_to_the_baselines_last_value(script):
    rows = curve(script, "1PMB", [(1.0, 0.5, 0.6)])
    rows += curve(script, script.SVM, [(1.0, 0.5, 0.5), (8.0, 0.1, 0.7), (10.0, 0.1, 0.7)])
    rows += curve(script, script.OURS, [(0.1, 0.3, 0.5), (0.2, 0.11, 0.66), (0.4, 0.09, 0.66)])
    told = script.verdicts(pd.DataFrame(rows)).iloc[0]
    assert told["sooner"] == pytest.approx(8.0 / 0.2)
    assert told["not worse"]
    rows[-1]["BA"] = 0.64  # six points below
    assert not script.verdicts(pd.DataFrame(rows)).iloc[0]["not worse"]
    never = [row for row in rows if row["seconds"] != 0.2 or row["method"] != script.OURS]
    never[-1]["KLD"] = 0.2
    assert script.verdicts(pd.DataFrame(never)).iloc[0]["sooner"] == 0


@pytest.mark.skipif(not (DATA / "letter").is_dir(), reason="the collections are not here")
@pytest.mark.parametrize(("name", "share"), [("letter", 783 / 20_000), ("a9a", 0.2393), ("covtype", 0.0163)])
def test_the_parts_of_a_set(script, name, share):
    sets = importlib.import_module("kar2016_sets")
    _, y = sets.load(name, DATA)
    assert y.mean() == pytest.approx(share, abs=1e-4)
    parts = sets.make(name, DATA, 0, 1000)
    assert (parts.X.shape[0], parts.n_learning, parts.X_test.shape[0]) == (700, 490, 300)
    assert len(parts.validating[1]) == 210
    if name != "a9a":
        np.testing.assert_allclose(parts.X[:, 0].mean(), 0, atol=1e-5)


@pytest.mark.reproduction
@pytest.mark.skipif(not (DATA / "letter").is_dir(), reason="the collections are not here")
def test_a_small_run_writes_tables_and_pictures(tmp_path):
    words = ["--only", "letter", "--rows", "600", "--splits", "1", "--output", str(tmp_path), "--data", str(DATA)]
    done = subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert set(pd.read_csv(tmp_path / "final.csv")["goal"]) == {"KLD", "Q", "CQ"}
    assert (pd.read_csv(tmp_path / "curves.csv")["KLD"] >= 0).all()
    assert {path.name for path in tmp_path.glob("*.png")} == {f"figure{k}.png" for k in range(1, 7)}
    assert str(tmp_path) not in json.loads((tmp_path / "meta.json").read_text())["command"]
