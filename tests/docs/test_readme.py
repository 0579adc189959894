"""The README shows what a newcomer needs first, and all that it links to is there, and readable on GitHub."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"\]\((?!https?:)([^)\s]*)\)")
FENCE = re.compile(r"^ *(```|~~~).*?^ *\1$", re.MULTILINE | re.DOTALL)
RAW = re.compile(r"^ *(?:```|:::+)\{|\{[\w:]+\}`|^\([\w-]+\)=$|^ *:::", re.MULTILINE)
PAGES = sorted({link.partition("#")[0] for link in LINK.findall(README) if link.endswith(".md") or ".md#" in link})


def targets(page: Path) -> list[str]:
    """The links and pictures of a page that are files of the repository, code left out."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return [*LINK.findall(re.sub(r"`[^`\n]*`", "", text)), *re.findall(r'(?:src|srcset)="([^"]+)"', text)]


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them, and those that it names itself."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain} | set(re.findall(r"^\(([\w-]+)\)=$", text, re.M))


def test_both_commands_are_on_the_first_screen():
    first = "\n".join(README.splitlines()[:40])
    assert "make demo" in first
    assert "make test" in first
    assert "pip install ." in first
    assert "docs/_static/select.svg" in first
    assert "docs/_static/report.png" in first


@pytest.mark.parametrize("page", ["README.md", *PAGES])
def test_every_link_resolves(page):
    for target in targets(ROOT / page):
        name, _, anchor = target.partition("#")
        file = (ROOT / page).parent / name if name else ROOT / page
        file = ROOT / "CONTRIBUTING.md" if name == "contributing.md" else file  # which the pages include
        if page.startswith("docs/") and name in ("api.md",):
            continue  # made when the pages are built
        assert file.exists(), f"{page} links to {target}"
        assert not anchor or file.suffix != ".md" or anchor in anchors(file), f"{page} links to {target}"


@pytest.mark.parametrize("page", PAGES)
def test_pages_that_are_linked_have_no_raw_directives(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert not RAW.findall(text), "GitHub shows directives and roles of MyST as they are written"


def test_pictures_fetch_nothing():
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", (ROOT / "docs/_static/select.svg").read_text(encoding="utf-8"))
