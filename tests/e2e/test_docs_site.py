"""The built pages in a real browser: nothing in the console, nothing from the network, no sideways scrolling.

`make docs` builds them; without them, or without Chromium, these tests are skipped.
"""

import re
from pathlib import Path

import pytest
from helpers.browser import NEEDS_BROWSER, SCHEMES, SIZES, open_browser

SITE = Path(__file__).parents[2] / "build" / "docs"
NEEDS_SITE = pytest.mark.skipif(not (SITE / "index.html").exists(), reason="needs the pages: make docs")
PAGES = ("index", "choose", "criteria", "certificates", "command_line", "files", "api", "gallery/index")
FOREIGN = re.compile(
    r"<(?:script|img|iframe|source)[^>]*\ssrc=[\"'](?:https?:)?//|<link[^>]*\shref=[\"'](?:https?:)?//"
)


@NEEDS_SITE
@NEEDS_BROWSER
def test_the_pages_open_at_every_width(tmp_path):
    with open_browser(tmp_path) as browser:
        for page in PAGES:
            for width in SIZES:
                for scheme in SCHEMES:
                    browser.open(SITE / f"{page}.html", width=width, scheme=scheme)
                    where = f"{page} at {width} in {scheme}"
                    assert browser.run("return document.querySelector('h1').checkVisibility()"), where
                    assert browser.overflow() <= 0, where
                    assert browser.left_the_file() == [], where
                    messages = [line for line in browser.console() if not line.startswith(("INFO", "DEBUG"))]
                    assert messages == [], where


@NEEDS_SITE
@NEEDS_BROWSER
def test_the_front_page_leads_to_the_others(tmp_path):
    with open_browser(tmp_path) as browser:
        browser.open(SITE / "index.html")
        cards = browser.run("return [...document.querySelectorAll('.sd-card a')].map(a => a.href)")
        assert len(cards) >= 4
        for address in cards:
            browser.open(address)
            assert browser.run("return document.querySelector('h1') !== null"), address


@NEEDS_SITE
def test_no_page_asks_for_anything_elsewhere():
    pages = sorted(SITE.glob("**/*.html"))
    assert len(pages) > 20
    for page in pages:
        assert FOREIGN.search(page.read_text(encoding="utf-8")) is None, page


@pytest.mark.parametrize(
    ("html", "foreign"),
    [
        ('<script src="https://cdn.example/x.js">', True),
        ('<link rel="stylesheet" href="//fonts.example/x.css">', True),
        ('<img alt="" src="http://example/x.png">', True),
        ('<script src="_static/x.js">', False),
        ('<a href="https://example">', False),
    ],
)
def test_what_counts_as_elsewhere(html, foreign):
    assert (FOREIGN.search(html) is not None) == foreign
