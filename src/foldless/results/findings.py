"""What `foldless.check` returns: what is wrong with the data, how much it matters, and what was looked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

from foldless.core._plain import plain_value
from foldless.results._drawn import DrawnResult
from foldless.results.column_summary import ColumnSummary
from foldless.results.finding import Finding

KINDS = ("issue", "tip")
COLUMNS = ["code", "kind", "finding", "before", "after", "lower", "upper", "impact", "remedy", "rows", "columns"]


@dataclass(frozen=True)
class Impact:
    """How much a finding matters: the estimate with and without what it is about, by a cheap model.

    Attributes
    ----------
    before, after : accuracy, or R² of numbers to predict, out of fold with the data as they are, and in the other form
    lower, upper : the ends of a 95 % interval of ``after − before``
    words : what the other form is, such as "without them"
    model : the cheap model
    rows : how many rows it was measured on
    quantity : what was measured

    Examples
    --------
    >>> print(Impact(0.91, 0.86, -0.07, -0.03, "without them", "logistic-regression", 300))
    accuracy .91 → .86 without them
    >>> print(Impact(0.91, 0.90, -0.03, 0.01, "without it", "logistic-regression", 300))
    accuracy .91 → .90 without it (within noise)
    """

    before: float
    after: float
    lower: float
    upper: float
    words: str
    model: str
    rows: int
    quantity: str = "accuracy"

    @property
    def difference(self) -> float:
        """By how much the estimate changes."""
        return self.after - self.before

    @property
    def beyond_noise(self) -> bool:
        """Whether the interval of the change excludes 0."""
        return not self.lower <= 0 <= self.upper

    def __str__(self) -> str:
        noise = "" if self.beyond_noise else " (within noise)"
        return f"{self.quantity} {share(self.before)} → {share(self.after)} {self.words}{noise}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        return {name: plain_value(value) for name, value in vars(self).items()}


@dataclass(frozen=True)
class CheckedFinding:
    """A finding, whether it is an issue or a tip, and how much it matters; ``untold`` says why it is not measured."""

    finding: Finding
    kind: Literal["issue", "tip"]
    impact: Impact | None = None
    untold: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        impact = None if self.impact is None else self.impact.to_dict()
        return {"kind": self.kind, **self.finding.to_dict(), "impact": impact, "untold": self.untold}


@dataclass(frozen=True)
class Findings(DrawnResult):
    """What is wrong with the data: issues first, those that change the estimate most at the top.

    Attributes
    ----------
    entries : each finding with its kind and how much it matters
    passed : the checks that found nothing, by their codes, with what they look for
    not_applicable : those that do not apply, with the reason
    skipped : those that were left out because they take time
    ignored : those that were not wanted
    about : rows, columns and classes in a sentence
    notes : further sentences a user should read
    columns : the columns of the file of labeled rows, and what each is taken as; none of arrays
    seconds : how long it took

    Examples
    --------
    >>> import numpy as np
    >>> from foldless import check
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(60, 3)), rng.integers(2, size=60)
    >>> findings = check(np.vstack([X, X[:6]]), np.append(y, y[:6]), fast=True)
    >>> [finding.code for finding in findings.findings]
    ['FL004']
    """

    entries: tuple[CheckedFinding, ...] = ()
    passed: Mapping[str, str] = field(default_factory=dict)
    not_applicable: Mapping[str, str] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)
    about: str = ""
    notes: tuple[str, ...] = ()
    columns: tuple[ColumnSummary, ...] = ()
    seconds: float = 0.0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings themselves, in order."""
        return tuple(entry.finding for entry in self.entries)

    @property
    def issues(self) -> tuple[Finding, ...]:
        """Those that change a number people act on."""
        return tuple(entry.finding for entry in self.entries if entry.kind == "issue")

    @property
    def tips(self) -> tuple[Finding, ...]:
        """The others."""
        return tuple(entry.finding for entry in self.entries if entry.kind == "tip")

    @property
    def summary(self) -> str:
        """How many checks found something, nothing, or were not made.

        >>> Findings(passed={"FL001": "", "FL004": ""}, not_applicable={"FL006": "there is no pool"}).summary
        '2 checks found nothing; 1 does not apply'
        """
        more = " more" if self.entries else ""
        n = len(self.passed)
        parts = [f"{n}{more} check{'s' * (n != 1)} found nothing"]
        if self.not_applicable:
            apply = "does not apply" if len(self.not_applicable) == 1 else "do not apply"
            parts.append(f"{len(self.not_applicable)} {apply}")
        parts += [f"{len(self.skipped)} skipped as they take time"] if self.skipped else []
        parts += [f"{len(self.ignored)} ignored"] if self.ignored else []
        return "; ".join(parts)

    def table(self) -> pd.DataFrame:
        """One line for each finding: code, kind, the sentence, the estimate with and without, and what to do."""
        return pd.DataFrame(
            [
                {
                    "code": entry.finding.code, "kind": entry.kind, "finding": entry.finding.problem,
                    **{name: getattr(entry.impact, name, None) for name in ("before", "after", "lower", "upper")},
                    "impact": str(entry.impact) if entry.impact is not None else entry.untold,
                    "remedy": ", or ".join(map(str, entry.finding.remedies)),
                    "rows": len(entry.finding.rows), "columns": ", ".join(map(str, entry.finding.columns)),
                }
                for entry in self.entries
            ],
            columns=COLUMNS,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        return {
            "about": self.about,
            "findings": [entry.to_dict() for entry in self.entries],
            "passed": dict(self.passed),
            "not_applicable": dict(self.not_applicable),
            "skipped": dict(self.skipped),
            "ignored": dict(self.ignored),
            "notes": [str(note) for note in self.notes],
            "columns": [column.to_dict() for column in self.columns],
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        lines = [
            f"{e.finding.code} {e.kind:<5}  {e.finding.problem}{f'; {e.impact}' if e.impact else ''}"
            for e in self.entries
        ]
        return "\n".join([*([self.about] if self.about else []), *lines, self.summary])


def share(value: float) -> str:
    """A share, as .91.

    >>> share(0.914), share(1.0), share(-0.05)
    ('.91', '1.00', '−.05')
    """
    return f"{value:.2f}".replace("-", "−").replace("0.", ".", 1)
