"""Ratios against peers that were measured before, kept in a file: a benchmark that lost more than a fifth of one fails.

Only ratios of processor time are kept, which a busy machine changes least.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from benchmarks.places import RESULTS

RECORD = RESULTS / "speed" / "ratios.json"
LOST = 0.8  # of a ratio that was kept


def kept(record: Path = RECORD) -> dict[str, float]:
    """The ratios of before by their names."""
    return json.loads(record.read_text()) if record.exists() else {}


def keep(ratios: Mapping[str, float], record: Path = RECORD) -> None:
    """Put ratios into the file, beside those of other benchmarks."""
    record.parent.mkdir(parents=True, exist_ok=True)
    every = dict(sorted((kept(record) | {name: round(ratio, 2) for name, ratio in ratios.items()}).items()))
    record.write_text(json.dumps(every, indent=1) + "\n")


def lost(ratios: Mapping[str, float], record: Path = RECORD) -> list[str]:
    """A sentence for each ratio that is less than it was by more than a fifth."""
    before = kept(record)
    return [
        f"{name}: {ratio:.2f} times as fast as its peer, {before[name]} before"
        for name, ratio in ratios.items()
        if ratio < LOST * before.get(name, 0.0)
    ]
