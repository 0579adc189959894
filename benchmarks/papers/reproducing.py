"""What every reproduction does: options, tables kept as they grow, and a record of how they were made."""

import argparse
import datetime
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.measuring import versions
from benchmarks.places import DATA, RESULTS, ROOT


class Book:
    """Gathers tables and writes them after every set, so that a stopped run leaves what it had."""

    def __init__(self, folder: Path, names: Sequence[str]):
        self.folder = folder
        self.rows: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
        folder.mkdir(parents=True, exist_ok=True)

    def __getitem__(self, name: str) -> pd.DataFrame:
        return pd.DataFrame(self.rows[name])

    def read(self) -> None:
        """Take over the tables that an earlier run left."""
        for name in self.rows:
            held = self.folder / f"{name}.csv"
            self.rows[name] = pd.read_csv(held).to_dict("records") if held.exists() else []

    def write(self) -> None:
        for name, rows in self.rows.items():
            if rows:
                self.csv(name, self[name])

    def csv(self, name: str, frame: pd.DataFrame) -> None:
        frame.to_csv(self.folder / f"{name}.csv", index=False, float_format="%.6g")

    def tell(self, sections: Mapping[str, pd.DataFrame]) -> None:
        """Print tables under their titles, and keep the text."""
        with pd.option_context("display.width", 250, "display.max_columns", 40):
            shown = [f"{title}\n{frame.round(4).to_string(index=False)}" for title, frame in sections.items()]
        text = "\n\n".join(shown) + "\n"
        print(text)
        (self.folder / "tables.txt").write_text(text, encoding="utf-8")


def parser(paper: str, about: str | None, sets: Sequence[str], cuts: bool = True) -> argparse.ArgumentParser:
    """The options that all reproductions have; ``cuts`` tells whether sets can be cut to fewer rows."""
    arguments = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, help="folder of the collections; else FOLDLESS_DATA, ../shared/data")
    arguments.add_argument("--full", action="store_true", help="the paper's size; takes hours")
    arguments.add_argument("--only", nargs="+", choices=sets, default=list(sets), metavar="NAME", help=", ".join(sets))
    if cuts:
        arguments.add_argument("--rows", type=int, help="rows of each set, instead of the default of each")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--output", type=Path, default=RESULTS / paper)
    return arguments


def options(arguments: argparse.ArgumentParser, needed: str) -> argparse.Namespace:
    """What was typed, with a folder of data that is there."""
    typed = arguments.parse_args()
    typed.data = typed.data or DATA
    if not (typed.data / needed).is_dir():
        arguments.error(f"no collections in {typed.data}: pass --data FOLDER or set FOLDLESS_DATA")
    return typed


@contextmanager
def recorded(paper: str, typed: argparse.Namespace) -> Iterator[None]:
    """Write beside the tables how, when and on what they were made."""
    start, date = time.perf_counter(), datetime.datetime.now(datetime.timezone.utc)
    load, code = os.getloadavg()[0], _commit()
    yield
    meta = {
        "command": shlex.join(["python", "-m", f"benchmarks.papers.{paper}.run", *_portable(sys.argv[1:])]),
        "seed": typed.seed,
        "versions": versions(),
        "commit": code,
        "date": date.isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - start),
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS"),
        "load average at start and end": [round(load, 1), round(os.getloadavg()[0], 1)],
    }
    (typed.output / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")


def _portable(words: Sequence[str]) -> list[str]:
    """Folders of a machine say nothing about the numbers."""
    pairs = zip(["", *words[:-1]], words, strict=True) if words else []
    return ["FOLDER" if before in ("--data", "--output") else word for before, word in pairs]


def _commit() -> str:
    """The code that runs; "-dirty" where it is not the committed one."""
    asked = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
