"""Every example of the README and of the guide is run, and shows what it prints, or says why it is not run."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.short_portfolio import shorten

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BY_THE_BUILD = re.compile(r"^```\{run\}", re.MULTILINE)

spec = importlib.util.spec_from_file_location("executed", ROOT / "docs" / "_ext" / "executed.py")
assert spec is not None
assert spec.loader is not None
executed = importlib.util.module_from_spec(spec)
sys.modules["executed"] = executed  # where its dataclass looks for annotations
spec.loader.exec_module(executed)


def blocks(page):
    return list(executed.blocks(page.read_text(encoding="utf-8")))


WITH_BLOCKS = [page for page in PAGES if blocks(page)]


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    folder = tmp_path_factory.mktemp("digits")
    subprocess.run([sys.executable, ROOT / "examples" / "digits.py", folder], check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: page.stem)
def test_examples_print_what_the_page_shows(page, digits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in digits.items():
        (tmp_path / name).write_bytes(content)
    names = {"__name__": "page"}
    every = [block for block in blocks(page) if block.reason is None]
    if page.stem == "README":
        every = [block for block in every if block.language == "bash"]  # test_examples.py runs the rest
    if any(block.language == "python" for block in every):
        exec(executed.NAMES, names)
    for block in every:
        executed.prepare(block)
        where = f"{page.name}, line {block.line}"
        if block.language != "bash":
            differs = executed.run_python(block, names)
            assert not differs, f"{where}\n{differs}"
            continue
        with pytest.MonkeyPatch.context() as patch:
            if block.printed is None:
                shorten(patch)  # only that it runs counts
            printed = executed.printed_by(block.code)
        if block.printed is not None:
            assert executed.alike(block.printed, printed), f"{where}\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_not_run_says_why(page):
    for block in blocks(page):
        assert block.reason is None or len(block.reason) > 10, f"line {block.line}"


GUIDE = re.findall(r"^(\w+)$", (ROOT / "docs" / "guide.md").read_text(encoding="utf-8"), re.MULTILINE)
WITHOUT_COMMAND = {"public": "a promise", "league_rows": "tables that `make league` writes"}


@pytest.mark.parametrize("name", GUIDE)
def test_each_page_of_the_guide_begins_with_an_example(name):
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250
    if name in WITHOUT_COMMAND:
        return
    begins = text.split("\n## ")[0]
    assert re.search(r"^```(bash|pycon|python|\{run\}|\{file\})", begins, re.MULTILINE), begins[:300]


def test_the_order_is_that_of_a_user():
    captions = re.findall(r":caption: (\w+)", (ROOT / "docs" / "guide.md").read_text(encoding="utf-8"))
    assert captions == ["Label", "Check", "Select", "Trust", "Use", "Grow"]


def test_blocks_know_their_output_and_their_reason():
    shown = "<!-- before: touch a -->\n```bash\nls\n```\n\n```text\na\n```\n\n"
    first, second = executed.blocks(f"{shown}<!-- not run: it needs a cluster -->\n```bash\nrm x\n```\n")
    assert (first.before, first.printed, first.reason) == ("touch a", "a\n", None)
    assert (second.printed, second.reason) == (None, "it needs a cluster")
    assert executed.alike("about 0.8..., done", "about 0.85, done")
    assert not executed.alike("about 0.8", "about 0.9")
    assert executed.alike("24 fits, about 3 seconds", "24 fits, about 2 minutes")
