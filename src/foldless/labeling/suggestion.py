"""Which pool rows to label next, and why."""

from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.errors import counted

SHOWN = 10  # rows of a repr


@dataclass(frozen=True, eq=False)
class Suggestion:
    """Pool rows to label next.

    Attributes
    ----------
    rows : positions in the pool; in random order where they were drawn, else the least sure first
    reasons : a few words on each row
    probabilities : with which each row was drawn; None where rows were picked and not drawn
    scores : how unsure the leading candidates are about each row, from 0 to 1; of values their spread
    labels : what the leading candidates say of each row, on the whole
    strategy : how the rows were chosen
    leaders : the names of the candidates that were asked, and their weights
    n_fits : how many fits were trained for it
    """

    rows: Array
    reasons: tuple[str, ...]
    probabilities: Array | None
    scores: Array
    labels: Array
    strategy: str
    leaders: dict[str, float] = field(default_factory=dict)
    n_fits: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        lines = {name: [plain_value(value) for value in values] for name, values in self.table().items()}
        rows = [dict(zip(lines, line, strict=True)) for line in zip(*lines.values(), strict=True)]
        return {"strategy": self.strategy, "leaders": dict(self.leaders), "n_fits": self.n_fits, "suggested": rows}

    def table(self) -> pd.DataFrame:
        """One line a row: its position in the pool, what the leaders say, how unsure they are, and the reason."""
        columns = {"row": self.rows, "likely": self.labels, "unsure": self.scores, "reason": list(self.reasons)}
        if self.probabilities is not None:
            columns["probability"] = self.probabilities
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        valid = ", probabilities known" if self.probabilities is not None else ""
        lines = self.table().head(SHOWN).to_string(index=False, float_format=lambda value: f"{value:.3g}")
        more = f"\n… and {len(self) - SHOWN} more" if len(self) > SHOWN else ""
        return f"Suggestion of {counted(len(self), 'row')} by {self.strategy!r}{valid}\n{lines}{more}"

    def _repr_html_(self) -> str:
        from html import escape

        known = "; the probability of each is known" if self.probabilities is not None else ""
        title = escape(f"{counted(len(self), 'row')} to label next, by {self.strategy!r}{known}")
        table = self.table().head(SHOWN).to_html(index=False, float_format=lambda value: f"{value:.3g}", border=0)
        more = f"<p>… and {len(self) - SHOWN} more</p>" if len(self) > SHOWN else ""
        return f"<p>{title}</p>{table}{more}"
