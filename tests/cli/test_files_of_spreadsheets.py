"""Files as a spreadsheet in Germany writes them: read, labeled, and written as they are."""

import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from foldless.cli import main
from foldless.saving import load


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    x, price = rng.normal(size=80), rng.uniform(500, 20_000, 80)
    frame = pd.DataFrame({
        "Größe": x.round(3), "Preis": price.round(2), "Stadt": rng.choice(["Köln", "Bonn"], 80),
        "Datum": pd.date_range("2024-01-01", periods=80).strftime("%d.%m.%Y"),
        "Status": np.where(x > 0, "verkauft", "offen"),
    })  # fmt: skip
    frame[:50].to_csv("train.csv", sep=";", decimal=",", index=False, encoding="cp1252")
    frame[50:].drop(columns="Status").to_csv("pool.csv", sep=";", decimal=",", index=False, encoding="cp1252")
    return tmp_path


def run(*args):
    result = CliRunner().invoke(main, list(args))
    assert result.exit_code == 0, result.output
    return result.output


def test_a_table_of_another_country_from_file_to_file(folder):
    options = ("--model", "naive-bayes", "--criterion", "k_fold", "--predict", "out.csv", "--save", "model.skops")
    said = run("select", "train.csv", "--label", "Status", "--unlabeled", "pool.csv", *options)
    assert "train.csv is read with semicolons between values, decimal commas, cp1252" in said
    assert "--delimiter ';' --decimal , --encoding cp1252 --date-format %d.%m.%Y" in said
    assert "pool.csv is read" not in said  # in the same way
    written, pool = (folder / "out.csv").read_bytes(), (folder / "pool.csv").read_text("cp1252").splitlines()
    lines = written.decode("utf-8-sig").splitlines()
    assert written.startswith(b"\xef\xbb\xbf")
    assert all(line.startswith(f"{row};") for line, row in zip(lines, pool, strict=True))
    assert re.fullmatch(r".*;(offen|verkauft);0,\d+.*", lines[1])
    assert load("model.skops").schema.dialect.decimal == ","
    (folder / "new.csv").write_text("Größe;Preis;Stadt;Datum\n1,125;1.234;Köln;03.04.2024\n")  # open but for the model
    line = run("predict", "model.skops", "new.csv").splitlines()[1]
    assert line.startswith("1,125;1.234;Köln;03.04.2024;verkauft;0,")


def test_what_is_typed_counts(folder):
    (folder / "open.csv").write_text("x;y\n" + "1,234;a\n5,678;b\n" * 6)
    refused = CliRunner().invoke(main, ["select", "open.csv", "--label", "y", "--model", "naive-bayes"])
    assert refused.exit_code == 2
    assert "--decimal" in refused.output
    said = run(
        "select", "open.csv", "--label", "y", "--model", "naive-bayes", "--criterion", "k_fold", "--decimal", ","
    )
    assert "decimal commas" in said
