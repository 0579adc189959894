"""What the page of the app knows, asked of its modules in the browser."""

import json
import os
import time
from pathlib import Path
from typing import Any

from helpers.browser import Browser

KNOWN = """
const state = await import("/state.js"), classes = await import("/drawing/classes.js");
const { sections } = state;
"""


def ask(browser: Browser, expression: str) -> Any:
    """The value of an expression with ``state``, its ``sections``, and ``classes``, which are modules of the page."""
    return browser.run(f"return (async () => {{ {KNOWN} return {expression} }})()")


def until(browser: Browser, expression: str, seconds: float = 60) -> Any:
    """Wait until an expression of `ask` is true; its value."""
    end = time.monotonic() + seconds
    while not (value := ask(browser, expression)):
        if time.monotonic() > end:
            raise TimeoutError(f"{expression} is not true: {browser.run('return document.body.innerText')}")
        time.sleep(0.05)
    return value


def click(browser: Browser, element: str) -> None:
    """Click on the element with this id."""
    browser.run("document.getElementById(arguments[0]).click()", element)


def text_of(browser: Browser, element: str) -> str:
    """The text of the element with this id."""
    return str(browser.run("return document.getElementById(arguments[0]).textContent", element))


def press(browser: Browser, *keys: str) -> None:
    """Press keys one after the other, or type a text."""
    from selenium.webdriver.common.action_chains import ActionChains

    for key in keys:
        ActionChains(browser.driver).send_keys(key).perform()


def shoot(browser: Browser, name: str) -> None:
    """Write a picture of the page, where ``FOLDLESS_PICTURES`` names a folder for them."""
    if folder := os.environ.get("FOLDLESS_PICTURES"):
        browser.picture(f"{folder}/{name}.png")


def current(browser: Browser) -> int:
    """The number of the row that is shown."""
    return int(until(browser, "state.currentEntry() && [state.currentEntry().row]")[0])


def saved(browser: Browser) -> None:
    """Wait until all answers are saved."""
    until(browser, "state.unanswered === 0")


def journal(folder: Path) -> list[dict[str, Any]]:
    """The answers that the app has kept of ``train.csv``."""
    lines = (folder / "train.foldless" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def is_whole(browser: Browser) -> None:
    """Nothing runs past the window, nothing hostile of a file ran, and nothing was logged."""
    assert browser.overflow() == 0
    assert browser.run("return typeof window.pwned") == "undefined"
    assert browser.console() == []
