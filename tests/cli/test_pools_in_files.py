"""Pools in Parquet on the command line: the same answers as in memory, and one sentence where a file cannot be used."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run

from foldless.data.pools import _pool_opening as opening

SELECT = ("select", "train.csv", "--label", "topic", "--unlabeled", "big", "--drop", "id", "--grid", "C=0.01,1",
          "--criterion", "quantification-bound", "--no-estimate")  # fmt: skip


def rows(n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["a", "b"])
    return X.assign(color=np.where(rng.random(n) < 0.5, "red", "blue"), topic=np.where(X["a"] > 0.2, "spam", "ham"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows(60, 0).to_csv("train.csv", index=False)
    (tmp_path / "big").mkdir()
    for at in range(2):
        part = rows(400, at + 1).drop(columns="topic").assign(id=[f"{at}-{row}" for row in range(400)])
        part.to_parquet(f"big/{at}.parquet", row_group_size=150, index=False)
    return tmp_path


@pytest.mark.slow
def test_a_pool_in_files_is_chosen_by_labeled_and_saved_as_one_in_memory(here):
    inside = run(*SELECT, "--predict", "inside.parquet", "--save", "model.skops", "-v").output
    outside = run(*SELECT, "--pool-sample", "100", "--predict", "outside.parquet", "--report", "r.html", "-v").output
    assert "800 rows in the pool" in outside
    table = [line for line in inside.splitlines() if "C=" in line]
    assert table
    assert table == [line for line in outside.splitlines() if "C=" in line]
    assert "Note: the pool of 800 rows stays on disk" in outside
    pd.testing.assert_frame_equal(pd.read_parquet("inside.parquet"), pd.read_parquet("outside.parquet"))
    assert "stays on disk" in Path("r.html").read_text(encoding="utf-8")


def test_classes_are_counted_and_models_estimated_and_applied_with_a_sample(here, monkeypatch):
    run(*SELECT, "--model", "logistic-regression", "--save", "model.skops")
    whole = run("predict", "model.skops", "big", "--output", "small.parquet", "--probabilities").output
    monkeypatch.setattr(opening, "IN_MEMORY", 0)  # as if the pool were larger
    blocks = run("predict", "model.skops", "big", "--output", "large.parquet", "--probabilities").output
    assert blocks.replace("large", "small") == whole
    pd.testing.assert_frame_equal(pd.read_parquet("small.parquet"), pd.read_parquet("large.parquet"))
    rows(50, 9).to_csv("labeled.csv", index=False)
    found = run("estimate", "model.skops", "labeled.csv", "--unlabeled", "big").output
    assert "Note: the pool of 800 rows stays on disk" in found
    counted = run("quantify", "train.csv", "--label", "topic", "--unlabeled", "big", "--drop", "id",
                  "--pool-sample", "200", "--grid", "C=1", "--json")  # fmt: skip
    assert "a random sample of 200 rows (seed 0)" in counted.output


def test_what_is_wrong_with_a_file_is_one_sentence_before_anything_is_written(here):
    def said(*more: str) -> str:
        output = run(*SELECT, "--pool-sample", "100", "--predict", "out.csv", *more, status=2).output
        assert not Path("out.csv").exists()
        return " ".join(output.split())

    third = Path("big/2.parquet")
    third.write_bytes(Path("big/1.parquet").read_bytes()[:2000])
    assert "big/2.parquet is not a Parquet file, or it is truncated" in said()
    pd.DataFrame({"a": [1.0], "b": [1.0], "id": ["x"]}).to_parquet(third)
    assert "big/2.parquet lacks the column 'color' of big/0.parquet" in said()
    pd.DataFrame({"a": ["x"], "b": [1.0], "color": ["red"], "id": ["x"]}).to_parquet(third)
    assert "column 'a' is numeric in big/0.parquet and text in big/2.parquet" in said()
    third.unlink()
    gap = pd.read_parquet("big/1.parquet")
    gap.assign(a=gap["a"].where(gap.index != 340)).to_parquet("big/1.parquet", row_group_size=150, index=False)
    assert "column 'a' of big has no value in 1 row, first in row" in said("--pool-sample", "1")
    assert "of big/1.parquet): fill it, or pass --missing impute" in said("--pool-sample", "1")
    rows(3, 0).drop(columns=["topic", "a"]).assign(id="x").to_parquet("other.parquet")
    assert "other.parquet lacks column 'a' of train.csv" in said("--unlabeled", "other.parquet")
    rows(5, 0).to_csv("pool.csv", index=False)
    assert "a sample is drawn from a pool in Parquet, and pool.csv is not one" in said("--unlabeled", "pool.csv")
    assert "there is no folder nowhere/" in said("--unlabeled", "nowhere/")


def test_an_empty_file_and_files_of_other_kinds_are_left_out_with_a_note(here):
    pd.read_parquet("big/0.parquet").iloc[:0].to_parquet("big/9.parquet")
    Path("big/README").write_text("rows")
    for more in ((), ("--pool-sample", "100")):
        output = " ".join(run(*SELECT, *more, "-v").output.split())
        assert "800 rows in the pool" in output
        assert "big/9.parquet has no rows and is skipped" in output
        assert "README in big is not named .parquet and not read" in output
