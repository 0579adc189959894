"""The tables and pictures of the pages that are made of kept results.

    python -m benchmarks.figures                write them into docs/
    python -m benchmarks.figures --check        say which of them differ from the results, and fail if any does
    python -m benchmarks.figures --run          measure again what is older than the code, and then write them
    python -m benchmarks.figures --run NAME …   measure these again, also what needs more than time
    python -m benchmarks.figures --ages         say what is older than the code, and what it takes

A table stands on its page between ``<!-- figures: NAME -->`` and ``<!-- end of figures -->``. A table that is laid out
by hand, as those of the papers, follows ``<!-- numbers of: FOLDER/FILE … -->``: each of its numbers, as it is rounded,
is in one of these files. Numbers that were printed before such output was kept follow ``<!-- printed by: NAME … -->``,
with names of `measurements`. The last paragraph of a page, behind ``<!-- ages -->``, says how old its results are.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import ages, page_tables, remeasuring
from benchmarks.league import end_to_end_page
from benchmarks.measurements import MEASUREMENTS
from benchmarks.places import PICTURES, RESULTS, ROOT
from benchmarks.records import read

TABLES: dict[str, Callable[[], str]] = {
    "end to end": lambda: end_to_end_page.standings(end_to_end_page.records()),
    "end to end, differences": lambda: end_to_end_page.differences(end_to_end_page.records()),
    "certificates": page_tables.certificates,
    "shares beside QuaPy": page_tables.beside_quapy,
    "bundles of fits": page_tables.bundles,
    "a queue beside Dask": page_tables.queue,
    "plans": page_tables.plans,
}
FOLDERS = {
    "end to end": "end_to_end", "end to end, differences": "end_to_end", "certificates": "certificates",
    "shares beside QuaPy": "quantify", "bundles of fits": "scheduler", "a queue beside Dask": "scheduler",
    "plans": "plan",
}  # the results that each table is made of  # fmt: skip
AGES = re.compile(r"\n*<!-- ages -->\n.*\n?\Z")
DRAWN: dict[str, Callable[[Path], None]] = {
    "end_to_end.svg": lambda path: end_to_end_page.draw(end_to_end_page.records(), path),
}
MARKED = re.compile(r"(<!-- figures: (?P<name>[^>]+) -->\n)(?P<table>.*?)(<!-- end of figures -->)", re.DOTALL)
NUMBERED = re.compile(r"<!-- numbers of: (?P<files>[^>]+) -->\n(?P<table>(?:\|.*\n)+)")
PRINTED = re.compile(r"<!-- printed by: (?P<names>[^>]+) -->\n")
NUMBER = re.compile(r"(?<![\w.])[-−+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?(?!\w)")
SCALES = (1.0, 1e2, 1e3, 1e4)  # shares, percent, milliseconds, and units of 10⁻⁴


def pages() -> Iterator[Path]:
    """Where tables can be."""
    yield ROOT / "README.md"
    yield from sorted((ROOT / "docs").rglob("*.md"))


def filled(page: str) -> str:
    """A page with the tables of the results, and how old these are."""
    page = MARKED.sub(lambda at: f"{at[1]}{TABLES[at['name']]()}\n{at[4]}", page)
    folders = {FOLDERS[at["name"]] for at in MARKED.finditer(page)}
    folders |= {name.partition("/")[0] for at in NUMBERED.finditer(page) for name in at["files"].split()}
    folders |= {name for at in PRINTED.finditer(page) for name in at["names"].split()}
    return f"{AGES.sub('', page).rstrip()}\n\n<!-- ages -->\n{ages.sentence(folders)}\n" if folders else page


def stale() -> list[str]:
    """The pages whose tables differ from the results."""
    texts = {page: page.read_text(encoding="utf-8") for page in pages()}
    return [str(page.relative_to(ROOT)) for page, text in texts.items() if filled(text) != text]


def strangers() -> list[str]:
    """Numbers of tables laid out by hand that are in none of their files: page, number, files."""
    lines = []
    for page in pages():
        for at in NUMBERED.finditer(page.read_text(encoding="utf-8")):
            known = np.concatenate([_known(RESULTS / name) for name in at["files"].split()])
            where = f"of {page.relative_to(ROOT)} is not in {at['files']}"
            lines += [f"{number} {where}" for number in _shown(at["table"]) if not _is_one_of(number, known)]
    return lines


def _shown(table: str) -> Iterator[str]:
    """The numbers of a table in Markdown, without its titles and its first column."""
    for line in table.splitlines()[2:]:
        for cell in line.strip("|").split("|")[1:]:
            yield from NUMBER.findall(re.sub("[*`]", "", cell))


def _known(path: Path) -> np.ndarray:
    """The numbers of a file, also in its words; of a table the means of its columns too, with their standard errors."""
    if path.suffix not in (".csv", ".jsonl"):
        return np.array(_in_words(path.read_text(encoding="utf-8")))
    table = pd.read_csv(path) if path.suffix == ".csv" else pd.DataFrame(read(path))
    numbers = table.apply(pd.to_numeric, errors="coerce")
    words = " ".join([*table.columns, *map(str, table.select_dtypes(exclude="number").to_numpy().ravel())])
    every = np.concatenate([numbers.to_numpy(float).ravel(), numbers.mean(), numbers.sem(), _in_words(words)])
    return every[np.isfinite(every)]


def _in_words(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in NUMBER.findall(text.replace("−", "-"))]


def _is_one_of(number: str, known: np.ndarray) -> bool:
    """Whether a number, as many decimals as it has, is a known one on one of the scales; signs may be turned."""
    plain = number.replace("−", "-").replace(",", "").lstrip("+")
    half = 0.5 * 10.0 ** -len(plain.partition(".")[2]) * (1 + 1e-6)
    return any((np.abs(np.abs(known) * scale - abs(float(plain))) <= half).any() for scale in SCALES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--ages", action="store_true", help="measure nothing")
    parser.add_argument("--run", nargs="*", metavar="NAME", choices=MEASUREMENTS, help="measure again")
    parser.add_argument("--minutes", type=int, help="leave out what takes longer")
    typed = parser.parse_args()
    if typed.check:
        sys.exit("\n".join([*(f"{page} differs from the results" for page in stale()), *strangers()]) or None)
    if typed.ages:
        print("\n".join(remeasuring.plan(ages.to_measure(), typed.minutes)))
        return
    failed = [] if typed.run is None else remeasuring.run(typed.run, typed.minutes)
    for page in pages():
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    for name, draw in DRAWN.items():
        draw(PICTURES / name)
    sys.exit("\n".join([*failed, *strangers()]) or None)


if __name__ == "__main__":
    main()
