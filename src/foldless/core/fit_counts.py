"""How many fits a run took."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, eq=False)
class FitCounts(Mapping[str, int]):
    """How many fits were trained, shared, taken from the journal, trained at the end, and for the estimate.

    The last is named only where fits were trained for it.
    """

    run: int = 0
    shared: int = 0
    resumed: int = 0
    final: int = 0
    estimate: int = 0

    def __getitem__(self, name: str) -> int:
        return {f.name: getattr(self, f.name) for f in fields(self)}[name]

    def __iter__(self) -> Any:
        return (f.name for f in fields(self) if f.name != "estimate" or self.estimate)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in self.items())
