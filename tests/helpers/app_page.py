"""What the page of the app knows, asked of its modules in the browser."""

import time
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
