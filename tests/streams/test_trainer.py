"""Learning from a stream: what is learned, what is left out, and that rows never depend on how they are read."""

import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from helpers.stream_files import rows, same, trained, trainer

from foldless.errors import BadInput
from foldless.online import NEMSIS


def test_weights_are_those_of_partial_fit_on_the_prepared_rows(tmp_path):
    table = rows(1000).drop(columns="color")
    table.to_parquet(tmp_path / "a.parquet")
    state = trained([tmp_path / "a.parquet"], hold=0)
    first = table[["x", "z"]][:100]
    X = np.clip((table[["x", "z"]] - first.mean()) / first.std(ddof=0), -10, 10).to_numpy()
    by_hand = NEMSIS("bakld").fit(X, table["topic"])
    assert state.rows == 1000
    assert np.allclose(state.learner.coef_, by_hand.coef_, rtol=1e-4, atol=1e-6)
    assert np.allclose(state.learner.intercept_, by_hand.intercept_, rtol=1e-4, atol=1e-6)


def test_it_learns(tmp_path):
    rows(6000).to_csv(tmp_path / "a.csv", index=False)
    scores = trained([tmp_path / "a.csv"], batch=500, hold=500).held_counts().scores()
    assert scores["rows"] == 500
    assert scores["balanced_accuracy"] > 0.8
    assert scores["kld"] < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("write", ["csv", "csv.gz", "csv.zst", "tsv"])
def test_the_format_of_a_file_changes_nothing(tmp_path, write):
    table = rows(700)
    table[["x", "z"]] = table[["x", "z"]].round(3)
    table.to_parquet(tmp_path / "a.parquet", row_group_size=64)
    text = table.to_csv(index=False, sep="\t" if write == "tsv" else ",").encode()
    packed = gzip.compress(text) if write == "csv.gz" else pa.compress(text, "zstd", asbytes=True)
    (tmp_path / f"a.{write}").write_bytes(packed if "." in write else text)
    assert same(trained([tmp_path / "a.parquet"]), trained([tmp_path / f"a.{write}"]))


@pytest.mark.slow
def test_a_folder_and_several_files_are_one_stream(tmp_path):
    table = rows(900)
    (tmp_path / "days").mkdir()
    for at in range(3):
        table[300 * at : 300 * (at + 1)].to_parquet(tmp_path / "days" / f"{at}.parquet")
    table.to_parquet(tmp_path / "whole.parquet")
    files = [tmp_path / "days" / f"{at}.parquet" for at in range(3)]
    whole = trained([tmp_path / "whole.parquet"])
    assert same(whole, trained([tmp_path / "days"]))
    assert same(whole, trained(files))
    assert not same(whole, trained(files[::-1])), "the order of rows matters, so the test above says something"


def test_first_rows_are_gathered_over_small_files(tmp_path):
    table = rows(200)
    (tmp_path / "days").mkdir()
    for at in range(20):
        table[10 * at : 10 * (at + 1)].to_parquet(tmp_path / "days" / f"{at:02}.parquet")
    state = trained([tmp_path / "days"], hold=0)
    scale = state.preparation.named_transformers_["numeric"]
    assert np.allclose(scale.mean_, table[["x", "z"]][:100].mean())


def test_a_stream_shorter_than_the_first_batch(tmp_path):
    rows(30).to_csv(tmp_path / "a.csv", index=False)
    state = trained([tmp_path / "a.csv"], hold=0)
    assert state.rows == 30
    assert state.learner.classes_.tolist() == ["a", "b"]


def test_nothing_is_learned_from_faulty_rows(tmp_path):
    table = rows(600)
    faulty = table.astype({"x": object})
    faulty.loc[[7, 250], "topic"] = [None, "c"]
    faulty.loc[[99, 300, 301], "x"] = [None, "much", "inf"]
    faulty.to_csv(tmp_path / "faulty.csv", index=False)
    table.drop(index=[7, 99, 250, 300, 301]).to_csv(tmp_path / "good.csv", index=False)
    messages = []
    state = trained([tmp_path / "faulty.csv"], messages, batch=1000, hold=0, classes=("a", "b"))
    other = trained([tmp_path / "good.csv"], batch=1000, hold=0)
    assert same(state, other)
    assert [sentence.replace(str(tmp_path / "faulty.csv"), "{0}") for sentence in messages] == [
        "skipped: row 8 (line 9) of {0} has no label in column 'topic'",
        "skipped: row 100 (line 101) of {0} has no value in column 'x'",
        "skipped: row 251 (line 252) of {0} has the label 'c', which is not one of the classes 'a', 'b'",
        "skipped: row 301 (line 302) of {0} holds 'much' in column 'x', which holds numbers",
        "skipped: row 302 (line 303) of {0} is infinite in column 'x'",
    ]


def test_a_fault_among_the_first_rows_does_not_make_them_more(tmp_path):
    table = rows(400)
    table.loc[7, "topic"] = None
    table.loc[150, "topic"] = "spma"
    table.to_csv(tmp_path / "a.csv", index=False)
    messages = []
    state = trained([tmp_path / "a.csv"], messages, hold=0)
    assert state.classes.tolist() == ["a", "b"]
    assert state.rows == 398
    assert messages[1].endswith("has the label 'spma', which is not one of the classes 'a', 'b'")
    scale = state.preparation.named_transformers_["numeric"]
    assert np.allclose(scale.mean_, table[["x", "z"]][:100].drop(index=7).mean())


@pytest.mark.parametrize("classes", [(), ("a", "b")])
def test_first_batches_without_a_sound_row_are_passed_over(tmp_path, classes):
    table = rows(500)
    table.loc[:249:2, "x"] = table.loc[1:249:2, "z"] = None
    table.to_csv(tmp_path / "a.csv", index=False)
    state = trained([tmp_path / "a.csv"], hold=0, classes=classes)
    scale = state.preparation.named_transformers_["numeric"]
    assert np.allclose(scale.mean_, table[["x", "z"]][250:300].mean())
    assert state.rows == 250


def test_more_first_rows_where_the_sound_ones_have_one_class(tmp_path):
    table = rows(500)
    table.loc[:99, "topic"] = [None] * 95 + ["a"] * 5
    table.to_csv(tmp_path / "a.csv", index=False)
    state = trained([tmp_path / "a.csv"], hold=0)
    scale = state.preparation.named_transformers_["numeric"]
    assert np.allclose(scale.mean_, table[["x", "z"]][95:200].mean())


def test_a_label_that_may_be_a_slip_is_told_with_its_row(tmp_path):
    table = rows(400)
    table.loc[77, "topic"] = "bb"
    table.to_parquet(tmp_path / "a.parquet")
    messages = []
    trained([tmp_path / "a.parquet"], messages)
    assert len(messages) == 1
    assert messages[0].startswith(
        f"'bb' in column 'topic' has 1 of the first 100 rows (row 78 of {tmp_path / 'a.parquet'})"
    )
    messages.clear()
    trained([tmp_path / "a.parquet"], messages, classes=("a", "b"))
    assert messages == [
        f"skipped: row 78 of {tmp_path / 'a.parquet'} has the label 'bb', which is not one of the classes 'a', 'b'"
    ]


@pytest.mark.parametrize("file", ["a.csv", "a.parquet"])
def test_integers_beyond_double_precision(tmp_path, file):
    table = rows(300).assign(large=2**60 + np.arange(300))
    table.to_csv(tmp_path / file, index=False) if file == "a.csv" else table.to_parquet(tmp_path / file)
    assert trained([tmp_path / file]).rows == 300
    table["topic"] = np.where(table["topic"] == "a", 2**60, 2**60 + 1)
    table.to_csv(tmp_path / file, index=False) if file == "a.csv" else table.to_parquet(tmp_path / file)
    state = trained([tmp_path / file])
    exact = [2**60, 2**60 + 1]
    assert state.classes.tolist() == (list(map(str, exact)) if file == "a.csv" else exact)  # text keeps its spelling
    assert state.held_counts().scores()["balanced_accuracy"] > 0.7


@pytest.mark.parametrize("freq", ["h", "D"])
def test_a_date_in_a_stream_that_is_ordered_by_it_does_no_harm(tmp_path, freq):
    table = rows(6000, share=0.1).assign(when=pd.date_range("2024-01-01", periods=6000, freq=freq))
    table.to_parquet(tmp_path / "a.parquet")
    scores = trained([tmp_path / "a.parquet"], hold=0, batch=1000).evaluation.whole.scores()
    assert scores["balanced_accuracy"] > 0.75
    assert scores["kld"] < 0.05


def test_dates_without_a_cycle(tmp_path):
    table = rows(300).assign(when=pd.date_range("2024-01-01", periods=300, freq="s"))
    table[["when", "topic"]].to_parquet(tmp_path / "a.parquet")
    with pytest.raises(BadInput, match="are dates without a repeating cycle in the first rows"):
        trained([tmp_path / "a.parquet"])


def test_folders_in_folders_are_one_stream(tmp_path):
    table = rows(600)
    for at in range(2):
        (tmp_path / "days" / f"day={at}").mkdir(parents=True)
        table[300 * at : 300 * (at + 1)].to_parquet(tmp_path / "days" / f"day={at}" / "p.parquet")
    table.to_parquet(tmp_path / "whole.parquet")
    assert same(trained([tmp_path / "days"]), trained([tmp_path / "whole.parquet"]))


def test_a_fault_stops_the_stream_where_asked(tmp_path):
    table = rows(600)
    table.loc[450, "topic"] = "c"
    table.to_parquet(tmp_path / "a.parquet")
    stopped = trainer([tmp_path / "a.parquet"], on_error="stop")
    with pytest.raises(BadInput, match=r"row 451 of .*a\.parquet has the label 'c'.*on_error='skip'"):
        stopped.run(lambda _: True)
    table[:400].to_parquet(tmp_path / "b.parquet")
    assert same(stopped.state, trained([tmp_path / "b.parquet"]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.drop(columns="x"), "lacks the column 'x'"),
        (lambda t: t.assign(new=1.0), "has the column 'new'"),
        (lambda t: t.assign(x="much"), "holds strings in column 'x', where the stream began with numbers"),
        (lambda t: t.assign(topic=1), "holds numbers in column 'topic', where the stream began with strings"),
    ],
)
def test_a_file_of_another_schema_is_left_out_as_a_whole(tmp_path, change, words):
    table = rows(900)
    parts = table[:300], change(table[300:600]), table[600:]
    for at, part in enumerate(parts):
        part.to_parquet(tmp_path / f"{at}.parquet")
    messages = []
    state = trained([tmp_path / f"{at}.parquet" for at in range(3)], messages)
    assert same(state, trained([tmp_path / "0.parquet", tmp_path / "2.parquet"]))
    assert len(messages) == 1
    assert f"1.parquet {words}" in messages[0]
    assert messages[0].endswith("; none of its rows is read")
    stopped = trainer([tmp_path / f"{at}.parquet" for at in range(3)], on_error="stop")
    with pytest.raises(BadInput, match="none of its rows is read: correct the file"):
        stopped.run(lambda _: True)


def test_missing_values_may_be_imputed(tmp_path):
    table = rows(400)
    table.loc[::5, "x"] = None
    table.loc[::7, "color"] = None
    table.to_csv(tmp_path / "a.csv", index=False)
    messages = []
    assert trained([tmp_path / "a.csv"], messages).rows < 400
    assert messages
    assert trained([tmp_path / "a.csv"], missing="impute").rows == 400


@pytest.mark.slow
def test_labels_of_numbers_and_booleans(tmp_path):
    table = rows(300)
    for values in (
        table["topic"].map({"a": 3, "b": 7}),
        table["topic"] == "b",
        table["topic"].map({"a": 0.0, "b": 1.0}),
    ):
        table.assign(topic=values).to_csv(tmp_path / "a.csv", index=False)
        table.assign(topic=values).to_parquet(tmp_path / "a.parquet")
        for name in ("a.csv", "a.parquet"):
            classes = trained([tmp_path / name]).classes
            assert classes.tolist() == sorted(set(values))
            assert classes.dtype.kind in "ib"


def test_three_classes(tmp_path):
    rng = np.random.default_rng(0)
    code = rng.integers(0, 3, 3000)
    frame = pd.DataFrame(rng.normal(size=(3000, 3)) + 3 * np.eye(3)[code], columns=list("uvw")).assign(topic=code)
    frame.to_parquet(tmp_path / "a.parquet")
    scores = trained([tmp_path / "a.parquet"], hold=300).held_counts().scores()
    assert scores["accuracy"] > 0.85


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"label": "subject"}, "no column 'subject'"),
        ({"drop": ("colour",)}, "no column 'colour'"),
        ({"drop": ("x", "z", "color")}, "no column beside the label"),
        ({"label": "x"}, "labels are names or whole numbers"),
        ({"classes": ("a",)}, "only the class a is named"),
    ],
)
def test_what_the_first_rows_cannot_be(tmp_path, changed, words):
    rows(200).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(BadInput, match=words):
        trained([tmp_path / "a.csv"], **changed)


def test_a_first_batch_of_one_class(tmp_path):
    rows(300).sort_values("topic").to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(BadInput, match="no class but 'a' in column 'topic': name all classes with classes="):
        trained([tmp_path / "a.csv"])
    assert trained([tmp_path / "a.csv"], classes=("b", "a")).rows == 300


def test_a_stream_without_good_rows(tmp_path):
    (tmp_path / "a.csv").write_text("x,topic\n1\n2\n")
    with pytest.raises(BadInput, match="no row to learn from"):
        trained([tmp_path / "a.csv"])
