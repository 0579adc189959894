"""The page as it is shipped: it is whole, asks for nothing from elsewhere, and never makes HTML of a string."""

import re
from importlib import resources

import pytest

FILES = ("page.html", "page.css", "page.js")


def content(name):
    return (resources.files("foldless.app") / "page" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FILES)
def test_nothing_comes_from_elsewhere(name):
    found = re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"']*|@import|url\(", content(name))
    assert [each for each in found if "www.w3.org" not in each] == []


def test_no_string_becomes_html_or_code():
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "srcdoc"):
        assert word not in content("page.js")
    assert re.findall(r"\son\w+=|<style|style=|javascript:", content("page.html")) == []  # the policy forbids them too


def test_all_elements_that_the_script_asks_for_are_there():
    asked = set(re.findall(r"\$\(\"([\w-]+)\"\)", content("page.js")))
    there = re.findall(r"id=\"([\w-]+)\"", content("page.html"))
    assert asked - set(there) == set()
    assert len(there) == len(set(there))
