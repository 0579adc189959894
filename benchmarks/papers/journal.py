"""Trials are lines of a journal: a stopped run continues where it was. It is deleted when the tables are written."""

from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.records import Record, keep, kept


class Journal:
    """Trials by set, sampled data sets and number, in a file that belongs to one seed."""

    def __init__(self, path: Path, setting: Record):
        self.path, self._trials = path, dict[tuple[str, int, int], Record]()
        records = kept(path)
        if records[:1] == [setting]:
            for record in records[1:]:
                self._keep(record)
        else:
            path.unlink(missing_ok=True)
            keep(path, [setting])

    def run(self, name: str, samples: int, numbers: Iterable[int], make: Callable[[int], Record]) -> None:
        """Run the trials of a set that are missing, and print the progress."""
        numbers = list(numbers)
        missing = [number for number in numbers if (name, samples, number) not in self._trials]
        spent = 0.0
        for at, number in enumerate(missing, 1):
            record = {"set": name, "samples": samples, "trial": number, **make(number)}
            keep(self.path, [record])
            self._keep(record)
            spent += record["seconds"]
            there, left = len(numbers) - len(missing) + at, spent / at * (len(missing) - at) / 60
            print(f"{name} {there}/{len(numbers)}: {record['seconds']} s, about {left:.0f} min left", flush=True)

    def of(self, name: str, trials: int, samples: int) -> list[Record]:
        return [self._trials[name, samples, number] for number in range(trials)]

    def _keep(self, record: Record) -> None:
        self._trials[record["set"], record["samples"], record["trial"]] = record
