"""``foldless suggest`` end to end: to_label.csv, filled in, put below train.csv, works with the next command."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from foldless.cli import main

MODELS = ["--model", "logistic-regression,naive-bayes", "--seed", "1"]


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """40 labels and 160 pool rows of three classes; a column of codes must stay as it is written."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=200)
    X = rng.normal(size=(200, 2)) + 1.5 * np.c_[y == 1, y == 2]
    table = pd.DataFrame({"code": [f'"0{at:03d}"' for at in range(200)], "a": X[:, 0].round(4), "b": X[:, 1].round(4)})
    names = np.array(["ant", "bee", "cat"])[y]
    lines = [f"{code},{a},{b}" for code, a, b in table.itertuples(index=False)]
    train = ["code,a,b,kind", *(f"{line},{name}" for line, name in zip(lines[:40], names, strict=False))]
    (tmp_path / "train.csv").write_text("\n".join(train) + "\n")
    (tmp_path / "pool.csv").write_text("\n".join(["code,a,b", *lines[40:]]) + "\n")
    return tmp_path, names[40:]


def label(names, path="to_label.csv", train="train.csv"):
    """Fill in the labels and put the rows below the others, as the page on labeling says."""
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    rows["kind"] = names[rows["foldless_row"].astype(int) - 1]
    both = pd.concat([pd.read_csv(train, dtype=str, keep_default_na=False), rows])
    both.to_csv("more.csv", index=False)
    return rows


@pytest.mark.slow
def test_rows_are_copied_byte_for_byte_and_work_with_the_next_select(files):
    folder, names = files
    drop = ["--label", "kind", "--unlabeled", "pool.csv", "--drop", "code", *MODELS]
    done = run("suggest", "train.csv", *drop, "--output", "to_label.csv", "-n", 7, "--keep-valid")
    assert done.exit_code == 0, done.output
    assert "7 rows to label are in to_label.csv" in done.output
    header, *lines = (folder / "to_label.csv").read_text().splitlines()
    assert header == "code,a,b,kind,foldless_row,foldless_probability,foldless_round"
    pool = (folder / "pool.csv").read_text().splitlines()
    for line in lines:
        *_, empty, row, chance, at_round = line.split(",")
        assert line.startswith(pool[int(row)] + ",")
        assert (empty, at_round) == ("", "1")
        assert 0 < float(chance) <= 1  # rows that are sure to be drawn are
    label(names)
    again = run("select", "more.csv", *drop, "--json")
    assert again.exit_code == 0, again.output
    found = json.loads(again.stdout)
    assert found["rows"] == {"labeled": 47, "pool": 153, "test": 0}
    assert "with the stated probabilities" in found["estimate"]["assumes"][0]
    assert not any("foldless_" in name for name in found["columns"]["done"].split())
    second = run("suggest", "more.csv", *drop, "--output", "second.csv", "-n", 5)
    assert second.exit_code == 0, second.output
    rows = pd.read_csv("second.csv")
    assert set(rows["foldless_round"]) == {2}
    assert rows["foldless_probability"].between(0, 1, inclusive="right").all()
    assert not set(rows["foldless_row"]) & set(pd.read_csv("to_label.csv")["foldless_row"])


@pytest.mark.slow
def test_a_part_of_the_rows_that_were_drawn_may_have_labels_and_picked_ones_have_no_probability(files):
    _, names = files
    drop = ["--label", "kind", "--unlabeled", "pool.csv", "--drop", "code", *MODELS]
    run("suggest", "train.csv", *drop, "--output", "to_label.csv", "-n", 10)
    label(names)
    both = pd.read_csv("more.csv", dtype=str, keep_default_na=False)
    both.loc[both.index[-4:], "kind"] = ""
    both.to_csv("more.csv", index=False)
    found = json.loads(run("select", "more.csv", *drop, "--json").stdout)
    assert found["rows"] == {"labeled": 46, "pool": 154, "test": 0}
    assert "6 of 10 rows that were drawn in round 1 have a label" in " ".join(found["notes"])
    again = run("suggest", "more.csv", *drop, "--output", "second.csv")
    assert again.exit_code == 2
    assert "4 suggested rows of more.csv are still unlabeled" in again.output
    both["kind"] = both["kind"].where(both["foldless_row"] == "", "")  # no row of the round has a label
    both.to_csv("none.csv", index=False)
    found = json.loads(run("select", "none.csv", *drop, "--json").stdout)
    assert found["rows"] == {"labeled": 40, "pool": 160, "test": 0}
    run("suggest", "train.csv", *drop, "--output", "picked.csv", "-n", 5, "--strategy", "diverse")
    assert set(pd.read_csv("picked.csv")["foldless_probability"]) == {0}


def test_certify_refuses_such_labels_and_compare_reads_them(files):
    _, names = files
    drop = ["--label", "kind", "--unlabeled", "pool.csv", "--drop", "code", *MODELS]
    run("suggest", "train.csv", *drop, "--output", "to_label.csv", "-n", 6)
    label(names)
    refused = run("certify", "more.csv", *drop)
    assert refused.exit_code == 2
    assert "a certificate needs labels that were all drawn with equal probability" in refused.output
    compared = run("compare", "more.csv", *drop, "--criteria", "k-fold,semi-supervised-cv", "--json")
    assert compared.exit_code == 0, compared.output
    notes = [entry["notes"] for entry in json.loads(compared.stdout)["criteria"]]
    assert "labels that were all drawn with equal probability" in " ".join(notes[1])


def test_what_it_refuses(files):
    drop = ["--label", "kind", "--drop", "code", *MODELS]
    assert "there is none" in run("suggest", "train.csv", *drop, "--output", "x.csv").output
    over = run("suggest", "train.csv", *drop, "--unlabeled", "pool.csv", "--output", "pool.csv")
    assert "pool.csv is also read in this run" in over.output
    gone = run("suggest", "train.csv", *drop, "--unlabeled", "pool.csv", "--output", "x.csv", "--strategy", "core-set")
    assert gone.exit_code == 2
    assert "'core-set' is not one of 'auto', 'random', 'diverse'" in gone.output
