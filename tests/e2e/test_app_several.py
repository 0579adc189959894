"""Rows with several classes in a real browser: keys and clicks tick, Enter saves, wide and as on a phone."""

import pandas as pd
import pytest
from helpers.app_page import ask, click, current, is_whole, journal, press, saved, shoot, text_of, until
from helpers.app_server import app_server, write_topics
from helpers.browser import NEEDS_BROWSER
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

pytestmark = [NEEDS_BROWSER, pytest.mark.slow]
OPTIONS = ("train.csv", "--label", "topics", "--unlabeled", "pool.csv", "--label-separator", ";", "--model",
           "naive-bayes", "--grid", "alpha=0.1,1", "--batch", "12")  # fmt: skip
CODES = {"news": "1", "sport": "2"}


def ticked(browser):
    return ask(browser, "state.tickedNames()")


@pytest.mark.parametrize("width", [1280, 390])
def test_classes_are_ticked_saved_undone_and_changed(browser, tmp_path, width):
    write_topics(tmp_path)
    with app_server(*OPTIONS, cwd=tmp_path) as server:
        browser.open(server.address, width=width)
        first = current(browser)
        press(browser, Keys.ENTER)  # nothing is ticked
        press(browser, "2", "1")
        assert ticked(browser) == ["sport", "news"]
        assert current(browser) == first
        assert text_of(browser, "give-what") == ": sport, news"
        shoot(browser, f"several-{width}")
        press(browser, "2", "2")
        press(browser, Keys.ENTER)
        until(browser, f"state.currentEntry().row !== {first}")
        saved(browser)
        assert journal(tmp_path)[-1]["label"] == ["news", "sport"]
        until(browser, f"String(sections.labels.given[{first}]) === '0,1'")
        assert ticked(browser) == []

        second = current(browser)
        browser.driver.find_element(By.ID, "class-1").click()  # with a pointer
        assert ticked(browser) == ["sport"]
        press(browser, Keys.ENTER)  # which saves, and does not take the tick away
        until(browser, f"state.currentEntry().row !== {second}")
        saved(browser)
        assert text_of(browser, "undo-what") == f" row {second + 1}: sport"
        browser.driver.find_element(By.ID, "skip").click()
        saved(browser)
        third = current(browser)
        press(browser, "1", Keys.ENTER)  # the button that was clicked is not pressed again
        saved(browser)
        assert journal(tmp_path)[-1] | {"at": ""} == journal(tmp_path)[-1] | {"at": "", "row": third, "label": ["news"]}

        press(browser, "u")
        saved(browser)
        assert (current(browser), ticked(browser)) == (third, ["news"])
        press(browser, "r")
        until(browser, f"String(state.labelOf({third})) === '0'")
        saved(browser)
        press(browser, "u")
        saved(browser)
        press(browser, "2")
        click(browser, "give")
        saved(browser)
        assert journal(tmp_path)[-1]["label"] == ["news", "sport"]

        press(browser, "n")
        press(browser, "law", Keys.ENTER)
        assert ticked(browser) == ["law"]
        press(browser, "1")
        shoot(browser, f"several-new-{width}")
        press(browser, Keys.ENTER)
        until(browser, "sections.problem.classes.length === 3")
        saved(browser)
        assert journal(tmp_path)[-1]["label"] == ["news", "law"]

        press(browser, "l")
        until(browser, "state.review && state.review.total === 5")
        assert "news, sport" in text_of(browser, "review-rows")
        for code, total in ((1, 3), (2, 1), (0, 3)):
            browser.run(
                "const e = document.getElementById('review-class'); e.value = arguments[0];"
                "e.dispatchEvent(new Event('input'))",
                str(code),
            )
            until(browser, f"state.review.total === {total}")
        shoot(browser, f"several-review-{width}")
        browser.run(f"document.querySelector('#review-rows .pick[value=\"{first}\"]').click()")
        until(browser, f"state.currentEntry().row === {first}")
        assert ticked(browser) == ["news", "sport"]
        press(browser, "1", Keys.ENTER)
        saved(browser)
        until(browser, f"String(sections.labels.given[{first}]) === '1'")
        press(browser, "?")
        shoot(browser, f"several-help-{width}")
        press(browser, "?")
        is_whole(browser)
        click(browser, "save")
        until(browser, "Boolean(sections.saved)")
    written = pd.read_csv(tmp_path / "train.foldless" / "labeled.csv")
    assert {"news;sport", "sport", "law;news"} <= set(written["topics"][40:].dropna())
    lists = pd.read_parquet(tmp_path / "train.foldless" / "labeled.parquet")["topics"]
    assert [";".join(each) if each is not None else None for each in lists[40:]] == [
        None if pd.isna(each) else each for each in written["topics"][40:]
    ]


@pytest.mark.parametrize("width", [1280, 390])
def test_a_race_says_what_can_be_reached_and_the_model_says_otherwise(browser, tmp_path, width):
    truth = write_topics(tmp_path)
    with app_server(*OPTIONS, cwd=tmp_path) as server:
        browser.open(server.address, width=width)
        for _ in range(8):
            row = current(browser)
            press(browser, *(CODES[name] for name in truth[row]), Keys.ENTER)
            saved(browser)
        assert not ask(browser, "state.remark")
        press(browser, "g")
        until(browser, "sections.rounds.length === 1 && !state.isRacing() && state.openEntries().length > 0")
        assert "no model can reach more than" in text_of(browser, "estimate-note")
        for _ in range(8):
            row = current(browser)
            wrong = {"news", "sport"} - set(truth[row])
            press(browser, *(CODES[name] for name in wrong or truth[row]), Keys.ENTER)
            saved(browser)
            if wrong:
                break
            assert not ask(browser, "state.remark")  # the model's label is one of both
        until(browser, f"state.remark === 'The model says otherwise about row {row + 1}: {truth[row][0]}.'")
        shoot(browser, f"several-race-{width}")
        is_whole(browser)


@pytest.mark.parametrize("width", [1280, 390])
def test_many_classes_are_typed_one_after_the_other(browser, tmp_path, width):
    write_topics(tmp_path)
    train = pd.read_csv(tmp_path / "train.csv")
    names = [f"city{at:02} {name}" for at, name in enumerate(["Oslo", "Rome", "Paris", "Bonn"] * 5)]
    train["topics"] = [";".join(sorted({names[at % 20], names[(at + 3) % 20]})) for at in range(40)]
    train.to_csv(tmp_path / "train.csv", index=False)
    with app_server(*OPTIONS, cwd=tmp_path) as server:
        browser.open(server.address, width=width)
        first = current(browser)
        press(browser, "/")
        press(browser, "city03", Keys.ENTER, "city18", Keys.ENTER)
        assert ticked(browser) == ["city03 Bonn", "city18 Paris"]
        shoot(browser, f"several-many-{width}")
        press(browser, Keys.ENTER)  # nothing is typed: it saves
        saved(browser)
        assert journal(tmp_path)[-1]["label"] == ["city03 Bonn", "city18 Paris"]
        until(browser, f"state.currentEntry().row !== {first} && sections.labels.total === 1")
        press(browser, "1")
        assert ticked(browser) == ["city18 Paris"]  # in the place of the class that was not given for longest
        browser.driver.find_element(By.CSS_SELECTOR, "#classes .ticks button").click()
        assert ticked(browser) == []
        is_whole(browser)
