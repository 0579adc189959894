"""What all pages share: labels, the race and the process that trains, here without that process."""

import json
import os
import threading
import time
from collections import Counter
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from foldless.app import _labeling_session as labeling_session
from foldless.app import _people_batches as people_batches
from foldless.app._label_review import Asked
from foldless.app._label_sections import beside_labels
from foldless.app._labeling_session import LabelingSession
from foldless.app.app_setup import Setup
from foldless.errors import BadInput

SHOWN = {
    "label": "topic", "rows": {"labeled": 10, "pool": 100, "test": 0}, "classes": ["a", "1"], "labels": ["a", 1],
    "open": False, "several": False, "separator": None,
    "columns": [], "about": [], "notes": [], "digest": "0f", "models": [{"name": "svc"}, {"name": "naive-bayes"}],
    "criteria": [{"name": "auto"}, {"name": "k_fold"}],
}  # fmt: skip
RESULT = {
    "estimate": {"value": 0.8, "lower": 0.7, "upper": 0.9, "confidence": 0.95, "assumes": []}, "labels": 12,
    "best": {"model": "svc", "params": "C=1"}, "test_accuracy": None, "given": 2,
}  # fmt: skip


class FakeProcess:
    """Remembers orders, and opens at once."""

    more: ClassVar[dict[str, Any]] = {}

    def __init__(self, setup, hear):
        self.hear, self.orders, self.starts = hear, [], 0

    def start(self):
        self.starts += 1
        self.hear("opened", {**SHOWN, **self.more, "labels": list({**SHOWN, **self.more}["labels"])})

    def order(self, name, **arguments):
        self.orders.append((name, arguments))

    def close(self):
        pass


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.setattr(labeling_session, "TrainingProcess", FakeProcess)
    opened = LabelingSession(Setup("train.csv", "topic", tmp_path / "work", models={"svc": None}))
    opened.start()
    opened.open()
    yield opened
    opened.close()


def shown(session, name):
    return json.loads(json.dumps(session.sections.since(0)["sections"][name]))


def test_labels_are_journaled_in_their_own_type_and_shown_by_number(session):
    number = session.label(5, 1, "tab")
    session.label(7, 0)
    session.skip(8)
    entries = [json.loads(line) for line in session.setup.places["journal"].read_text().splitlines()[1:]]
    assert all(datetime.fromisoformat(entry.pop("at")).tzinfo for entry in entries)
    assert entries == [{"row": 5, "label": 1}, {"row": 7, "label": "a"}, {"row": 8, "skip": True}]
    assert shown(session, "labels") == {
        "given": {"5": 1, "7": 0}, "skipped": [8], "latest": [[5, 1], [7, 0]], "counts": [1, 1], "repeated": [],
        "total": 2, "states": {"skip": 1}, "disputed": 0, "picked": 2, "hinted": 0,
    }  # fmt: skip
    session.undo(5, number, "tab")
    assert shown(session, "labels")["given"] == {"7": 0}


def test_another_session_goes_on_with_them(session):
    session.label(5, 1)
    session._hear("result", RESULT)
    session.close()
    again = LabelingSession(session.setup)
    again.start()
    again.open()
    assert shown(again, "labels")["given"] == {"5": 1}
    estimate = {"value": 0.8, "lower": 0.7, "upper": 0.9}
    assert shown(again, "rounds") == [{"labels": 12, "best": "svc C=1", "estimate": estimate, "test": None}]
    batch = ("batch", {"out": [5], "how": "valid", "number": 1, "first": False})
    assert again._training.orders[-2:] == [batch, ("look", {})]  # rows first
    again.close()


def test_hints_that_were_in_view_are_kept_and_counted(session):
    session._hear("batch", [{"row": row, "p": 0.3, "batch": 1, "of": 4} for row in range(4)])
    session.label(0, 1, hints=["words", "likely"])
    session.label(1, 0)
    session.skip(2, hints=["likely"])
    session.label(50, 1, hints=["likely"])  # picked: the estimate does not count it
    assert shown(session, "labels")["hinted"] == 1
    beside = beside_labels(session.journal.answers)
    assert {row: beside[row]["hints"] for row in beside} == {0: "likely, words", 1: "", 2: "likely", 50: "likely"}
    session.go_on(["svc"], "auto", "valid")
    assert session._training.orders[-1][1]["hinted"] == 1
    for wrong in ("likely", ["all"], [1], {"likely": True}):
        with pytest.raises(BadInput, match="hints are a list of likely, words"):
            session.label(3, 0, hints=wrong)
    session.close()
    again = LabelingSession(session.setup)
    again.start()
    again.open()
    assert shown(again, "labels")["hinted"] == 1
    again.close()


class SearchedProcess(FakeProcess):
    """Finds every row below 6 that it may."""

    def order(self, name, **arguments):
        super().order(name, **arguments)
        if name == "search":
            rows = [{"row": row, "texts": [["text", "x"]]} for row in range(6) if row not in arguments["out"]]
            self.hear("found", {"number": arguments["number"], "rows": rows, "total": len(rows), "offset": 0})


def test_rows_that_are_found_have_no_answer_and_are_not_of_a_batch(session):
    session._training = SearchedProcess(session.setup, session._hear)
    session._hear("batch", [{"row": row, "p": 0.3, "batch": 1, "of": 2} for row in (1, 3)])
    session.label(0, 1)
    session.skip(2)
    page = session.search("x")
    assert [entry["row"] for entry in page["rows"]] == [4, 5]
    assert (page["total"], page["words"]) == (2, "x")
    session.label(5, 1, picked=True)
    assert {row: p for row, _, p, _ in session.journal.drawn()} == {0: 0, 5: 0}
    assert 5 in session.review.cards


def test_a_row_that_was_drawn_in_a_batch_that_was_left_and_is_found_later_counts_as_picked(session):
    session._hear("batch", [{"row": row, "p": 0.4, "batch": 1, "of": 4} for row in range(4)])
    session.label(0, 1)
    session._hear("batch", [{"row": 50, "p": 0.4, "batch": 2, "of": 1}])
    session.label(3, 1, picked=True)
    assert {row: p for row, _, p, _ in session.journal.drawn()} == {0: pytest.approx(0.4 / 4), 3: 0}


def test_a_search_that_nobody_answers_is_said(session, monkeypatch):
    monkeypatch.setattr(session._searches, "wait", partial(session._searches.wait, seconds=0.01))
    with pytest.raises(BadInput, match="search again after the race"):
        session.search("x")
    session._hear("found", {"number": 1, "rows": [], "total": 0, "offset": 0})  # too late


def test_the_target_is_there_after_a_restart(session):
    assert not shown(session, "target")["is_chosen"]
    with pytest.raises(BadInput, match="between 0 and 1"):
        session.aim(2, 0.9, 5)
    session.aim(0.8, 0.9, 5)
    session.close()
    again = LabelingSession(session.setup)
    again.start()
    again.open()
    target = shown(again, "target")
    assert (target["accuracy"], target["confidence"], target["per_class"]) == (0.8, 0.9, 5)
    assert target["is_chosen"]
    again.close()


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"accuracy": 2, "confidence": 0.9, "per_class": 1}'])
def test_a_file_that_is_no_target_is_named_and_nothing_is_lost(session, content):
    session.label(5, 1)
    session.close()
    session.setup.places["target"].write_text(content)
    again = LabelingSession(session.setup)
    again.start()
    with pytest.raises(BadInput, match=r"target\.json is not a target: correct it, or delete it"):
        again.open()
    assert '"row":5' in session.setup.places["journal"].read_text()


@pytest.mark.parametrize("row", [-1, 100, "5", 5.0, None, True, [5]])
def test_rows_that_are_not_there_are_refused(session, row):
    for ask in (lambda: session.label(row, 0), lambda: session.skip(row), lambda: session.undo(row, 1, "tab")):
        with pytest.raises(BadInput, match="there is no row"):
            ask()
    assert len(session.setup.places["journal"].read_text().splitlines()) == 1


@pytest.mark.parametrize("code", [-1, 2, "a", None, True])
def test_classes_that_are_not_there_are_refused(session, code):
    with pytest.raises(BadInput, match="there is no class"):
        session.label(0, code)


def test_a_race_gets_all_labels_and_only_one_runs(session):
    session.label(5, 1)
    session.skip(9)
    session.go_on(["svc"], "k_fold", "valid")
    following = {"out": [5, 9], "how": "valid", "number": 2, "first": False}
    order = {"models": ["svc"], "criterion": "k_fold", "labels": [(5, 1, 0.0, 0)], "next_batch": following}
    assert session._training.orders[-1] == ("choose", {**order, "hinted": 0})
    with pytest.raises(BadInput, match="a race is running"):
        session.go_on(["svc"], "auto", "leaders")
    session.label(6, 0)  # while it runs
    session._hear("result", RESULT)
    session._hear("done", "choose")
    session.go_on(["svc", "naive-bayes"], "auto", "leaders")
    assert [label[:2] for label in session._training.orders[-1][1]["labels"]] == [(5, 1), (6, "a")]


def test_a_label_knows_how_its_row_was_drawn(session):
    session.label(99, 0)  # while the batch is drawn
    batch = [{"row": row, "p": 0.3, "batch": 4, "of": 11} for row in (*range(10), 99)]
    session._hear("batch", batch)
    assert [(entry["row"], entry["of"]) for entry in shown(session, "batch")] == [(row, 10) for row in range(10)]
    session.label(0, 1)
    session.skip(1)
    session.label(2, 0)
    session.label(50, 0)  # in no batch
    session.label(0, 0)  # again
    found = {row: (p, number) for row, _, p, number in session.journal.drawn()}
    assert found == {0: (pytest.approx(0.3 * 3 / 10), 4), 2: (pytest.approx(0.3 * 3 / 10), 4), 50: (0, 0), 99: (0, 0)}
    session._hear("batch", [{"row": 70, "p": None, "batch": 5, "of": 1}])
    session.label(70, 1)
    assert {row: p for row, _, p, _ in session.journal.drawn()}[70] is None
    session.close()
    again = LabelingSession(session.setup)
    again.start()
    again.open()
    assert again.journal.drawn() == session.journal.drawn()
    assert dict(again._training.orders)["batch"]["number"] == 6
    again.close()


def test_a_row_that_was_picked_never_counts_as_drawn(session):
    session._hear("batch", [{"row": row, "p": 0.3, "batch": 4, "of": 5} for row in range(5)])
    session.label(0, 1)
    session.label(3, 1, picked=True)  # looked for, before its turn
    session.label(60, 1, picked=True)
    assert {row: p for row, _, p, _ in session.journal.drawn()} == {0: pytest.approx(0.3 / 5), 3: 0, 60: 0}
    session.label(0, 0, picked=True)  # changed when looking back: it was drawn
    assert {row: p for row, _, p, _ in session.journal.drawn()}[0] == pytest.approx(0.3 / 5)
    assert shown(session, "labels")["picked"] == 2
    for row in (1, 2):
        session.label(row, 1)
    assert {row: p for row, _, p, _ in session.journal.drawn()}[0] == pytest.approx(0.3 * 3 / 4)  # of those with a turn
    session.label(4, 1)
    assert {row: p for row, _, p, _ in session.journal.drawn()}[0] == pytest.approx(0.3)  # all that were drawn


@pytest.mark.parametrize("state", ["skip", "unsure", "none", "flag"])
def test_a_row_without_a_class_says_why_and_has_a_way_back(session, state):
    session.label(4, 1, "tab")
    number = session.skip(4, "tab", state, "two topics")
    assert (shown(session, "labels")["given"], shown(session, "labels")["states"]) == ({}, {state: 1})
    assert session.journal.drawn() == []
    (entry,) = session.look_back(Asked(state=state))["rows"]
    assert (entry["row"], entry["state"], entry["note"]) == (4, state, "two topics")
    session.undo(4, number, "tab")
    assert shown(session, "labels")["given"] == {"4": 1}


def test_other_states_and_long_notes_are_refused(session):
    with pytest.raises(BadInput, match="one of skip, unsure, none, flag"):
        session.skip(1, state="other")
    with pytest.raises(BadInput, match="a note is a text"):
        session.skip(1, state="flag", note="x" * 2001)
    with pytest.raises(BadInput, match="nobody differs about row 2"):
        session.settle(1, 0)


def test_what_another_program_writes_is_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(labeling_session, "TrainingProcess", FakeProcess)
    monkeypatch.setattr(labeling_session, "PULSE", 0.01)
    monkeypatch.setattr(FakeProcess, "more", {"labels": ["a", "b"], "open": True})
    opened = LabelingSession(Setup("train.csv", "topic", tmp_path / "work"))
    opened.start()
    opened.open()
    opened.label(1, 0)
    with opened.setup.places["journal"].open("a") as file:
        file.write('{"row": 2, "label": "new"}\n')
    end = time.monotonic() + 60

    def is_asked_for():
        return any(name == "cards" and given["rows"][-1:] == [2] for name, given in opened._training.orders)

    while "2" not in shown(opened, "labels")["given"] or not is_asked_for():
        assert time.monotonic() < end
        time.sleep(0.01)
    assert shown(opened, "problem")["classes"] == ["a", "b", "new"]
    opened.close()


@pytest.fixture
def three(tmp_path, monkeypatch):
    monkeypatch.setattr(labeling_session, "TrainingProcess", FakeProcess)
    setup = Setup(
        "train.csv", "topic", tmp_path / "work", models={"svc": None}, people=("anna", "ben", "cai"), overlap=0.5
    )
    opened = LabelingSession(setup)
    opened.start()
    opened.open()
    yield opened
    opened.close()


def section(session, name, person):
    return session.sections.since(0, person)["sections"][name]


def test_people_get_rows_of_their_own_and_some_of_others(three):
    three._hear("batch", [{"row": row, "p": 0.3, "batch": 4, "of": 60} for row in range(60)])
    rows = {name: [entry["row"] for entry in section(three, "batch", name)] for name in three.people}
    times = Counter(row for part in rows.values() for row in part)
    assert set(times) == set(range(60))
    assert 15 <= sum(n == 2 for n in times.values()) <= 45
    assert max(times.values()) == 2
    three.more("anna")
    name, order = three._training.orders[-1]
    assert set(order["out"]) == set(rows["ben"]) | set(rows["cai"])
    three._hear("batch", [{"row": 70, "p": 0.3, "batch": order["number"], "of": 1}])
    assert [entry["row"] for entry in section(three, "batch", "anna")] == [70]
    assert [entry["row"] for entry in section(three, "batch", "ben")] == rows["ben"]


def test_people_who_differ_wait_for_a_decision(three):
    for name, code in (("anna", 0), ("ben", 1)):
        three.label(5, code, "tab", by=name)
    three.label(6, 1, "tab", by="anna")
    assert [row for row, *_ in three.journal.drawn()] == [6]
    assert (section(three, "labels", "anna")["given"], section(three, "labels", "ben")["given"]) == (
        {5: 0, 6: 1},
        {5: 1},
    )
    (entry,) = three.look_back(Asked(state="disputed"))["rows"]
    assert [(each["by"], each["code"]) for each in entry["opinions"]] == [("anna", 0), ("ben", 1)]
    number = three.settle(5, 1, tab="tab", by="cai")
    assert {row: label for row, label, *_ in three.journal.drawn()} == {6: 1, 5: 1}
    three.undo(5, number, "tab", settles=True, by="cai")
    assert section(three, "labels", "cai")["disputed"] == 1
    three.settle(5, state="none", by="cai")
    assert three.look_back(Asked(state="none"))["total"] == 1


def test_rows_are_shown_again_between_others_and_keep_their_label(session):
    cards = [{"row": row, "texts": [("text", f"number {row}")], "cells": []} for row in range(60)]
    session._hear("batch", [{**card, "p": None, "batch": 4, "of": 60} for card in cards])
    for row in range(60):
        session.label(row, row % 2)
    session._hear("batch", [{"row": row, "p": None, "batch": 5, "of": 30} for row in range(60, 90)])
    again = [entry["row"] for entry in shown(session, "batch") if entry.get("repeat")]
    assert len(again) == 30 // people_batches.EVERY
    assert max(again) < 60 - people_batches.APART
    session.label(again[0], 1 - again[0] % 2, repeat=True)
    assert shown(session, "labels")["given"][str(again[0])] == again[0] % 2
    assert shown(session, "labels")["repeated"] == [again[0]]
    assert [(each.row, each.first != each.second) for each in session.journal.answers.repeats()] == [(again[0], True)]


def test_the_model_says_otherwise_only_after_the_key(session):
    why = "the leaders agree: a"
    session._hear("batch", [{"row": 1, "p": None, "batch": 4, "of": 1, "guess": "a", "why": why}])
    assert "guess" not in shown(session, "batch")[0]
    assert shown(session, "batch")[0]["why"] == "the leaders agree"
    session.label(1, 1)
    assert session.remark(1) == {"otherwise": "a"}
    session.label(1, 0)
    assert session.remark(1) == {}


def test_looking_back_searches_filters_and_cuts_pages(session):
    texts = ["red <b>apple</b>", "green apple", "red pear", "blue"]
    session._hear("batch", [
        {"row": row, "p": None, "batch": 1, "of": 4, "texts": [("text", text)], "cells": [("n", str(row))]}
        for row, text in enumerate(texts)
    ])  # fmt: skip
    for row, code in ((0, 0), (1, 1), (2, 0)):
        session.label(row, code)
    session.skip(3, state="unsure", note="What is this?")
    session._hear("doubts", {0: ("a", 0.9), 1: ("a", 0.2), 2: ("a", 0.4)})

    def rows(**asked):
        return [entry["row"] for entry in session.look_back(Asked(**asked))["rows"]]

    assert rows() == [3, 2, 1, 0]
    assert rows(order="oldest") == [0, 1, 2, 3]
    assert rows(order="unlikely") == [1, 2, 0, 3]
    assert (rows(words="apple RED"), rows(words="what"), rows(label=0)) == ([0], [3], [2, 0])
    assert (rows(state="otherwise"), rows(state="unsure"), rows(by="anna")) == ([1], [3], [])
    page = session.look_back(Asked(offset=2, limit=2))
    assert ([entry["row"] for entry in page["rows"]], page["total"], page["all"]) == ([1, 0], 4, 4)
    assert page["rows"][1]["beginning"] == "red <b>apple</b>\n0"
    assert rows(day=page["days"][0]) == [3, 2, 1, 0]
    assert rows(day="1999-01-01") == []


def test_looking_back_over_3000_labels_is_quick(session, monkeypatch):
    with session.journal.reading() as answers:
        for row in range(3000):
            answers.apply({"row": row, "label": "a", "at": "2026-11-18T00:00:00Z"})
    session.review.keep([{"row": row, "texts": [("text", "word " * 40)]} for row in range(3000)])

    def seconds():
        start = time.process_time()
        assert session.look_back(Asked(words="word"))["total"] == 3000
        return time.process_time() - start

    assert min(seconds() for _ in range(3)) < 2


def test_a_class_that_no_row_had_can_be_added(session, monkeypatch):
    with pytest.raises(BadInput, match="new classes need text labels"):
        session.new_class(3, "c")
    monkeypatch.setattr(FakeProcess, "more", {"labels": ["a", "b"], "open": True})
    opened = LabelingSession(Setup("train.csv", "topic", session.setup.folder.with_name("other")))
    opened.start()
    opened.open()
    for name in ("", " ", None, 3, "x" * 201, "two\nlines"):
        with pytest.raises(BadInput, match="a class name is one line"):
            opened.new_class(3, name)
    opened.new_class(3, " c ")
    opened.new_class(4, "c")
    opened.new_class(5, "a")
    assert shown(opened, "problem")["classes"] == ["a", "b", "c"]
    assert shown(opened, "labels")["given"] == {"3": 2, "4": 2, "5": 0}
    opened._hear("died", None)  # the process that follows has read the file only
    assert shown(opened, "labels")["given"] == {"3": 2, "4": 2, "5": 0}
    opened.label(6, 2)
    opened.close()
    again = LabelingSession(opened.setup)
    again.start()
    again.open()
    assert shown(again, "problem")["classes"] == ["a", "b", "c"]
    assert [label[:2] for label in again.journal.drawn()] == [(3, "c"), (4, "c"), (5, "a"), (6, "c")]
    again.close()


def test_rows_are_chosen_in_known_ways_only(session):
    with pytest.raises(BadInput, match="rows are chosen by one of leaders, valid, random"):
        session.go_on(["svc"], "auto", "others")


@pytest.mark.parametrize("models", [[], ["other"], "svc", None, [["svc"]]])
def test_a_race_needs_known_models(session, models):
    with pytest.raises(BadInput, match="no model is ticked"):
        session.go_on(models, "auto", "leaders")


def test_a_race_needs_a_known_criterion(session):
    with pytest.raises(BadInput, match="there is no criterion"):
        session.go_on(["svc"], "import os", "leaders")


def test_a_process_that_dies_is_replaced_a_few_times(session):
    session.go_on(["svc"], "auto", "leaders")
    session._hear("died", None)
    assert "process died" in shown(session, "work")["problem"]
    assert session._training.starts == 2
    assert session._training.orders[-1][0] == "batch"
    for _ in range(10):
        session._hear("busy", "batch")  # one that dies of its first order would be started for ever
        session._hear("died", None)
    assert session._training.starts == 1 + labeling_session.MOST_DEATHS


def test_a_disk_that_is_full_does_not_hide_a_result(session, monkeypatch):
    monkeypatch.setattr(session.journal, "append", lambda *entry: (_ for _ in ()).throw(OSError(28, "full")))
    session._hear("result", RESULT)
    assert shown(session, "result") == RESULT
    with pytest.raises(OSError, match="full"):
        session.label(3, 0)
    assert shown(session, "labels")["given"] == {}


def test_what_the_files_do_not_allow_is_raised(tmp_path, monkeypatch):
    class Refusing(FakeProcess):
        def start(self):
            self.hear("refused", BadInput("no such column"))

    monkeypatch.setattr(labeling_session, "TrainingProcess", Refusing)
    session = LabelingSession(Setup("train.csv", "topic", tmp_path / "work"))
    session.start()
    with pytest.raises(BadInput, match="no such column"):
        session.open()
    assert list(Path(tmp_path).iterdir()) == []


def test_pages_that_label_at_once_lose_no_label(session):
    def page(first):
        for row in range(first, 100, 4):
            session.label(row, row % 2)

    threads = [threading.Thread(target=page, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shown(session, "labels")["given"] == {str(row): row % 2 for row in range(100)}


@pytest.mark.parametrize("name", ["labeled.csv", "model.skops", "report.html"])
def test_a_file_that_is_read_is_not_written_over(tmp_path, monkeypatch, name):
    monkeypatch.setattr(labeling_session, "TrainingProcess", FakeProcess)
    (tmp_path / name).write_text("mine")
    for setup in (
        Setup(str(tmp_path / name), "topic", tmp_path),
        Setup("train.csv", "topic", tmp_path, reading={"unlabeled": str(tmp_path / name)}),
        Setup("train.csv", "topic", tmp_path),
    ):
        opened = LabelingSession(setup)
        opened.start()
        with pytest.raises(BadInput, match="name another folder"):
            opened.open()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine")]


def test_a_journal_that_cannot_be_followed_is_shown_without_an_order(tmp_path, monkeypatch):
    monkeypatch.setattr(labeling_session, "TrainingProcess", FakeProcess)
    monkeypatch.setattr(labeling_session, "PULSE", 0.01)
    opened = LabelingSession(Setup("train.csv", "topic", tmp_path / "work"))
    opened.start()
    opened.open()
    opened.label(1, 0)
    moved = (tmp_path / "work").rename(tmp_path / "moved")

    def problem_becomes(wanted):
        end = time.monotonic() + 60
        while wanted not in str(shown(opened, "work")["problem"]):
            assert time.monotonic() < end
            time.sleep(0.01)

    problem_becomes("cannot be written")
    moved.rename(tmp_path / "work")
    problem_becomes("None")
    opened.close()


@pytest.mark.skipif(os.name == "nt", reason="modes are other ones there")
def test_only_its_owner_looks_into_the_folder(session):
    assert session.setup.folder.stat().st_mode & 0o777 == 0o700


def test_rows_with_several_classes_are_said_settled_and_remarked_on_as_sets(tmp_path, monkeypatch):
    monkeypatch.setattr(labeling_session, "TrainingProcess", FakeProcess)
    several = {"labels": ["a", "b"], "open": True, "several": True, "separator": ";"}
    monkeypatch.setattr(FakeProcess, "more", several)
    session = LabelingSession(Setup("train.csv", "topic", tmp_path / "work", people=("anna", "ben")))
    session.start()
    session.open()
    session.label(1, [1, 0], by="anna")
    session.label(1, [0], by="ben")
    session.label(2, [1], names=["c", "a"], by="anna")
    assert shown(session, "problem")["classes"] == ["a", "b", "c"]
    assert session.journal.labels == {2: ("a", "b", "c")}
    session.settle(1, code=[0, 1], by="ben")
    assert session.journal.labels[1] == ("a", "b")
    session.review.guesses = {1: "b", 2: "d"}
    assert session.remark(1, "anna") == {}
    assert session.remark(1, "ben") == {"otherwise": "b"}
    assert session.remark(2, "anna") == {"otherwise": "d"}
    for wrong in ({"code": 1}, {"code": []}, {"code": [0, 0]}, {"code": [7]}, {"code": [0], "names": ["x;y"]}):
        with pytest.raises(BadInput):
            session.label(3, **wrong)
    assert 3 not in session.journal.labels
    session.close()
