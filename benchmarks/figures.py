"""The tables and pictures of the pages that are made of kept results.

    python -m benchmarks.figures            write them into docs/
    python -m benchmarks.figures --check    say which of them differ from the results, and fail if any does

A table stands on its page between ``<!-- figures: NAME -->`` and ``<!-- end of figures -->``.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.league import end_to_end_page
from benchmarks.places import PICTURES, ROOT

TABLES: dict[str, Callable[[], str]] = {
    "end to end": lambda: end_to_end_page.standings(end_to_end_page.records()),
    "end to end, differences": lambda: end_to_end_page.differences(end_to_end_page.records()),
}
DRAWN: dict[str, Callable[[Path], None]] = {
    "end_to_end.svg": lambda path: end_to_end_page.draw(end_to_end_page.records(), path),
}
MARKED = re.compile(r"(<!-- figures: (?P<name>[^>]+) -->\n)(?P<table>.*?)(<!-- end of figures -->)", re.DOTALL)


def pages() -> Iterator[Path]:
    """Where tables can be."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def filled(page: str) -> str:
    """A page with the tables of the results."""
    return MARKED.sub(lambda at: f"{at[1]}{TABLES[at['name']]()}\n{at[4]}", page)


def stale() -> list[str]:
    """The pages whose tables differ from the results."""
    texts = {page: page.read_text(encoding="utf-8") for page in pages()}
    return [str(page.relative_to(ROOT)) for page, text in texts.items() if filled(text) != text]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    if parser.parse_args().check:
        sys.exit("\n".join(f"{page} differs from the results" for page in stale()) or None)
    for page in pages():
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    for name, draw in DRAWN.items():
        draw(PICTURES / name)


if __name__ == "__main__":
    main()
