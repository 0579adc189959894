"""Rows with several classes: sets in the journal, in what pages are sent, in files, and in what models learn from."""

import json

import numpy as np
import pandas as pd
import pytest
from helpers.app_server import write_topics

from foldless import FoldlessSearch
from foldless.app._app_trainer import AppTrainer
from foldless.app._label_journal import LabelJournal
from foldless.app._label_review import Asked, LabelReview
from foldless.app._label_sections import agreement, new_classes, shown_labels
from foldless.app._row_answers import RowAnswers
from foldless.app._sent_values import class_name, label_of
from foldless.app.app_setup import Setup
from foldless.errors import BadInput
from foldless.tables import candidates, read_problem, with_labels

MODELS = {"naive-bayes": {"alpha": [0.1, 1.0]}}
CODES = {"news": 0, "sport": 1, "law": 2}
ABOUT = {"label": "topics", "pool": "abc", "several": True}


def said(*entries):
    answers = RowAnswers()
    for entry in entries:
        answers.apply(entry)
    return answers


# ---- journal


def test_a_set_is_kept_and_its_order_does_not_count(tmp_path):
    journal = LabelJournal(tmp_path / "labels.jsonl", ABOUT, 10)
    journal.append({"row": 3, "label": ["sport", "news"]})
    journal.append({"row": 4, "label": ["news"]})
    number = journal.append({"row": 4, "label": ["law", "news", "law"]}, "tab")
    assert journal.labels == {3: ("news", "sport"), 4: ("law", "news")}
    journal.undo(4, number, "tab")
    assert journal.labels == {3: ("news", "sport"), 4: ("news",)}
    journal.close()
    again = LabelJournal(tmp_path / "labels.jsonl", ABOUT, 10)
    assert again.labels == {3: ("news", "sport"), 4: ("news",)}
    again.close()


@pytest.mark.parametrize("label", ["news", [], [None], [["news"]], {"news": 1}])
def test_what_is_no_set_is_no_entry_of_such_a_journal(tmp_path, label):
    place = tmp_path / "labels.jsonl"
    LabelJournal(place, ABOUT, 10).close()
    with place.open("a") as file:
        file.write(json.dumps({"row": 1, "label": label}) + "\n")
    with pytest.raises(BadInput, match=r"line 2 of .* is not an entry"):
        LabelJournal(place, ABOUT, 10)


def test_a_journal_of_one_label_a_row_is_not_one_of_several(tmp_path):
    one = {key: value for key, value in ABOUT.items() if key != "several"}
    for first, second, message in ((one, ABOUT, "one label each, and several"), (ABOUT, one, "several labels each")):
        place = tmp_path / f"{len(first)}.jsonl"
        LabelJournal(place, first, 10).close()
        before = place.read_bytes()
        with pytest.raises(BadInput, match=message):
            LabelJournal(place, second, 10)
        assert place.read_bytes() == before
        LabelJournal(place, first, 10).close()
    with pytest.raises(BadInput, match="other rows"):
        LabelJournal(place, {**ABOUT, "pool": "def"}, 10)


def test_what_another_program_says_of_a_set_is_kept_and_disputed(tmp_path):
    place = tmp_path / "labels.jsonl"
    journal = LabelJournal(place, ABOUT, 10)
    before = place.read_bytes()
    for row, label in ((1, ["news"]), (2, ["news", "sport"]), (3, ["none"])):  # a class may have the name of a state
        journal.append({"row": row, "label": label, "at": "2026-11-18"})
    others = [{"row": 1, "label": ["law", "news"]}, {"row": 2, "label": ["sport", "news"]}]
    others += [{"row": 3, "skip": True, "state": "none"}]
    place.write_bytes(before + b"".join(json.dumps(each).encode() + b"\n" for each in others))
    journal.look()
    assert journal.answers.disputed == {1, 3}
    assert journal.labels == {2: ("news", "sport")}
    journal.close()


# ---- what pages are sent


def test_people_agree_where_sets_are_equal():
    answers = said(
        {"row": 1, "label": ["a", "b"], "by": "anna"}, {"row": 1, "label": ["b", "a"], "by": "ben"},
        {"row": 2, "label": ["a", "b"], "by": "anna"}, {"row": 2, "label": ["a"], "by": "ben"},
        {"row": 3, "label": ["a"], "by": "anna"}, {"row": 3, "label": ["a"], "by": "ben"},
        {"row": 3, "label": ["a"], "by": "anna", "repeat": True},
        {"row": 1, "label": ["b"], "by": "anna", "repeat": True},
    )  # fmt: skip
    assert answers.labels == {1: ("a", "b"), 3: ("a",)}
    assert answers.disputed == {2}
    agreed = agreement(answers)
    assert (agreed["shared"], agreed["repeated"], agreed["self"]["value"]) == (3, 2, 0.5)
    assert agreed["alpha"]["value"] == pytest.approx(1 - (1 / 3) / (2 * 3 * 3 / (6 * 5)))  # nominal, of whole sets
    answers.apply({"row": 2, "label": ["b", "a"], "settles": True, "by": "ben"})
    assert answers.labels[2] == ("a", "b")


def test_pages_are_sent_the_numbers_of_all_classes_of_a_row():
    answers = said({"row": 1, "label": ["sport", "news"]}, {"row": 2, "label": ["news"]})
    shown = shown_labels(answers, CODES, ("",))[""]
    assert shown["given"] == {1: [0, 1], 2: [0]}
    assert shown["latest"] == [[1, [0, 1]], [2, [0]]]
    assert (shown["counts"], shown["total"]) == ([2, 1, 0], 2)
    assert new_classes(answers, ["news"]) == ["sport"]


def test_the_model_says_otherwise_where_its_label_is_none_of_the_row():
    answers, review = said({"row": 1, "label": ["sport", "news"]}, {"row": 2, "label": ["news"]}), LabelReview()
    review.guesses = {1: "sport", 2: "sport"}
    page = review.page(answers, CODES, Asked(state="otherwise"))
    assert [(entry["row"], entry["code"], entry["otherwise"]) for entry in page["rows"]] == [(2, [0], 1)]
    review.doubts = {1: ("law", 0.3), 2: ("news", 0.9)}
    assert [entry["row"] for entry in review.page(answers, CODES, Asked(state="otherwise"))["rows"]] == [1]
    assert {entry["row"] for entry in review.page(answers, CODES, Asked(label=0))["rows"]} == {1, 2}
    assert [entry["row"] for entry in review.page(answers, CODES, Asked(label=1))["rows"]] == [1]


def test_what_a_page_sends_is_a_list_of_different_classes():
    assert label_of([1, 0], ["a", "b"], True) == ["b", "a"]
    assert label_of(1, ["a", "b"], False) == "b"
    for code in (1, [1, 1], [2], ["0"], [[0]], None):
        with pytest.raises(BadInput):
            label_of(code, ["a", "b"], True)
    with pytest.raises(BadInput):
        label_of([1], ["a", "b"], False)
    assert class_name("a, b", ";") == "a, b"
    with pytest.raises(BadInput, match="';' separates classes"):
        class_name("a;b", ";")


# ---- trainer and files


@pytest.fixture
def opened(tmp_path):
    def start(kind="csv", **settings):
        truth = write_topics(tmp_path, kind)
        folder = tmp_path / "train.foldless"
        folder.mkdir()
        reading = {"unlabeled": str(tmp_path / "pool.csv"), **({"label_separator": ";"} if kind == "csv" else {})}
        setup = Setup(
            str(tmp_path / f"train.{kind}"), "topics", folder, reading, MODELS,
            settings={"random_state": 0}, batch=5, **settings,
        )  # fmt: skip
        told = {}
        return AppTrainer(setup, told.__setitem__), told, setup, truth

    return start


def following(out):
    return {"out": list(out), "how": "valid", "number": 2, "first": True}


def test_it_says_that_rows_have_several_classes(opened):
    trainer, told, *_ = opened()
    found = trainer.opened()
    assert (found["several"], found["separator"], found["classes"]) == (True, ";", ["news", "sport"])
    assert sum(found["labeled"]) > found["rows"]["labeled"] == 40
    assert {name: len(rows) for name, rows in told["examples"].items()} == {"news": 3, "sport": 3}
    json.dumps(found)


def test_it_chooses_what_python_chooses_and_rows_are_copied(opened, tmp_path, monkeypatch):
    monkeypatch.setattr("foldless.app._app_trainer.DOUBTING", 1e9)
    trainer, told, setup, truth = opened()
    rows = [3, 41, 7, 12]
    trainer.choose(["naive-bayes"], "auto", [(row, truth[row], None, 1) for row in rows], following(rows))
    problem = read_problem(setup.train, "topics", **setup.reading)
    more = with_labels(problem, sorted(rows), [truth[row] for row in sorted(rows)])
    search = FoldlessSearch(candidates(MODELS, problem.columns), random_state=0, unlabeled=None)
    search.fit(more.X, more.y, X_unlabeled=more.X_unlabeled)
    result = told["result"]
    assert (result["labels"], result["given"]) == (44, 4)
    assert result["ceiling"] == 44 / sum(map(len, more.y))
    assert result["estimate"]["value"] == search.selection_.estimate.value
    assert any(f"cannot exceed {result['ceiling']:.4f}" in note for note in result["notes"])
    assert {entry["guess"] for entry in told["batch"]} <= {"news", "sport"}
    assert not {entry["row"] for entry in told["batch"]} & set(rows)
    assert set(told["doubts"]) <= set(rows)
    for row, (predicted, likely) in told["doubts"].items():
        assert predicted in ("news", "sport")
        assert likely == pytest.approx(1) or len(truth[row]) == 1


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_files_have_lists_or_joined_labels_and_go_on_in_other_commands(opened, kind):
    trainer, told, setup, truth = opened(kind)
    rows = [*[row for row, labels in enumerate(truth) if len(labels) == 2][:2], 0, 1]
    labels = [(row, truth[row], None, 1) for row in rows]
    trainer.save(labels, {2: {"state": "unsure", "at": "2026-11-18"}})
    written = told["saved"]["files"]
    again = [
        read_problem(written["labels"], "topics", label_separator=";"),
        read_problem(written["parquet"], "topics"),
        read_problem(written["jsonl"], "topics"),
    ]
    before = read_problem(setup.train, "topics", **setup.reading).y.tolist()
    for problem in again:
        assert problem.y.tolist() == [*before, *(truth[row] for row in sorted(rows))]
        assert problem.rows["pool"] == 1  # the one that somebody is unsure of
    table = pd.read_csv(written["labels"])
    assert table["topics"][40:].tolist().count("news;sport") >= 2
    assert list(pd.read_parquet(written["parquet"])) == list(table)


def test_a_separator_alone_lets_rows_have_several_classes(opened, tmp_path):
    trainer, told, setup, truth = opened()
    frame = pd.read_csv(setup.train)
    frame["topics"] = frame["topics"].str.partition(";")[0]
    frame.to_csv(setup.train, index=False)
    trainer = AppTrainer(setup, told.__setitem__)
    assert trainer.opened()["several"]
    rows = [row for row, labels in enumerate(truth) if len(labels) == 2][:3]
    trainer.choose(["naive-bayes"], "auto", [(row, truth[row], None, 1) for row in rows], following(rows))
    assert told["result"]["ceiling"] == 43 / 46
    trainer.save([(row, truth[row], None, 1) for row in rows])
    assert read_problem(told["saved"]["files"]["parquet"], "topics").y.tolist()[-3:] == [("news", "sport")] * 3


def test_the_final_command_reads_lists_where_there_is_no_separator(tmp_path):
    setup = Setup("train.parquet", "topics", tmp_path)
    setup = Setup("t", "topics", tmp_path, final=("select", str(setup.places["labels"]), "--label", "topics"))
    assert setup.final_command(lists=False)[1].endswith("labeled.csv")
    assert setup.final_command(lists=True)[1].endswith("labeled.parquet")


def test_numbers_are_classes_too(opened, tmp_path):
    trainer, told, setup, truth = opened("parquet")
    frame = pd.read_parquet(setup.train)
    frame["topics"] = [[{"news": 1, "sport": 20}[each] for each in labels] for labels in frame["topics"]]
    frame.to_parquet(setup.train, index=False)
    trainer = AppTrainer(setup, told.__setitem__)
    assert (trainer.opened()["labels"], trainer.opened()["open"]) == ([1, 20], False)
    trainer.save([(0, (1, 20), None, 1)])
    assert pd.read_parquet(told["saved"]["files"]["parquet"])["topics"].tolist()[-1].tolist() == [1, 20]
    assert np.all(pd.read_csv(told["saved"]["files"]["labels"])["topics"].str.split(";").str[-1].isin(["1", "20"]))
