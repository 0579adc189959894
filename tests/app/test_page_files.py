"""The page as it is shipped: it is whole, asks for nothing from elsewhere, and never makes HTML of a string."""

import re
from importlib import resources
from pathlib import Path

import pytest

FOLDER = Path(str(resources.files("foldless.app") / "page"))
FILES = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.*")}
MODULES = {name: content for name, content in FILES.items() if name.endswith(".js")}
IMPORT = re.compile(r"^import (?:\* as \w+|\{([^}]+)\}) from \"([^\"]+)\";$", re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function|const|let) (\w+)", re.MULTILINE)


def imported_by(name):
    """The modules that a module imports, with the names that it takes from each."""
    found = {}
    for names, address in IMPORT.findall(MODULES[name]):
        place = (FOLDER / name).parent / address
        found[place.resolve().relative_to(FOLDER.resolve()).as_posix()] = names.replace(",", " ").split()
    return found


@pytest.mark.parametrize("name", FILES)
def test_nothing_comes_from_elsewhere(name):
    found = re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"']*|@import|url\(", FILES[name])
    assert [each for each in found if "www.w3.org" not in each] == []


@pytest.mark.parametrize("name", MODULES)
def test_no_string_becomes_html_or_code(name):
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "srcdoc"):
        assert word not in MODULES[name]
    assert re.findall(r"\son\w+=|<style|style=|javascript:", FILES["page.html"]) == []  # the policy forbids them too


def test_all_elements_that_the_modules_ask_for_are_there():
    asked = {each for content in MODULES.values() for each in re.findall(r"byId\(\"([\w-]+)\"\)", content)}
    clicked = re.search(r"CLICKS = \{(.*?)\};", MODULES["page.js"], re.DOTALL)
    asked |= set(re.findall(r"^  (\w+):", clicked[1], re.MULTILINE))
    there = re.findall(r"id=\"([\w-]+)\"", FILES["page.html"])
    assert len(asked) > 40
    assert asked - set(there) == set()
    assert len(there) == len(set(there))


@pytest.mark.parametrize("name", MODULES)
def test_what_a_module_imports_is_exported_and_used(name):
    assert MODULES[name].count("\nimport ") + MODULES[name].startswith("import ") == len(IMPORT.findall(MODULES[name]))
    for module, names in imported_by(name).items():
        assert set(names) <= set(EXPORT.findall(MODULES[module])), module
        for each in names:
            assert len(re.findall(rf"\b{each}\b", MODULES[name])) > 1, each


def test_every_module_is_reached_from_the_page_and_drawing_knows_no_server():
    reached, left = set(), ["page.js"]
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            left += imported_by(name)
    assert reached == set(MODULES)
    for name in MODULES:
        if name.startswith("drawing/"):
            assert all(each == "state.js" or each.startswith("drawing/") for each in imported_by(name)), name
    assert imported_by("state.js") == imported_by("server.js") == {}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_says_first_what_it_holds(name):
    assert re.match(r"// [A-Z].+", MODULES[name])
