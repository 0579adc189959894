"""Looking back, states, undo and redo, people, and the final model, in a real browser: wide and as on a phone."""

import json
import time

import pandas as pd
import pytest
from helpers import app_page
from helpers.app_page import ask, click, current, journal, press, saved, shoot, text_of, until
from helpers.app_server import app_server, write_files
from helpers.browser import NEEDS_BROWSER

pytestmark = [NEEDS_BROWSER, pytest.mark.slow]
EVIL = "<img src=x onerror='window.pwned=1'>"
FILES = ("train.csv", "--label", "label", "--unlabeled", "pool.csv")
OPTIONS = (*FILES, "--model", "naive-bayes", "--grid", "alpha=0.1,1", "--batch", "12")


@pytest.fixture
def folder(tmp_path):
    write_files(tmp_path)
    pool = pd.read_csv(tmp_path / "pool.csv")
    pool["text"] = pool["text"] + f" {EVIL}"
    pool.to_csv(tmp_path / "pool.csv", index=False)
    return tmp_path


def choose(browser, element, value):
    browser.run(
        "const e = document.getElementById(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('input'))",
        element, value,
    )  # fmt: skip


def is_whole(browser):
    """Nothing of a file became HTML either."""
    app_page.is_whole(browser)
    assert browser.run("return document.querySelectorAll('img, iframe, object').length") == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_undo_names_what_it_takes_back_and_redo_brings_it_back(browser, folder, width):
    with app_server(*OPTIONS, cwd=folder) as server:
        browser.open(server.address, width=width)
        first = current(browser)
        assert browser.run("return document.getElementById('undo').disabled")
        press(browser, "1")
        second = current(browser)
        press(browser, "2")
        saved(browser)
        assert text_of(browser, "undo-what") == f" row {second + 1}: spam"
        press(browser, "u")
        until(browser, f"state.currentEntry().row === {second}")
        saved(browser)
        assert text_of(browser, "undo-what") == f" row {first + 1}: ham"
        assert text_of(browser, "redo-what") == f" row {second + 1}: spam"
        press(browser, "r")
        until(browser, f"state.labelOf({second}) === 1")
        saved(browser)
        press(browser, "u")
        press(browser, "u")
        press(browser, "u")  # there is nothing more of this page
        saved(browser)
        assert until(browser, "Object.keys(sections.labels.given).length === 0")
        press(browser, "r")
        press(browser, "r")
        saved(browser)
        assert until(browser, f"sections.labels.given[{first}] === 0 && sections.labels.given[{second}] === 1")
        browser.driver.refresh()
        until(browser, "Boolean(sections.labels)")
        press(browser, "u")  # labels of before this page was opened
        time.sleep(0.3)
        assert ask(browser, "Object.keys(sections.labels.given).length") == 2
        assert ask(browser, "state.canUndo()") is False
        is_whole(browser)


@pytest.mark.parametrize("width", [1280, 390])
def test_rows_without_a_class_are_kept_shown_and_given_one_later(browser, folder, width):
    with app_server(*OPTIONS, cwd=folder) as server:
        browser.open(server.address, width=width)
        rows = {}
        for state, key in (("skip", "s"), ("unsure", "q"), ("none", "x")):
            rows[state] = current(browser)
            press(browser, key)
            saved(browser)
        rows["flag"] = current(browser)
        press(browser, "f")
        until(browser, "state.isNoting")
        press(browser, f"two topics {EVIL}")
        shoot(browser, f"flag-{width}")
        from selenium.webdriver.common.keys import Keys

        press(browser, Keys.ENTER)
        until(browser, "sections.labels.states.flag === 1")
        rows["label"] = current(browser)
        press(browser, "1")
        saved(browser)
        assert {entry["row"]: entry.get("state", "skip") for entry in journal(folder) if "skip" in entry} == {
            rows[state]: state for state in ("skip", "unsure", "none", "flag")
        }
        assert "4 rows without a class count for neither" in text_of(browser, "rests")
        click(browser, "look-back")
        until(browser, "state.review && state.review.total === 5")
        shoot(browser, f"review-{width}")
        choose(browser, "review-state", "flag")
        until(browser, "state.review.total === 1")
        assert f"note: two topics {EVIL}" in text_of(browser, "review-rows")
        browser.run("document.querySelector('#review-rows .pick').click()")
        until(browser, f"state.currentEntry().row === {rows['flag']}")
        press(browser, "2")
        until(browser, f"sections.labels.given[{rows['flag']}] === 1")
        until(browser, "state.review.total === 0")
        assert journal(folder)[-1]["label"] == "spam"
        assert current(browser) not in rows.values()
        is_whole(browser)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_model_says_otherwise_after_the_key_and_unlikely_labels_come_first(browser, folder, width):
    truth = json.loads((folder / "truth.json").read_text())
    with app_server(*OPTIONS, cwd=folder) as server:
        browser.open(server.address, width=width)
        wrong = current(browser)
        for at in range(8):
            row = current(browser)
            press(browser, str((truth[row] if at else 1 - truth[row]) + 1))
            saved(browser)
        press(browser, "g")
        until(browser, "sections.rounds.length === 1 && !state.isRacing() && state.openEntries().length > 0")
        row = current(browser)
        assert "otherwise" not in browser.run("return document.body.textContent.toLowerCase()").replace(
            "the model says otherwise", ""
        )
        n_labels = 8
        while not ask(browser, "state.remark"):  # the model may be wrong about some rows
            row = current(browser)
            assert not text_of(browser, "why").endswith(("ham", "spam"))  # the leaders keep it to themselves
            press(browser, str(2 - truth[row]))
            saved(browser)
            n_labels += 1
            assert n_labels < 14
        answer = ["ham", "spam"][truth[row]]
        assert text_of(browser, "remark") == f"The model says otherwise about row {row + 1}: {answer}."
        press(browser, "l")
        until(browser, f"state.review && state.review.total === {n_labels}")
        until(browser, "state.review.rows[0].likely !== null || state.review.rows[0].otherwise !== null")
        assert wrong in ask(browser, "state.review.rows.slice(0, 2).map((each) => each.row)")
        shoot(browser, f"unlikely-{width}")
        choose(browser, "review-state", "otherwise")
        until(browser, f"state.review.total < {n_labels}")
        choose(browser, "review-words", "no such word")
        until(browser, "state.review.total === 0")
        is_whole(browser)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_row_that_another_program_labels_otherwise_is_decided_on_the_page(browser, folder, width):
    with app_server(*OPTIONS, cwd=folder) as server:
        browser.open(server.address, width=width)
        first = current(browser)
        press(browser, "1")
        saved(browser)
        place = folder / "train.foldless" / "labels.jsonl"
        before = place.read_bytes()
        second = current(browser)
        press(browser, "1")
        saved(browser)
        edited = [*before.splitlines(), json.dumps({"row": second, "label": "spam"}).encode()]
        place.write_bytes(b"\n".join(edited) + b"\n")  # an editor that was opened before the second label
        until(browser, "sections.labels.disputed === 1")
        assert "1 row on which people differ waits for a decision" in text_of(browser, "rests")
        press(browser, "l")
        until(browser, "state.review && state.review.total === 2")
        choose(browser, "review-state", "disputed")
        until(browser, "state.review.total === 1")
        shoot(browser, f"disputed-{width}")
        browser.run(
            "[...document.querySelectorAll('button[name=settle]')].find(e => /spam/.test(e.textContent)).click()"
        )
        until(browser, f"sections.labels.disputed === 0 && sections.labels.given[{second}] === 1")
        assert ask(browser, f"sections.labels.given[{first}]") == 0
        is_whole(browser)


def test_people_have_links_of_their_own_and_differ(browser, folder):
    with app_server(*OPTIONS, "--people", "anna,ben", "--overlap", "1", cwd=folder) as server:
        for name, key in (("anna", "1"), ("ben", "2")):
            browser.driver.delete_all_cookies()
            browser.open(server.addresses[name])
            until(browser, f"sections.me === '{name}' && Boolean(state.currentEntry())")
            assert name in text_of(browser, "me")
            for _ in range(3):
                current(browser)
                press(browser, key)
                saved(browser)
        entries = journal(folder)
        assert {entry["by"] for entry in entries} == {"anna", "ben"}
        until(browser, "Object.keys(sections.labels.given).length === 3")
        press(browser, "l")
        until(browser, "state.review && state.agreement")
        shoot(browser, "people")
        choose(browser, "review-by", "anna")
        until(browser, "state.review.total === 3")
        choose(browser, "review-by", "")
        choose(browser, "review-state", "disputed")
        n = until(
            browser, "state.review.total > 0 && state.review.total === sections.labels.disputed && state.review.total"
        )
        browser.run("document.querySelector('button[name=settle]').click()")
        until(browser, f"sections.labels.disputed === {n - 1}")
        is_whole(browser)


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 390])
def test_the_final_model_is_trained_with_one_click(browser, folder, width):
    truth = json.loads((folder / "truth.json").read_text())
    with app_server(*OPTIONS, cwd=folder) as server:
        browser.open(server.address, width=width)
        for _ in range(4):
            row = current(browser)
            press(browser, str(truth[row] + 1))
            saved(browser)
        browser.run("document.getElementById('final').open = true")
        assert "foldless select" in text_of(browser, "command")
        click(browser, "train-final")
        until(browser, "Boolean(sections.final)", 600)
        shoot(browser, f"final-{width}")
        lines = browser.run("return document.getElementById('final-said').innerText").splitlines()
        assert [line.split()[0] for line in lines if line][:2] == ["Chosen", "Accuracy"]  # each on a line of its own
        for what in ("labels", "parquet", "jsonl", "model", "report", "predictions"):
            assert server.ask(f"/download/{what}", raw=True)[0] == 200, what
        is_whole(browser)
    written = pd.read_csv(folder / "train.foldless" / "labeled.csv")
    assert written["foldless_at"].notna().sum() == 4
    assert len(pd.read_csv(folder / "train.foldless" / "predictions.csv")) == 60  # those with a label too
