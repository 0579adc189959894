"""What a comparison of criteria gives back: a selection of each, and one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from foldless.core import Candidate, FitCounts
from foldless.selection.selection import Selection


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several criteria on the same candidates, with every common fit run once."""

    selections: Mapping[str, Selection]
    unable: Mapping[str, str]
    rows: tuple[Mapping[str, Any], ...] = field(repr=False)
    n_fits: FitCounts
    stopped: str | None = None
    notes: tuple[str, ...] = ()
    test_accuracy: Mapping[Candidate, float] = field(repr=False, default_factory=dict)

    def table(self) -> pd.DataFrame:
        """One row per criterion.

        ``fits`` and ``seconds`` are what the criterion needs by itself, whether or not another one shares them; a
        criterion that the candidates or the data cannot serve is a row without a choice, and ``notes`` says why.
        """
        return pd.DataFrame(list(self.rows))

    def __getitem__(self, name: str) -> Selection:
        return self.selections[name]

    def report(self, path: Any, *, made_by: str | None = None, about: Sequence[str] = ()) -> Path:
        """Write one HTML file with all criteria side by side.

        ``made_by`` is the command or code that makes it again; ``about`` are sentences on the data.
        """
        from foldless.report.page import write_comparison

        return write_comparison(self, path, made_by=made_by, about=about)

    def _repr_html_(self) -> str:
        from foldless.report.notebook import comparison_summary

        return comparison_summary(self)

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}: {s.best.candidate.name}" for name, s in self.selections.items())
        return f"Comparison({chosen}; fits: {self.n_fits})"
