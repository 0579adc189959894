"""The criteria on the benchmark of the book on semi-supervised learning: splits, table, and a small run."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.papers.ssl_book import run
from helpers.papers import DATA, needs, reproduce

pytestmark = pytest.mark.slow  # papers

needs_data = needs("ssl_bci")


def test_the_tasks_of_the_book():
    assert len(run.TASKS) == 14
    assert [run.splits_of(task, 12) for task in run.TASKS] == [12] * 12 + [10] * 2
    assert {run.splits_of(task, 2) for task in run.TASKS} == {2}


@needs_data
@pytest.mark.parametrize(("task", "n", "rows"), [("bci, 10 labels", 10, 400), ("mac-windows, 50 labels", 50, 1946)])
def test_a_split_has_its_labels_and_the_rest(task, n, rows):
    drawn, other = (run.split(DATA, *run.TASKS[task], number) for number in (0, 1))
    assert (len(drawn.y), len(drawn.truth), drawn.X.shape[0], drawn.pool.shape[0]) == (n, rows - n, n, rows - n)
    assert set(np.unique(drawn.y)) == {0, 1}
    assert abs(drawn.X - other.X).max() > 0


def test_the_table_averages_over_splits_then_sets():
    rows = [
        ("a", 0, "SDS-L", 0.1),
        ("a", 1, "SDS-L", 0.3),
        ("a", 0, run.BEST_EACH, 0.1),
        ("a", 1, run.BEST_EACH, 0.1),
        ("b", 0, "SDS-L", 0.4),
        ("b", 0, run.BEST_EACH, 0.2),
    ]
    table = run.table(pd.DataFrame(rows, columns=["set", "trial", "method", "error"])).set_index("set")
    assert table["SDS-L"].to_dict() == pytest.approx({"a": 0.2, "b": 0.4, "mean": 0.3, "mean regret": 0.15})
    assert table.loc["mean regret", run.BEST_EACH] == 0


@pytest.mark.reproduction
@needs_data
def test_a_small_run_writes_its_tables(tmp_path):
    words = ["--only", "bci, 10 labels", "--splits", "1", "--samples", "2", "--output", tmp_path]
    done = reproduce("ssl_book", *words)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {
        "trials.csv", "errors.csv", "learners.csv", "tables.txt", "meta.json",
    }  # fmt: skip
    errors = pd.read_csv(tmp_path / "errors.csv").set_index("set").loc["bci, 10 labels"]
    assert errors.index[errors.isna()].tolist() == ["MML"]
    assert (errors.dropna() >= errors["best of each trial"]).all()
