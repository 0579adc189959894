"""Records are lines of JSON in a file: a run that was stopped goes on behind the last of them."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def read(path: Path) -> list[Record]:
    """The records of a file, which may be packed with gzip."""
    unpacked = gzip.open if path.suffix == ".gz" else open
    with unpacked(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def kept(path: Path | None) -> list[Record]:
    """The records of earlier runs; none if there was no run, or no file to keep them in."""
    return read(path) if path is not None and path.exists() else []


def keep(path: Path | None, records: Iterable[Record]) -> None:
    """Add records to those of a file, together; nothing is kept where there is no file."""
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(record, default=float) + "\n" for record in records)
