"""``foldless quantify``: a table of dates, its files, its JSON, and what it refuses."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from foldless.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place, rng = tmp_path_factory.mktemp("quantify"), np.random.default_rng(0)
    y = rng.random(400) < np.repeat([0.3, 0.2, 0.8], [160, 120, 120])
    rows = pd.DataFrame({"a": rng.normal(size=400) + 2 * y, "b": rng.normal(size=400) - y})
    rows["day"] = pd.to_datetime("2026-01-01") + pd.to_timedelta(np.arange(400) // 4, unit="D")
    rows.assign(kind=np.where(y, "up", "down"))[:160].to_csv(place / "train.csv", index=False)
    rows[160:].to_csv(place / "pool.csv", index=False)
    return place


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr("foldless.quantifiers._intervals.DRAWS", 50)


def invoked(folder, *args):
    task = ["quantify", str(folder / "train.csv"), "--label", "kind", "--unlabeled", str(folder / "pool.csv")]
    return CliRunner().invoke(main, [*task, "--grid", "C=1", "--method", "pacc", *args])


def test_a_table_by_month_with_its_files(folder):
    files = ["--picture", str(folder / "p.png"), "--report", str(folder / "r.html")]
    result = invoked(folder, "--by", "day", "--every", "month", *files)
    assert result.exit_code == 0, result.output
    assert "2026-02-01" in result.output
    assert "share of up" in result.output
    assert "The intervals hold if" in result.output
    assert (folder / "p.png").read_bytes().startswith(b"\x89PNG")
    assert "00:00:00" not in (folder / "r.html").read_text(encoding="utf-8").split("How to reproduce")[0]


def test_days_that_no_label_has_leave_no_interval(folder):
    document = json.loads(invoked(folder, "--json").output)
    assert document["prior_shift"]["alarm"]
    assert document["groups"][0]["holds_under"] == "no interval"
    assert document["groups"][0]["shares"][0]["lower"] is None


def test_the_document(folder):
    document = json.loads(invoked(folder, "--drop", "day", "--json").output)  # its days are all later than the labels'
    shares = {entry["class"]: entry for entry in document["groups"][0]["shares"]}
    assert shares["up"]["lower"] <= 0.5 <= shares["up"]["upper"]
    assert document["groups"][0]["rows"] == 240
    assert document["method"] == "pacc"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--by", "dat"], "pool.csv has no column 'dat': did you mean 'day'?"),
        (["--by", "shop"], "pool.csv has no column 'shop': its columns are 'a', 'b', 'day', 'kind'"),
        (["--by", "kind"], "--by kind names the label, which rows of the pool do not have"),
        (["--by", "a", "--text", "a"], "name 'a' with --by or --text, not with both"),
        (["--by", "day", "--drop", "dat"], "train.csv has no column 'dat' to be dropped: did you mean 'day'?"),
        (["--every", "day"], "--every groups the dates of --by"),
        (["--by", "a", "--every", "day", "--drop", "b"], "a"),
        (["--picture", "p.gif"], "--picture writes .png files"),
    ],
)
def test_what_is_refused(folder, args, said):
    result = invoked(folder, *args)
    assert result.exit_code == 2
    assert said in result.output
    assert result.output.count("\n") == 1
