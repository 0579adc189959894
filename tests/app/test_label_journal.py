"""Labels that are acknowledged are on the disk, and are there after any end."""

import json
import os
import threading

import pytest

from foldless.app import _label_journal as label_journal
from foldless.app._label_journal import LabelJournal
from foldless.errors import BadInput

ABOUT = {"label": "topic", "classes": ["a", "b"], "pool": "0f"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "labels.jsonl"


def again(journal):
    """The journal as the next process finds it."""
    journal.close()
    return LabelJournal(journal.path, ABOUT)


def test_entries_are_there_again_in_their_order(path):
    journal = LabelJournal(path, ABOUT)
    for entry in ({"row": 7, "label": "a"}, {"row": 2, "label": "b"}, {"row": 5, "skip": True}, {"round": {"n": 1}}):
        journal.append(entry)
    journal = again(journal)
    assert list(journal.labels.items()) == [(7, "a"), (2, "b")]
    assert (set(journal.answers.states), journal.answers.rounds) == ({5}, [{"n": 1}])


def test_the_last_label_of_a_row_counts_and_undo_takes_it_back(path):
    journal = LabelJournal(path, ABOUT)
    seen = []
    for entry in (
        {"label": "a"},
        {"label": "b"},
        {"undo": True},
        {"skip": True},
        {"undo": True},
        {"undo": True},
        {"undo": True},
    ):
        journal.append({"row": 1, **entry})
        seen.append("skipped" if 1 in journal.answers.states else journal.labels.get(1))
    assert seen == ["a", "b", "a", "skipped", "a", None, None]
    assert again(journal).labels == {}


def test_an_entry_is_on_the_disk_before_it_counts(path, monkeypatch):
    journal = LabelJournal(path, ABOUT)
    synced = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append((len(path.read_bytes()), dict(journal.labels))))
    journal.append({"row": 1, "label": "a"})
    assert synced == [(len(path.read_bytes()), {})]
    assert journal.labels == {1: "a"}


def test_a_line_that_a_power_failure_cut_is_left_out(path):
    journal = LabelJournal(path, ABOUT)
    journal.append({"row": 1, "label": "a"})
    journal.close()
    whole = path.read_bytes()
    for cut in range(1, len('{"row":2,"label":"b"}')):
        path.write_bytes(whole + b'{"row":2,"label":"b"}'[:cut])
        journal = LabelJournal(path, ABOUT)
        journal.append({"row": 3, "label": "b"})
        journal = again(journal)
        assert journal.labels == {1: "a", 3: "b"}, cut
        journal.close()


def test_a_full_disk_takes_nothing_and_spoils_nothing(path, monkeypatch):
    journal = LabelJournal(path, ABOUT)
    journal.append({"row": 1, "label": "a"})
    before, write = path.read_bytes(), os.write

    def full(file, content):
        write(file, content[:5])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space"):
            journal.append({"row": 2, "label": "b"})
    assert path.read_bytes() == before
    assert journal.labels == {1: "a"}
    journal.append({"row": 3, "label": "b"})
    assert again(journal).labels == {1: "a", 3: "b"}


@pytest.mark.skipif(os.name == "nt", reason="files are not locked there")
def test_two_processes_cannot_write_one_journal(path):
    journal = LabelJournal(path, ABOUT)
    with pytest.raises(BadInput, match="in use: stop the other foldless app"):
        LabelJournal(path, ABOUT)
    assert again(journal).labels == {}


def test_labels_of_other_rows_are_refused(path):
    LabelJournal(path, ABOUT).close()
    with pytest.raises(BadInput, match="labels of other rows"):
        LabelJournal(path, {**ABOUT, "pool": "00"})


@pytest.mark.parametrize("line", ["no json", "[1]", '{"row": "x", "label": "a"}', '{"label": "a"}'])
def test_a_damaged_line_is_named(path, line):
    LabelJournal(path, ABOUT).close()
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(BadInput, match=r"line 2 of .* is not an entry"):
        LabelJournal(path, ABOUT)


def test_another_file_is_left_alone(path):
    path.write_text(json.dumps({"row": 1}) + "\n")
    with pytest.raises(BadInput, match="is not a label journal"):
        LabelJournal(path, ABOUT)
    assert path.read_text() == json.dumps({"row": 1}) + "\n"


def test_threads_lose_no_label(path):
    journal = LabelJournal(path, ABOUT)

    def label(first):
        for row in range(first, 120, 4):
            journal.append({"row": row, "label": "a"})

    threads = [threading.Thread(target=label, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(again(journal).labels) == set(range(120))


def test_it_can_be_closed_twice_and_takes_nothing_then(path):
    journal = LabelJournal(path, ABOUT)
    journal.close()
    journal.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        journal.append({"row": 1, "label": "a"})
    assert journal.labels == {}


def test_only_its_owner_reads_it(path):
    LabelJournal(path, ABOUT).close()
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b'{"my":"only copy"}', b"first\nlast", b"\x00\xff", b"[" * 5000])
def test_a_file_of_another_program_is_not_changed_whatever_its_end(path, content):
    path.write_bytes(content)
    with pytest.raises(BadInput, match="is not a label journal"):
        LabelJournal(path, ABOUT)
    assert path.read_bytes() == content
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_torn_line_is_kept_beside_the_journal(path):
    journal = LabelJournal(path, ABOUT)
    journal.append({"row": 1, "label": "a"})
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"row":2,"la')
    LabelJournal(path, ABOUT).close()
    assert path.read_bytes() == whole
    assert path.with_name("labels.jsonl.torn-1").read_bytes() == b'{"row":2,"la'


def test_a_torn_header_of_ours_is_written_again(path):
    LabelJournal(path, ABOUT).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:9])
    LabelJournal(path, ABOUT).close()
    assert path.read_bytes() == whole


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be replaced there")
def test_a_journal_that_is_replaced_by_a_copy_loses_nothing(path):
    journal = LabelJournal(path, ABOUT)
    journal.append({"row": 1, "label": "a"})
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    journal.append({"row": 2, "label": "b"})
    os.replace(copy, path)
    journal.append({"row": 3, "label": "a"})
    with pytest.raises(BadInput, match="in use"):
        LabelJournal(path, ABOUT)
    assert again(journal).labels == {1: "a", 2: "b", 3: "a"}


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_a_journal_that_is_removed_is_written_again_and_says_when_it_cannot(path):
    folder = path.parent / "session"
    folder.mkdir()
    journal = LabelJournal(folder / path.name, ABOUT)
    journal.append({"row": 1, "label": "a"})
    journal.path.unlink()
    journal.append({"row": 2, "label": "b"})
    assert len(journal.path.read_bytes().splitlines()) == 3
    journal.path.unlink()
    folder.rmdir()
    with pytest.raises(FileNotFoundError):
        journal.append({"row": 3, "label": "a"})
    assert journal.labels == {1: "a", 2: "b"}
    folder.mkdir()
    journal.look()
    assert again(journal).labels == {1: "a", 2: "b"}


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be replaced there")
def test_a_file_of_other_rows_in_its_place_is_not_touched_and_ours_are_kept(path, monkeypatch):
    monkeypatch.setattr("foldless.app._label_journal.PATIENCE", 0.05)
    journal = LabelJournal(path, ABOUT)
    journal.append({"row": 1, "label": "a"})
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().replace(b'"0f"', b'"00"'))
    there, ours = other.read_bytes(), path.read_bytes()
    os.replace(other, path)
    for _ in range(2):
        with pytest.raises(BadInput, match=r"the labels so far are in .*labels\.jsonl\.kept-1"):
            journal.append({"row": 2, "label": "b"})
    assert (path.read_bytes(), path.with_name("labels.jsonl.kept-1").read_bytes()) == (there, ours)
    assert journal.labels == {1: "a"}


IN_PLACE, IN_ITS_PLACE = "changed in place", "another file in its place"


def edit(path, change, how):
    """Change the lines as an editor does."""
    lines = change([json.loads(line) for line in path.read_text().splitlines()])
    target = path if how == IN_PLACE else path.with_name("edited")
    target.write_text("".join(json.dumps(line) + "\n" for line in lines))
    if how == IN_ITS_PLACE:
        os.replace(target, path)


@pytest.fixture(params=[IN_PLACE, IN_ITS_PLACE])
def how(request):
    if os.name == "nt" and request.param == IN_ITS_PLACE:
        pytest.skip("an open file cannot be replaced there")
    return request.param


def test_lines_that_another_program_appends_are_read(path, how):
    journal = LabelJournal(path, ABOUT, 10)
    journal.append({"row": 1, "label": "a"})
    edit(path, lambda lines: [*lines, {"row": 2, "label": "b"}], how)
    assert journal.look()
    assert not journal.look()
    assert journal.labels == {1: "a", 2: "b"}
    journal.append({"row": 3, "label": "a"})
    assert again(journal).labels == {1: "a", 2: "b", 3: "a"}


def test_a_line_without_its_end_counts_if_it_is_whole(path):
    journal = LabelJournal(path, ABOUT)
    with path.open("a") as file:
        file.write(json.dumps({"row": 2, "label": "b"}))
    journal.append({"row": 3, "label": "a"})
    journal = again(journal)
    assert journal.labels == {2: "b", 3: "a"}
    journal.close()
    with path.open("a") as file:
        file.write(json.dumps({"row": 4, "label": "b"}))
    journal = LabelJournal(path, ABOUT)
    journal.append({"row": 5, "label": "a"})
    assert again(journal).labels == {2: "b", 3: "a", 4: "b", 5: "a"}


def test_a_label_that_another_program_changes_counts_as_it_is_there(path, how):
    journal = LabelJournal(path, ABOUT)
    for row in range(3):
        journal.append({"row": row, "label": "a", "at": f"2026-11-18T00:00:0{row}Z"})
    edit(path, lambda lines: [*lines[:3], {**lines[3], "label": "b"}], how)
    assert journal.look()
    assert journal.labels == {0: "a", 1: "a", 2: "b"}
    assert not journal.answers.disputed
    assert json.loads(path.with_name("labels.jsonl.kept-1").read_text())["label"] == "a"


def test_what_an_editor_saved_late_loses_no_label_of_meanwhile(path, how):
    journal = LabelJournal(path, ABOUT)
    for row in range(4):
        journal.append({"row": row, "label": "a", "at": f"2026-11-18T00:00:0{row}Z"})
    edit(path, lambda lines: [lines[0], {**lines[1], "label": "b"}, lines[2]], how)  # opened after two labels
    journal.append({"row": 4, "label": "a"})
    assert journal.labels == {0: "b", 1: "a", 2: "a", 3: "a", 4: "a"}
    journal = again(journal)
    assert (journal.labels, journal.answers.disputed) == ({0: "b", 1: "a", 2: "a", 3: "a", 4: "a"}, set())


def test_a_row_that_both_sides_label_is_disputed_until_it_is_settled(path, how):
    journal = LabelJournal(path, ABOUT)
    journal.append({"row": 0, "label": "a", "at": "2026-11-18T00:00:00Z"})
    before = path.read_bytes()
    number = journal.append({"row": 1, "label": "a", "at": "2026-11-18T00:00:01Z"}, "tab")
    path.write_bytes(before)
    edit(path, lambda lines: [*lines, {"row": 1, "label": "b"}], how)
    journal.look()
    assert (journal.labels, journal.answers.disputed) == ({0: "a"}, {1})
    assert [(each.by, each.label) for each in journal.answers.opinions(1)] == [("", "a"), ("another program", "b")]
    journal = again(journal)
    assert (journal.labels, journal.answers.disputed) == ({0: "a"}, {1})
    journal.append({"row": 1, "label": "b", "settles": True})
    assert again(journal).labels == {0: "a", 1: "b"}
    assert number == 2


def test_labels_that_another_program_takes_out_come_again(path, how):
    journal = LabelJournal(path, ABOUT)
    for row in range(4):
        journal.append({"row": row, "label": "a"})
    edit(path, lambda lines: [lines[0], lines[2], lines[4]], how)
    journal.append({"row": 4, "label": "a"})
    assert sorted(again(journal).labels) == [0, 1, 2, 3, 4]


def test_undo_knows_its_entry_after_a_change_of_the_file(path, how):
    journal = LabelJournal(path, ABOUT)
    first = journal.append({"row": 1, "label": "a", "at": "1"}, "tab")
    edit(path, lambda lines: [lines[0], {"row": 7, "label": "b"}, *lines[1:]], how)
    second = journal.append({"row": 2, "label": "a", "at": "2"}, "tab")
    journal.undo(2, second, "tab")
    journal.undo(1, first, "tab")
    assert journal.labels == {7: "b"}


def test_twenty_edits_while_two_label_lose_nothing(path, how, monkeypatch):
    monkeypatch.setattr(label_journal, "PATIENCE", 60.0)  # the editor, a thread of ours, may be paused in a write
    journal = LabelJournal(path, ABOUT)
    acknowledged, theirs, done = set(), set(), threading.Event()

    def label(first):
        row = first
        while not done.wait(0.002):
            journal.append({"row": row, "label": "a", "by": f"person {first}"})
            acknowledged.add(row)
            row += 2

    people = [threading.Thread(target=label, args=(first,), daemon=True) for first in range(2)]
    for person in people:
        person.start()
    for at in range(20):
        content = path.read_bytes()
        target, row = path if how == IN_PLACE else path.with_name("edited"), 1_000_000 + at
        line = json.dumps({"row": row, "label": "b"}).encode() + b"\n"
        target.write_bytes(content[: content.rfind(b"\n") + 1] + line)
        if how == IN_ITS_PLACE:
            os.replace(target, path)
        theirs.add(row)
        journal.look()
        assert row in journal.labels
    done.set()
    for person in people:
        person.join(60)
    labels = again(journal).labels
    assert acknowledged
    assert acknowledged - set(labels) == set()
    assert theirs - set(labels) == set()


def test_states_have_a_way_back_and_are_no_labels(path):
    journal = LabelJournal(path, ABOUT)
    journal.append({"row": 1, "label": "a"})
    for state in ("unsure", "none", "flag"):
        journal.append({"row": 1, "skip": True, "state": state, "note": "why"})
        assert (journal.labels, journal.answers.states) == ({}, {1: state})
    journal = again(journal)
    assert journal.answers.states == {1: "flag"}
    journal.append({"row": 1, "undo": True})
    assert journal.answers.states == {1: "none"}
    journal.append({"row": 1, "label": "b"})
    assert again(journal).labels == {1: "b"}


def test_a_journal_of_an_earlier_release_is_read(path):
    lines = [
        {"foldless labels": 1, **ABOUT}, {"row": 7, "label": "a", "p": 0.5, "batch": 1, "of": 2},
        {"row": 2, "skip": True}, {"row": 7, "label": "b", "p": 0.5, "batch": 1, "of": 2}, {"row": 7, "undo": True},
        {"round": {"labels": 3}},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    journal = LabelJournal(path, ABOUT, 10)
    assert (journal.labels, journal.answers.states, journal.answers.rounds) == ({7: "a"}, {2: "skip"}, [{"labels": 3}])
    assert journal.drawn() == [(7, "a", 0.25, 1)]


def test_undo_is_of_an_entry_that_the_tab_made_last(path):
    journal = LabelJournal(path, ABOUT)
    first = journal.append({"row": 1, "label": "a"}, "one")
    second = journal.append({"row": 1, "label": "b"}, "two")
    for number, tab in ((first, "one"), (second, "one"), (second, None), (-1, "two"), ([], "two")):
        with pytest.raises(BadInput, match="nothing is undone"):
            journal.undo(1, number, tab)
    journal.undo(1, second, "two")
    assert journal.labels == {1: "a"}
    journal.undo(1, first, "one")
    assert journal.labels == {}
    last = journal.append({"row": 1, "label": "b"}, "one")
    journal = again(journal)
    with pytest.raises(BadInput, match="nothing is undone"):
        journal.undo(1, last, "one")  # the page of another server


@pytest.mark.parametrize(
    "line",
    [
        b'{"row": 1, "label": "\xff"}',
        b'{"row": 1, "label": ' + b"[" * 3000 + b"]" * 3000 + b"}",
        b'{"row": 1, "label": ["a"]}',
        b'{"row": 1, "label": null}',
        b'{"row": 1, "label": 1e400}',
        b'{"row": 1, "label": "a", "p": 0.5, "batch": 1, "of": 0}',
        b'{"row": 1, "label": "a", "p": 2, "batch": 1, "of": 3}',
        b'{"row": 1, "label": "a", "p": 0.5, "batch": 1}',
        b'{"row": true, "label": "a"}',
        b'{"row": 100, "label": "a"}',
        b'{"row": -1, "undo": true}',
        b'{"row": 1, "undo": 0}',
        b'{"row": 1, "skip": true, "state": "other"}',
        b'{"row": 1, "label": "a", "by": 3}',
        b'{"row": 1, "label": "a", "settles": "yes"}',
        b'{"round": []}',
        b"",
    ],
)
def test_an_entry_that_no_page_makes_is_named_and_left(path, line):
    LabelJournal(path, ABOUT).close()
    content = path.read_bytes() + line + b"\n" + b"torn"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"line 2 of .* is not an entry"):
        LabelJournal(path, ABOUT, 100)
    assert path.read_bytes() == content
