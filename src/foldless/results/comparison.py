"""What a comparison of criteria gives back: a selection of each, and one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from foldless.core import Candidate, FitCounts
from foldless.core._plain import plain_value
from foldless.errors import BadInput, Note
from foldless.results._drawn import NotedResult
from foldless.results.baseline import Baseline
from foldless.results.selection import Selection
from foldless.results.shift import Shift


@dataclass(frozen=True, eq=False)
class Comparison(NotedResult):
    """Several criteria on the same candidates, with every common fit run once.

    Attributes
    ----------
    selections : the selection of each criterion that has a choice, by its name; ``comparison[name]`` is one of them
    unable : why the other criteria have none
    rows : the rows of `table`
    n_fits, stopped, notes : as in a `Selection`
    test_accuracy : with test rows, the accuracy on them of each candidate trained on every label; R² of regressors
    shift : whether the pool is like the labels; None without a pool, or where the rows cannot be compared
    """

    selections: Mapping[str, Selection]
    unable: Mapping[str, str]
    rows: tuple[Mapping[str, Any], ...] = field(repr=False)
    n_fits: FitCounts
    stopped: str | None = None
    notes: tuple[str, ...] = ()
    test_accuracy: Mapping[Candidate, float] = field(repr=False, default_factory=dict)
    shift: Shift | None = None

    @property
    def quantity(self) -> str:
        """What is measured on test rows: accuracy, or R² of regressors."""
        return next(iter(self.selections.values())).quantity if self.selections else "accuracy"

    @property
    def baseline(self) -> Baseline | None:
        """What always saying the most frequent class has; None where no accuracy is known."""
        known = (selection.baseline for selection in self.selections.values())
        return next((baseline for baseline in known if baseline is not None), None)

    def table(self) -> pd.DataFrame:
        """One row per criterion.

        ``better`` says whether higher or lower scores are better. ``fits`` and ``seconds`` are what the criterion needs
        by itself, whether or not another one shares them; a criterion that the candidates or the data cannot serve is a
        row without a choice, and ``notes`` says why.
        """
        return pd.DataFrame(list(self.rows))

    def to_dict(self) -> dict[str, Any]:
        """Everything but the models, as plain data for JSON: an entry for each criterion."""
        return {
            "criteria": [self._plain(row) for row in self.rows],
            "shift": None if self.shift is None else self.shift.to_dict(),
            "baseline": None if self.baseline is None else self.baseline.to_dict(),
            "n_fits": dict(self.n_fits),
            "stopped": self.stopped,
            "notes": list(self.notes),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def assuming(self, sentences: Sequence[str]) -> "Comparison":
        """The same comparison, whose certificates also rest on these sentences."""
        return replace(self, selections={name: s.assuming(sentences) for name, s in self.selections.items()})

    def best(self, criterion: str | None = None) -> Selection:
        """The selection of a criterion: the first one that has a choice, or the one that is named.

        It is never taken by the test rows, which measure a choice only as long as they do not make it.
        """
        if criterion is None:
            return next(iter(self.selections.values()))
        if criterion not in self.selections:
            known = ", ".join(self.selections)
            why = f" ({self.unable[criterion]})" if criterion in self.unable else ""
            raise BadInput(f"{criterion!r} has no choice here{why}: name one of {known}", value=criterion)
        return self.selections[criterion]

    def __getitem__(self, name: str) -> Selection:
        return self.selections[name]

    def _plain(self, row: Mapping[str, Any]) -> dict[str, Any]:
        name, params = row["criterion"], row["params"]
        selection, reason = self.selections.get(name), self.unable.get(name)
        certificate = None if selection is None else selection.certificate
        if isinstance(reason, Note):
            notes: list[str] = [Note(f"n/a: {reason.problem}", remedy=reason.remedies)]
        else:
            notes = [row["notes"]] if row["notes"] else []
        measures = {
            key: plain_value(value) for key, value in row.items() if key not in ("criterion", "params", "notes")
        }
        return {
            "criterion": name,
            "candidate": None if selection is None else selection.best.candidate.name,
            "params": None if params is None else {key: plain_value(value) for key, value in params.items()},
            **measures,
            "certificate": None if certificate is None else certificate.to_dict(),
            "notes": notes,
        }

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}: {s.best.candidate.name}" for name, s in self.selections.items())
        return f"Comparison({chosen}; fits: {self.n_fits})"
