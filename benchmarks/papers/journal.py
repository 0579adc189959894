"""Trials are lines of a journal: a stopped run continues where it was. It is deleted when the tables are written."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

Record = dict[str, Any]


class Journal:
    """Trials by set, sampled data sets and number, in a file that belongs to one seed."""

    def __init__(self, path: Path, setting: Mapping[str, Any]):
        self.path, self._trials = path, dict[tuple[str, int, int], Record]()
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        if lines and json.loads(lines[0]) == setting:
            for line in lines[1:]:
                self._keep(json.loads(line))
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(setting) + "\n", encoding="utf-8")

    def run(self, name: str, samples: int, numbers: Iterable[int], make: Callable[[int], Record]) -> None:
        """Run the trials of a set that are missing, and print the progress."""
        numbers = list(numbers)
        missing = [number for number in numbers if (name, samples, number) not in self._trials]
        spent = 0.0
        for at, number in enumerate(missing, 1):
            record = {"set": name, "samples": samples, "trial": number, **make(number)}
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            self._keep(record)
            spent += record["seconds"]
            there, left = len(numbers) - len(missing) + at, spent / at * (len(missing) - at) / 60
            print(f"{name} {there}/{len(numbers)}: {record['seconds']} s, about {left:.0f} min left", flush=True)

    def of(self, name: str, trials: int, samples: int) -> list[Record]:
        return [self._trials[name, samples, number] for number in range(trials)]

    def _keep(self, record: Record) -> None:
        self._trials[record["set"], record["samples"], record["trial"]] = record
