"""What a run gives back: frozen values with a few verbs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array, Candidate, Certificate, Choice, Criterion, FitCounts


@dataclass(frozen=True)
class Timing:
    """Seconds of the fits behind a choice: each one's training and answering."""

    fit: tuple[float, ...] = ()
    answer: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Selection:
    """A ranking of the candidates by one criterion, and the model that was chosen.

    Attributes
    ----------
    ranking : choices, the best first
    failed : the candidates that could not be fitted, with their errors
    unfinished : the candidates that were not complete when the run was stopped
    label_shares, shares : pandas Series of class shares, in the labels and as the chosen model sees them in the pool
    n_fits : fits run, shared, resumed and made once more at the end
    stopped : why the run ended early, or None
    notes : sentences a user should read
    model : the chosen model, trained on every label unless the criterion holds some out; None if it was not asked for
    certificate : a guarantee about the chosen model; None unless the criterion certifies
    """

    criterion: Criterion
    ranking: tuple[Choice, ...]
    failed: Mapping[Candidate, Exception]
    unfinished: tuple[Candidate, ...]
    label_shares: "pd.Series[float]"
    shares: "pd.Series[float] | None"
    n_fits: FitCounts
    timings: Mapping[Candidate, Timing] = field(repr=False, default_factory=dict)
    stopped: str | None = None
    notes: tuple[str, ...] = ()
    model: Any = None
    refit_seconds: float = 0.0
    certificate: Certificate | None = None

    @property
    def best(self) -> Choice:
        return self.ranking[0]

    @property
    def n_candidates(self) -> int:
        """The number of candidates that were ranked; a criterion may offer several choices of each."""
        return len({choice.candidate for choice in self.ranking})

    @property
    def assumes(self) -> tuple[str, ...]:
        """What the scores rest on."""
        return self.criterion.assumes

    def certificate_of(self, choice: Choice) -> Certificate | None:
        """What is guaranteed of a choice; of the best one, of the very model that is handed out."""
        return self.certificate if choice is self.best else choice.certificate

    def table(self) -> pd.DataFrame:
        """The ranking, one row per choice, failed and unfinished candidates last."""
        rows = [
            {"rank": rank, **_named(c.candidate), "score": c.score, "notes": "; ".join(c.notes)}
            for rank, c in enumerate(self.ranking, 1)
        ]
        for candidate, error in self.failed.items():
            rows.append(
                {
                    "rank": None,
                    **_named(candidate),
                    "score": np.nan,
                    "notes": f"failed: {str(error) or type(error).__name__}",
                }
            )
        rows += [{"rank": None, **_named(c), "score": np.nan, "notes": "not finished"} for c in self.unfinished]
        frame = pd.DataFrame(rows)
        frame["rank"] = frame["rank"].astype("Int64")
        return frame

    def report(
        self, path: Any, *, made_by: str | None = None, about: Sequence[str] = (), beside: "Selection | None" = None
    ) -> Path:
        """Write one HTML file with the figures, the ranking and everything behind the choice.

        ``made_by`` is the command or code that makes it again; ``about`` are sentences on the data; ``beside`` is a
        selection by hold-out whose certificate is shown for comparison.
        """
        from foldless.report.page import write_selection

        return write_selection(self, path, made_by=made_by, about=about, beside=beside)

    def _repr_html_(self) -> str:
        from foldless.report.notebook import selection_summary

        return selection_summary(self)

    def __repr__(self) -> str:
        best = f"best={self.best.candidate.name!r}, score={self.best.score:.6g}"
        return f"Selection({self.criterion.name}, {best}, candidates={self.n_candidates}, fits: {self.n_fits})"


def shares_of(codes: Array, classes: Array) -> "pd.Series[float]":
    """Class shares by the user's labels."""
    counts = np.bincount(codes[codes >= 0], minlength=len(classes))
    return pd.Series(counts / max(1, len(codes)), index=pd.Index(classes, name="class"), name="share")


def _named(candidate: Candidate) -> dict[str, Any]:
    return {"candidate": candidate.name, "params": dict(candidate.params)}
