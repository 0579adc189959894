"""Search, the target after a restart, hints, rows shown again and "done", in a real browser: wide and as on a phone."""

import json
import threading

import pytest
from helpers.app_page import ask, click, current, is_whole, journal, press, saved, shoot, text_of, until
from helpers.app_server import app_server, write_files
from helpers.browser import NEEDS_BROWSER

import foldless

pytestmark = [NEEDS_BROWSER, pytest.mark.slow]
FILES = ("train.csv", "--label", "label", "--unlabeled", "pool.csv")
OPTIONS = (*FILES, "--model", "naive-bayes", "--grid", "alpha=0.1,1")
WIDTHS = pytest.mark.parametrize("width", [1280, 390])


@WIDTHS
def test_a_row_is_found_by_its_words_picked_and_labeled(browser, tmp_path, width):
    write_files(tmp_path)
    with app_server(*OPTIONS, "--batch", "8", cwd=tmp_path) as server:
        browser.open(server.address, width=width)
        of_batch = [entry["row"] for entry in until(browser, "sections.batch && sections.labels && sections.batch")]
        press(browser, "P")
        until(browser, "state.isSearchOpen && document.activeElement.id === 'search-words'")
        press(browser, "NUMBER")
        until(browser, "state.found && state.found.total === 52")  # all of 60 but those of the batch
        assert not set(of_batch) & {entry["row"] for entry in ask(browser, "state.found.rows")}
        shoot(browser, f"search-{width}")
        click(browser, "search-on")
        until(browser, "state.found.offset === 20")
        row = ask(browser, "state.found.rows[3].row")
        browser.run("document.querySelectorAll('#search-rows .pick')[3].click()")
        until(browser, f"state.currentEntry().row === {row}")
        assert "the estimate does not count a label of a picked row" in text_of(browser, "why")
        shoot(browser, f"search-picked-{width}")
        press(browser, "2")
        saved(browser)
        until(browser, "state.found.total === 51")
        assert current(browser) == of_batch[0]
        press(browser, "1")
        saved(browser)
        until(browser, "sections.labels.total === 2 && sections.labels.picked === 1")
        assert "all but 1 that was picked" in text_of(browser, "rests")
        press(browser, "P")
        assert not browser.run("return document.getElementById('search').checkVisibility()")
        is_whole(browser)
    picked, drawn = journal(tmp_path)
    assert (picked["row"], picked["label"], "batch" in picked) == (row, "spam", False)
    assert drawn["batch"] == 1


@WIDTHS
def test_the_target_is_there_after_a_restart_and_answers_say_what_was_in_view(browser, tmp_path, width):
    write_files(tmp_path)
    truth = json.loads((tmp_path / "truth.json").read_text())
    with app_server(*OPTIONS, "--batch", "12", cwd=tmp_path) as server:
        browser.open(server.address, width=width)
        for entry in until(browser, "sections.labels && sections.batch"):
            assert server.label(entry["row"], truth[entry["row"]])
        press(browser, "g")
        until(browser, "sections.rounds.length === 1 && !state.isRacing()", 120)
        press(browser, "T")
        browser.run(
            "document.getElementById('target-accuracy').value = 0.71;"
            "document.querySelector('#target-form button').click()"
        )
        until(browser, "sections.target.is_chosen")
    with app_server(*OPTIONS, "--batch", "12", cwd=tmp_path) as server:
        browser.open(server.address, width=width)
        until(browser, "sections.target && sections.target.is_chosen && sections.target.accuracy === 0.71")
        press(browser, "g")
        until(browser, "sections.rounds.length === 2 && !state.isRacing()", 120)
        assert "at least 0.71" in text_of(browser, "verdict-why")
        assert "opinion in view" not in text_of(browser, "rests")
        row = current(browser)
        press(browser, "V")
        click(browser, "words")
        press(browser, "V")
        until(browser, f"sections.hints.on.words && sections.hints.words[{row}]")
        until(browser, "document.querySelectorAll('#row mark').length > 0")
        press(browser, str(truth[row] + 1))
        saved(browser)
        until(browser, "sections.labels.hinted === 1")
        assert "1 of these was given with the model's opinion in view" in text_of(browser, "rests")
        press(browser, "g")
        until(browser, "sections.rounds.length === 3 && !state.isRacing()", 120)
        assert "It counts 1 label that was given with the model's opinion in view" in text_of(browser, "estimate-note")
        shoot(browser, f"hints-{width}")
        is_whole(browser)
    assert [entry["row"] for entry in journal(tmp_path) if entry.get("hints") == ["words"]] == [row]


@WIDTHS
def test_rows_are_shown_again_and_agreement_with_oneself_is_said(browser, tmp_path, width):
    write_files(tmp_path)
    truth = json.loads((tmp_path / "truth.json").read_text())
    with app_server(*OPTIONS, "--batch", "42", cwd=tmp_path) as server:
        browser.open(server.address, width=width)
        for entry in until(browser, "sections.labels && sections.batch"):
            assert server.label(entry["row"], truth[entry["row"]])
        until(browser, "sections.labels.total === 42 && document.getElementById('more').checkVisibility()")
        press(browser, "M")
        repeats = until(browser, "sections.batch.length === 21 && sections.batch.filter(e => e.repeat).map(e => e.row)")
        assert len(repeats) == 3
        for at in range(21):
            row = until(browser, "state.currentEntry() && [state.currentEntry().row]")[0]
            press(browser, str(truth[row] + 1 if row != repeats[0] else 2 - truth[row]))  # one otherwise than before
            until(browser, f"state.openEntries().length === {20 - at}")
        saved(browser)
        until(browser, "sections.labels.total === 60")  # the first labels count
        press(browser, "l")
        until(browser, "state.agreement && state.agreement.repeated === 3")
        assert "3 rows shown again: the same label in 0.67" in text_of(browser, "agreement")
        assert "this is the ceiling of the estimate" in text_of(browser, "agreement")
        shoot(browser, f"repeats-{width}")
        is_whole(browser)
    again = [entry for entry in journal(tmp_path) if entry.get("repeat")]
    assert sorted(entry["row"] for entry in again) == sorted(repeats)


@WIDTHS
def test_the_button_done_returns_the_labels_to_python(browser, tmp_path, width):
    texts, addresses, labels = [f"text {at} of {at % 2}" for at in range(30)], [], []
    ready = threading.Event()

    def show(address):
        addresses.append(address)
        ready.set()

    def work():
        labels.append(foldless.label(texts, classes=["a", "b"], folder=tmp_path / "f", shown=show, browse=None))

    waiting = threading.Thread(target=work)
    waiting.start()
    assert ready.wait(120)
    browser.open(addresses[0], width=width)
    rows = []
    for key in ("1", "2"):
        rows.append(current(browser))
        press(browser, key)
        saved(browser)
    assert browser.run("return document.getElementById('end').checkVisibility()")
    shoot(browser, f"done-{width}")
    press(browser, "E")
    waiting.join(60)
    assert not waiting.is_alive()
    assert dict(zip(labels[0]["row"], labels[0]["label"], strict=True)) == dict(zip(rows, ("a", "b"), strict=True))
    assert labels[0]["hints"].tolist() == ["", ""]
