"""What every reproduction does: options, tables kept as they grow, and a record of how they were made."""

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks import measuring
from benchmarks.places import DATA, RESULTS


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


def recorded(paper: str, typed: argparse.Namespace) -> AbstractContextManager[None]:
    """Write beside the tables how, when and on what they were made."""
    command = shlex.join(["python", "-m", f"benchmarks.papers.{paper}.run", *_portable(sys.argv[1:])])
    return measuring.recorded(typed.output, command, typed.seed)


def _portable(words: Sequence[str]) -> list[str]:
    """Folders of a machine say nothing about the numbers."""
    pairs = zip(["", *words[:-1]], words, strict=True) if words else []
    return ["FOLDER" if before in ("--data", "--output") else word for before, word in pairs]
