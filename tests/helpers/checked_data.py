"""Data for one check, and a cheap model whose answers a test decides."""

from typing import Any

import numpy as np
import pandas as pd

from foldless.checks._check import Diagnosis, registered
from foldless.checks._checked_data import CheckedData, HeldOutAnswers, Variant
from foldless.data._opening import open_sample


class FixedFits:
    """Out-of-fold answers that a test decides: with all columns, and for forms that leave some out."""

    def __init__(self, right: Any, codes: Any = None, probabilities: Any = None, without: Any = None):
        right = np.asarray(right, dtype=float)
        codes = np.zeros(len(right), dtype=int) if codes is None else np.asarray(codes)
        sure = np.full((len(right), 2), 0.5) if probabilities is None else np.asarray(probabilities)
        rows = np.arange(len(right))
        self._plain = HeldOutAnswers(rows, codes, right, right > 0.5, sure, rows)
        self._without = None if without is None else self._plain._replace(right=np.asarray(without, dtype=float))
        self.model, self.quantity, self.failed = "a model", "accuracy", False

    def answers(self, variant: Variant | None = None) -> HeldOutAnswers | None:
        return self._plain if variant is None or self._without is None else self._without

    def blended(self) -> Any:
        return self._plain.probabilities

    def on_test(self) -> Any:
        return None

    def leave_out(self, columns: Any) -> None: ...


def data_of(columns: Any, y: Any = None, pool: Any = None, test: Any = None, **more: Any) -> CheckedData:
    """Labeled rows, pool and test rows from columns; labels are coins if none are given."""
    labeled, pool, test = (None if part is None else pd.DataFrame(part) for part in (columns, pool, test))
    y = np.random.default_rng(0).integers(2, size=len(labeled)) if y is None else np.asarray(y)
    common = [name for name in labeled if all(part is None or name in part for part in (pool, test))]
    alike = [name for name in common if pool is None or labeled[name].dtype.kind == pool[name].dtype.kind]
    cut = [None if part is None else part[alike] for part in (labeled, pool, test)]
    y_test = None if test is None else np.resize(y, len(test))
    sample = open_sample(
        cut[0], y, cut[1], X_test=cut[2], y_test=y_test, unlabeled=None, groups=more.pop("groups", None)
    )
    return CheckedData(sample, labeled, pool, test, **more)


def diagnoses(code: str, columns: Any, y: Any = None, **parts: Any) -> list[Diagnosis]:
    """What one check finds."""
    return registered()[code].diagnoses(data_of(columns, y, **parts))


def codes_of(code: str, columns: Any, y: Any = None, **parts: Any) -> list[str]:
    """The codes of what one check finds."""
    return [each.finding.code for each in diagnoses(code, columns, y, **parts)]


def numbers(n: int = 100, width: int = 3, seed: int = 0) -> dict[str, Any]:
    """Columns of normal numbers."""
    X = np.random.default_rng(seed).normal(size=(n, width))
    return {f"x{at}": X[:, at] for at in range(width)}
