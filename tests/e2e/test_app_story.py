"""The page in a real browser, from start to saved model: wide and narrow, with hostile files, in two tabs."""

import json

import pandas as pd
import pytest
from helpers.app_page import ask, click, press, text_of, until
from helpers.app_server import app_server, write_files
from helpers.browser import NEEDS_BROWSER

from foldless.saving import load

pytestmark = [NEEDS_BROWSER, pytest.mark.slow]
EVIL = "<img src=x onerror='window.pwned=1'><script>window.pwned=1</script>"
CLASSES = (f"ham {EVIL}", "spam & </script>\u202e")
FILES = ("train.csv", "--label", "label", "--unlabeled", "pool.csv")
OPTIONS = (*FILES, "--model", "naive-bayes", "--grid", "alpha=0.1,1", "--batch", "6")


@pytest.fixture
def folder(tmp_path):
    write_files(tmp_path, column=EVIL, classes=CLASSES)
    pool = pd.read_csv(tmp_path / "pool.csv")
    pool[EVIL] = pool[EVIL] + " " + EVIL
    pool.to_csv(tmp_path / "pool.csv", index=False)
    return tmp_path


def label_batch(browser, truth, n):
    """Label rows with the keyboard, as they are shown."""
    for _ in range(n):
        row = until(browser, "state.currentEntry() && [state.currentEntry().row]")[0]
        press(browser, str(truth[row] + 1))
        until(browser, f"state.labelOf({row}) === {truth[row]}")
    until(browser, "state.unanswered === 0")


def story(browser, folder, width, rounds=1, whole=True):
    truth = json.loads((folder / "truth.json").read_text())
    with app_server(*OPTIONS, cwd=folder) as server:
        browser.open(server.address, width=width)
        until(browser, "Boolean(state.currentEntry())")
        assert browser.run("return location.search") == ""  # the token has left the address
        for at in range(1, rounds):  # the first rows are drawn at random, the next are those that leaders dispute
            press(browser, "g")
            until(browser, f"sections.rounds.length === {at} && !state.isRacing() && state.openEntries().length === 6")
        label_batch(browser, truth, 4)
        press(browser, "s")
        until(browser, "sections.labels.skipped.length === 1")
        press(browser, "u")
        until(browser, "sections.labels.skipped.length === 0")
        assert "4 labels saved" in text_of(browser, "status")
        other = browser.driver.current_window_handle
        browser.driver.switch_to.new_window("tab")
        browser.driver.get(f"http://127.0.0.1:{server.port}/")
        until(browser, "Boolean(state.currentEntry()) && Object.keys(sections.labels.given).length === 4")
        label_batch(browser, truth, 1)
        browser.driver.close()
        browser.driver.switch_to.window(other)
        until(browser, "Object.keys(sections.labels.given).length === 5")
        label_batch(browser, truth, 1)
        press(browser, "g")
        until(browser, f"sections.rounds.length === {rounds} && !state.isRacing()")
        if whole:
            click(browser, "save")
            until(browser, "Boolean(sections.saved && sections.saved.files.report)")
        assert browser.overflow() == 0
        assert browser.run("return typeof window.pwned") == "undefined"
        assert browser.run("return document.querySelectorAll('img, iframe, object').length") == 0
        assert browser.run("return document.scripts.length") == 1
        assert all(EVIL in text_of(browser, element) for element in ("row", "classes", "columns"))
        assert browser.console() == []
        assert {url.split("/")[2] for url in browser.requests() if url.startswith("http")} == {
            f"127.0.0.1:{server.port}"
        }
        assert [url for url in browser.requests() if not url.startswith(("http", "data:"))] == []
        given = {int(row): code for row, code in ask(browser, "sections.labels.given").items()}
        ended = server.end()
    assert given == {row: truth[row] for row in given}
    assert len(given) == 6
    assert "The labels are saved in" in ended
    return given


def test_labels_of_two_tabs_are_saved_and_race(browser, folder):
    given = story(browser, folder, 1280, whole=False)
    journal = (folder / "train.foldless" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in journal[1:]]
    assert {entry["row"]: entry["label"] for entry in entries if "label" in entry} == {
        row: CLASSES[code] for row, code in given.items()
    }


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 390])
def test_from_start_to_saved_model(browser, folder, width):
    given = story(browser, folder, width, rounds=3)
    work = folder / "train.foldless"
    labels = {"labels.jsonl", "labeled.csv", "labeled.parquet", "labeled.jsonl"}
    assert {path.name for path in work.iterdir()} == {*labels, "model.skops", "report.html"}
    written = pd.read_csv(work / "labeled.csv")
    assert written["label"].tolist()[24:] == [CLASSES[given[row]] for row in sorted(given)]
    assert set(load(work / "model.skops").classes) == set(CLASSES)


@pytest.mark.nightly
def test_the_report_opens_without_the_rights_of_the_page(browser, folder):
    story(browser, folder, 1280)
    with app_server(*OPTIONS, cwd=folder) as server:
        status, text = server.ask("/report")
        assert status == 200
        assert "was chosen" in text
        browser.open(server.address)
        until(browser, "Boolean(sections.problem)")
        browser.driver.get(f"http://127.0.0.1:{server.port}/report")
        assert browser.run("return window.origin") == "null"
        assert browser.run("return typeof window.pwned") == "undefined"


@pytest.mark.nightly
def test_many_classes_are_filtered_by_typing(browser, tmp_path):
    names = tuple(f"{word} {at}" for at in range(4) for word in ("sport", "money", "arts", "under", "zebra"))
    rng_codes = list(range(20)) * 5
    rows = [
        {"text": f"word{code} of class {code} again {at}", "label": names[code]} for at, code in enumerate(rng_codes)
    ]
    frame = pd.DataFrame(rows)
    frame[:60].to_csv(tmp_path / "train.csv", index=False)
    frame[60:].drop(columns="label").to_csv(tmp_path / "pool.csv", index=False)
    with app_server(*OPTIONS, cwd=tmp_path) as server:
        browser.open(server.address)
        until(browser, "Boolean(state.currentEntry())")
        for typed, expected in (("zebra 2", "zebra 2"), ("/sport 3", "sport 3"), ("/under 0", "under 0")):
            row = ask(browser, "state.currentEntry().row")
            for letter in typed:  # digits too, as names go on with them
                press(browser, letter)
            assert ask(browser, "classes.matchingClasses().map(each => each.name)") == [expected]
            press(browser, "\ue007")
            until(browser, f"sections.labels.given[{row}] !== undefined")
            code = ask(browser, f"sections.labels.given[{row}]")
            assert ask(browser, "sections.problem.classes")[code] == expected
        press(browser, "u")
        until(browser, "Object.keys(sections.labels.given).length === 2")
        press(browser, "s")
        until(browser, "sections.labels.skipped.length === 1")
        press(browser, "m")
        press(browser, "o")
        press(browser, "\ue007")  # Enter takes the first
        until(browser, "Object.keys(sections.labels.given).length === 3")
        row = ask(browser, "state.currentEntry().row")
        for key in ("n", *"sugar <b>7", "\ue007"):
            press(browser, key)
        until(browser, f"sections.labels.given[{row}] === 20 && sections.problem.classes[20] === 'sugar <b>7'")
        assert browser.console() == []


LATE = """
const asked = window.fetch;
let n = 0;
window.fetch = async (address, options) => {
  const answer = await asked(address, options);
  if (address.startsWith("/state") && n++ % 2) await new Promise((go) => setTimeout(go, 400));
  return answer;
};
"""


@pytest.mark.nightly
def test_late_answers_show_no_row_again(browser, folder):
    truth = json.loads((folder / "truth.json").read_text())
    with app_server(*OPTIONS[:-1], "30", cwd=folder) as server:
        browser.open(server.address)
        until(browser, "Boolean(state.currentEntry())")
        browser.run(LATE)
        rows = []
        for _ in range(30):
            rows.append(until(browser, "state.currentEntry() && [state.currentEntry().row]")[0])
            press(browser, str(truth[rows[-1]] + 1))
        assert len(set(rows)) == 30
        until(browser, "state.unanswered === 0 && Object.keys(sections.labels.given).length === 30")


@pytest.mark.nightly
def test_a_race_can_be_stopped(browser, tmp_path):
    write_files(tmp_path, n_pool=3000)
    files = ("train.csv", "--label", "label", "--unlabeled", "pool.csv", "--model", "random-forest,naive-bayes")
    with app_server(*files, cwd=tmp_path) as server:
        browser.open(server.address)
        until(browser, "Boolean(state.currentEntry())")
        press(browser, "g")
        until(browser, "state.isRacing() && sections.race && sections.race.done > 5")
        click(browser, "stop")
        until(browser, "!state.isRacing() && sections.rounds.length === 1")
        assert "interrupted" in ask(browser, "sections.result.stopped")
        press(browser, "g")
        until(browser, "state.isRacing()")
