"""How labels were drawn: probabilities and rounds of a file, rows that wait, rows that left the pool."""

import numpy as np
import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.io import Table
from foldless.tables import _label_draws as draws
from foldless.tables import read_problem
from foldless.tables._label_draws import PROBABILITY, ROUND, ROW, LabelDraws

EVERY = np.arange(4)


def table(**columns):
    return Table("t.csv", pd.DataFrame({"x": range(len(next(iter(columns.values())))), **columns}))


def test_probabilities_and_rounds_of_labeled_rows():
    notes = []
    read = draws.read(table(**{PROBABILITY: [None, 0.5, 0.25, 0.0], ROUND: [None, 1, 2, 2]}), EVERY, notes)
    np.testing.assert_array_equal(read.label_probabilities, [np.nan, 0.5, 0.25, 0])
    np.testing.assert_array_equal(read.label_rounds, [0, 1, 2, 2])
    assert read.next_round == 3
    assert notes == []


def test_a_round_in_part_labeled_is_taken_for_a_random_part():
    notes = []
    t = table(**{PROBABILITY: [0.5, 0.5, 0.2, 0.0], ROUND: [1, 1, 1, 1]})
    read = draws.read(t, np.array([0, 2, 3]), notes)  # row 1 was drawn and has no label; row 3 was chosen
    np.testing.assert_allclose(read.label_probabilities, [0.5 * 2 / 3, 0.2 * 2 / 3, 0])
    assert notes[0].startswith("2 of 3 rows that were drawn in round 1 have a label: the estimate treats them as a")


def test_rows_without_a_round_are_of_round_0():
    read = draws.read(table(**{PROBABILITY: [0.5, 1.0, 0.1, 0.3]}), EVERY, [])
    assert read.label_rounds.tolist() == [0, 0, 0, 0]
    assert read.next_round == 1


@pytest.mark.parametrize("columns", [{"z": [1, 2]}, {PROBABILITY: [None, None]}, {PROBABILITY: ["", " "]}])
def test_a_table_that_does_not_say(columns):
    assert draws.read(table(**columns), np.arange(2), []) is None


def test_all_drawn_at_random_begins_with_round_1():
    assert LabelDraws(np.full(3, np.nan), np.array([4.0, 4.0, 4.0])).next_round == 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.1, 1.5], r"'foldless_probability' of t\.csv holds 1\.5: probabilities are between 0 and 1"),
        ([-0.1, 0.5], "holds -0.1: probabilities are between 0 and 1"),
        (["0.5", "half"], "holds 'half' in row 2: leave it as foldless suggest wrote it, or empty"),
    ],
)
def test_what_is_no_probability(values, message):
    with pytest.raises(BadInput, match=message):
        draws.read(table(**{PROBABILITY: values}), np.arange(2), [])


def test_a_round_that_is_no_number_is_named():
    with pytest.raises(BadInput, match=r"column 'foldless_round' of t\.csv holds 'first' in row 1"):
        draws.read(table(**{PROBABILITY: [0.5, 0.5], ROUND: ["first", 1]}), np.arange(2), [])


def test_rows_that_wait_for_a_label_are_refused():
    t = table(**{PROBABILITY: [0.5, None, 0.0, None]})
    draws.check_none_waits([(t, None), (t, np.array([1, 3])), (table(z=[1, 2]), np.array([0]))])
    with pytest.raises(BadInput, match=r"2 .*rows of t\.csv.*: label them, or"):
        draws.check_none_waits([(t, np.array([0, 1, 2]))])


def test_columns_that_no_model_reads():
    assert draws.columns(pd.DataFrame({ROUND: [1], "x": [2], ROW: [3]})) == [ROW, ROUND]


def left_out(drawn, X, pool):
    train, notes = table(**{PROBABILITY: drawn}), []
    pools, rows = [pd.DataFrame({"x": pool})], [(Table("p.csv", pd.DataFrame({"x": pool})), None)]
    draws.leave_out(pd.DataFrame({"x": X}), train, pools, rows, notes)
    return [each["x"].tolist() for each in pools], [each[1] for each in rows], notes


def test_each_drawn_row_takes_one_of_the_same_content_out_of_the_pool():
    pools, rows, notes = left_out([0.5, 0.5, None], [1.0, 1.0, 2.0], [1.0, 2.0, 1.0, 1.0, 3.0])
    assert pools == [[2.0, 1.0, 3.0]]
    assert rows[0].tolist() == [1, 3, 4]
    assert notes == ["2 rows of p.csv that are in t.csv too are left out of the pool"]


def test_a_pool_of_nothing_but_drawn_rows_is_no_pool():
    pools, rows, notes = left_out([0.5, 0.0], [1.0, 2.0], [2.0, 1.0])
    assert (pools, rows) == ([], [])
    assert len(notes) == 1


def test_rows_that_were_not_drawn_take_none_out():
    pools, rows, notes = left_out([None, None], [1.0, 2.0], [2.0, 1.0])
    assert pools == [[2.0, 1.0]]
    assert rows == [None]
    assert notes == []


def test_labeled_rows_leave_the_pool_by_key_and_content_or_by_content_alone(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=60), "z": rng.normal(size=60)})
    labels = np.array(["a", "b"])[rng.integers(2, size=60)]
    frame[:20].assign(label=labels[:20]).to_csv(tmp_path / "train.csv", index=False)
    frame[10:].to_csv(tmp_path / "pool.csv", index=False)
    problem = read_problem(str(tmp_path / "train.csv"), "label", unlabeled=str(tmp_path / "pool.csv"))
    assert (problem.rows["pool"], len(problem.pool_rows)) == (40, 40)
    assert any("10 rows of" in note and "left out of the pool" in note for note in problem.notes)
    assert np.allclose(problem.X_unlabeled["x"], frame["x"][20:])


def test_rows_that_are_equal_by_chance_stay_in_the_pool(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(3, size=300), "z": rng.integers(3, size=300)})
    labels = np.array(["a", "b"])[rng.integers(2, size=300)]
    frame[:100].assign(label=labels[:100]).to_csv(tmp_path / "train.csv", index=False)
    frame[100:].to_csv(tmp_path / "pool.csv", index=False)
    problem = read_problem(str(tmp_path / "train.csv"), "label", unlabeled=str(tmp_path / "pool.csv"))
    assert problem.rows["pool"] == 200


def test_keys_tell_equal_rows_apart(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"id": [f"k{at:05d}-{rng.integers(10**6)}" for at in range(120)], "x": rng.integers(3, size=120)}
    )
    labels = np.array(["a", "b"])[rng.integers(2, size=120)]
    frame[:60].assign(label=labels[:60]).to_csv(tmp_path / "train.csv", index=False)
    frame[50:].to_csv(tmp_path / "pool.csv", index=False)
    problem = read_problem(str(tmp_path / "train.csv"), "label", unlabeled=str(tmp_path / "pool.csv"))
    assert problem.ids == ("id",)
    assert problem.rows["pool"] == 60
