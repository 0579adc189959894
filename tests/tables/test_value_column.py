"""Regression from files: recognized, read value by value, chosen, saved, and predicted again."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_diabetes

from foldless import FoldlessSearch
from foldless.cli import main
from foldless.errors import BadInput, SetArgument
from foldless.io import Table
from foldless.portfolio import names
from foldless.saving import load, save
from foldless.tables import candidates, predict_table, read_problem
from foldless.tables._value_column import ValueColumn, recognized


@pytest.fixture
def files(tmp_path, monkeypatch):
    frame = load_diabetes(as_frame=True).frame.rename(columns={"target": "progression"})
    frame["progression"] += 0.5 * (frame.index % 2)
    frame["clinic"] = np.where(frame.index % 3, "north", "south")
    frame[:90].to_csv(tmp_path / "train.csv", index=False)
    frame[90:250].drop(columns="progression").to_csv(tmp_path / "pool.csv", index=False)
    frame[250:].to_csv(tmp_path / "test.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return frame


def table(column):
    return Table("t.csv", pd.DataFrame({"y": column}))


@pytest.mark.parametrize(
    ("column", "is_regression"),
    [
        ([0.5, 1, 2], True),
        ([0.5, 1.5, None], False),  # two values may be two classes
        ([1.0, 2.0, 3.0], False),
        ([True, False, True], False),
        (["0.5", "1.5", "2.5"], False),
        ([np.inf, 1.0, 2.0], False),
    ],
)
def test_three_numbers_of_which_one_has_a_fraction(column, is_regression):
    notes = []
    assert recognized(table(column), "y", notes) is is_regression
    assert len(notes) == is_regression
    assert not recognized(table(column), "z", notes)


@pytest.mark.parametrize("column", [[3, 4, 5, 6], [1, 2, 4, 9], [120_000, 95_000, 310_000]])
def test_whole_numbers_that_are_no_codes_are_classes_and_a_note_says_so(column):
    notes = []
    assert not recognized(table(column), "y", notes)
    assert notes == [
        f"the label 'y' holds whole numbers from {min(column)} to {max(column)}, which are taken as {len(column)} "
        "classes: predict them as numbers with task='regression'"
    ]


@pytest.mark.parametrize("column", [[0, 1, 2], [1, 2, 3, 4], [-1, 0, 1, 2], [-1, 1], [5, 9], ["3", "5", "9"]])
def test_codes_of_classes_need_no_note(column):
    notes = []
    assert not recognized(table(column), "y", notes)
    assert not notes


def test_values_are_numbers_or_nothing():
    read = ValueColumn("y").read(table(["1", 2.5, None, "", pd.NA, np.nan, " 3 "]))
    np.testing.assert_array_equal(read, [1, 2.5, np.nan, np.nan, np.nan, np.nan, 3])


def test_what_is_no_value_is_named_with_its_row():
    with pytest.raises(BadInput, match=r"column 'y' of t\.csv holds 'low' in row 2, and a regression needs") as caught:
        ValueColumn("y").read(table(["1", "low"]))
    assert caught.value.remedies == (SetArgument("task", "classification", "take them as classes"),)
    with pytest.raises(BadInput, match=r"holds 'inf' in row 1: values must be finite"):
        ValueColumn("y").read(table(["inf", "1"]))


def test_values_must_differ():
    np.testing.assert_array_equal(ValueColumn("y").present("t.csv", pd.Series([1.0, 2.0]), []), [1, 2])
    with pytest.raises(BadInput, match=r"column 'y' of t\.csv holds 2 values that do not differ: regression needs two"):
        ValueColumn("y").present("t.csv", pd.Series([1.0, 1.0]), [])


def test_each_test_row_needs_its_value():
    assert ValueColumn("y").truth(table([1, 2]), "train.csv", np.zeros(0), []).tolist() == [1, 2]
    with pytest.raises(BadInput, match=r"t\.csv has no label column 'z': test rows need their values"):
        ValueColumn("z").truth(table([1, 2]), "train.csv", np.zeros(0), [])
    with pytest.raises(BadInput, match=r"row 2 of t\.csv has no value in column 'y': give it one, or take the row out"):
        ValueColumn("y").truth(table([1, None]), "train.csv", np.zeros(0), [])


def test_an_order_is_noted_from_twenty_rows_on():
    assert order_notes(np.arange(19)) == []
    (note,) = order_notes(np.arange(250))
    assert note.startswith("neighboring rows of t.csv have similar values of 'y' (rank correlation 1.00)")
    assert order_notes(np.random.default_rng(0).normal(size=250)) == []


def order_notes(values):
    notes = []
    ValueColumn("y").present("t.csv", pd.Series(values, dtype=float), notes)
    return notes


def test_fractions_are_a_regression_and_a_note_says_so(files):
    problem = read_problem("train.csv", "progression")
    assert problem.regression
    assert len(problem.classes) == 0
    assert problem.notes == (
        "the label 'progression' holds numbers with fractions, such as 75.5, so this is a regression",
    )
    assert "from 37.5 to 341" in problem.describe()[0]
    np.testing.assert_array_equal(problem.y, files["progression"][:90])


def test_whole_numbers_are_classes_unless_said_otherwise(files):
    files.assign(progression=(files["progression"] // 100).astype(int)).to_csv("whole.csv", index=False)
    assert not read_problem("whole.csv", "progression").regression
    problem = read_problem("whole.csv", "progression", task="regression")
    assert problem.regression
    assert problem.notes == ()
    with pytest.raises(BadInput, match="task must be"):
        read_problem("whole.csv", "progression", task="ranking")


def test_rows_without_a_value_join_the_pool_and_minus_one_stays(files):
    values = files["progression"].where(files.index % 4 != 0).replace(75.5, -1)
    files.assign(progression=values).to_csv("gaps.csv", index=False)
    problem = read_problem("gaps.csv", "progression")
    assert problem.rows == {"labeled": int(values.notna().sum()), "pool": int(values.isna().sum()), "test": 0}
    assert problem.y.min() == -1


def test_rows_in_order_are_noted(files):
    files.sort_values("progression").to_csv("sorted.csv", index=False)
    assert any("neighboring rows of sorted.csv" in note for note in read_problem("sorted.csv", "progression").notes)


@pytest.mark.slow
@pytest.mark.parametrize("name", names("values"))
def test_every_regressor_is_saved_and_predicts_the_same(files, name):
    problem = read_problem("train.csv", "progression", unlabeled="pool.csv")
    found = candidates({name: None}, problem.columns, regression=True)
    pipeline, grid = found[name]
    few = {"model__n_estimators": [5]} if name == "random-forest" else {}
    grid = {key: values[:1] for key, values in grid.items()} | few
    search = FoldlessSearch({name: (pipeline, grid)}, criterion="hold_out", estimate=False, random_state=0)
    search.fit(problem.X, problem.y)
    save(search.selection_, "model.skops", problem.schema)
    kept = load("model.skops")
    assert kept.classes == ()
    predicted = predict_table("model.skops", "test.csv")
    np.testing.assert_array_equal(predicted.labels, search.predict(read_problem("test.csv", "progression").X))
    assert predicted.column == "predicted_progression"
    assert predicted.to_dict()["shares"] == []


@pytest.mark.slow
def test_the_commands_choose_compare_and_predict(files):
    run = CliRunner().invoke
    given = ["--label", "progression", "--unlabeled", "pool.csv", "--test", "test.csv", "--grid", "alpha=0.1,10"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown = run(
            main, ["select", "train.csv", *given, "--save", "m.skops", "--predict", "out.csv", "--report", "r.html"]
        )
    assert shown.exit_code == 0, shown.output
    assert re.search(r"Test +R² 0\.", shown.output)
    assert "accuracy" not in shown.output
    assert re.search(r"R² +about 0\.\d{3} on new rows", shown.output)
    page = Path("r.html").read_text()
    assert "Class shares" not in page
    assert "test accuracy" not in page
    assert len(pd.read_csv("out.csv")["predicted_progression"]) == 160
    document = json.loads(run(main, ["select", "train.csv", *given, "--json"]).stdout)
    assert document["task"] == "regression"
    assert document["shares"] == []
    table = json.loads(
        run(main, ["compare", "train.csv", *given, "--criteria", "auto,k-fold,adj,dagging", "--json"]).stdout
    )
    assert [entry["test_r2"] is None for entry in table["criteria"]] == [False, False, False, True]
    again = run(main, ["predict", "m.skops", "test.csv"])
    assert again.stdout.splitlines()[0].endswith("predicted_progression")
    refused = run(main, ["evaluate", "m.skops", "test.csv"])
    assert refused.exit_code == 2
    assert "m.skops is a regressor" in refused.stderr
