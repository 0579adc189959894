"""check_files reads files as they are, also where no model could."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.tables import check_files

rng = np.random.default_rng(0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def frame(n: int, seed: int = 0) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    return pd.DataFrame({"a": draw.normal(size=n), "b": draw.normal(size=n), "topic": draw.choice(["x", "y"], n)})


def test_missing_values_and_rare_classes_are_no_error(folder: Path) -> None:
    rows = frame(60)
    rows.loc[:5, "a"] = np.nan
    rows.loc[[7], "topic"] = "z"
    rows.assign(age=np.where(np.arange(60) % 9, "12", "?")).to_csv("train.csv", index=False)
    codes = {finding.code for finding in check_files("train.csv", "topic", fast=True).findings}
    assert {"FL001", "FL018"} <= codes


def test_missing_values_are_counted_and_training_needs_an_option(folder: Path) -> None:
    rows = frame(60).assign(region=np.where(np.arange(60) % 6, "north", ""), kind=["a", "b"] * 30)
    rows.to_csv("train.csv", index=False)
    findings = check_files("train.csv", "topic", fast=True)
    assert {column.name: column.missing for column in findings.columns if column.missing} == {"region": 10}
    note = "column 'region' has missing values, with which no model is trained by default: pass missing='impute'"
    assert [str(note) for note in findings.notes if "missing" in note] == [note]


def test_rows_without_a_label_join_the_pool(folder: Path) -> None:
    rows = frame(80)
    rows.loc[50:, "topic"] = None
    rows.to_csv("train.csv", index=False)
    assert check_files("train.csv", "topic", fast=True).about.startswith("train.csv 50 rows, the pool 30 rows")


def test_test_rows_and_groups(folder: Path) -> None:
    rows = frame(60).assign(who=np.arange(60) // 3)
    rows.to_csv("train.csv", index=False)
    rows[:9].to_csv("test.csv", index=False)
    findings = check_files("train.csv", "topic", test="test.csv", groups="who", fast=True)
    assert "FL007" in {finding.code for finding in findings.issues}
    assert findings.not_applicable["FL008"] == "groups are given"


def test_svmlight(folder: Path) -> None:
    lines = [f"{at % 2} 1:{rng.normal():.4f} 3:{rng.normal():.4f}" for at in range(40)]
    Path("train.svm").write_text("\n".join([*lines, *lines[:6]]))
    assert "FL004" in {finding.code for finding in check_files("train.svm", fast=True).findings}


def test_a_wrong_column_is_one_sentence(folder: Path) -> None:
    frame(20).to_csv("train.csv", index=False)
    with pytest.raises(BadInput, match="has no column 'nothing' to be dropped"):
        check_files("train.csv", "topic", drop=["nothing"])


def test_whole_numbers_to_predict_are_no_rare_classes(folder: Path) -> None:
    rows = frame(60).drop(columns="topic").assign(rings=rng.integers(3, 25, 60))
    rows.to_csv("train.csv", index=False)
    assert "FL001" in [finding.code for finding in check_files("train.csv", "rings", fast=True).findings]
    numbers = check_files("train.csv", "rings", task="regression", fast=True)
    assert "FL001" not in [finding.code for finding in numbers.findings]
    assert "classes" not in numbers.about
