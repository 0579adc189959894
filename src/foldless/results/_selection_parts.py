"""What a selection is made of: how the run went, labels beside pool, what held-out labels and test rows say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd

from foldless.core import Candidate, FitCounts, Task
from foldless.results.contribution import AverageOutOfFold
from foldless.results.difference import Difference
from foldless.results.estimate import Estimate
from foldless.results.measured import MeasuredScore
from foldless.results.out_of_fold import OutOfFoldAnswers
from foldless.results.shift import Shift
from foldless.results.timing import Timing

NO_SHARES = pd.Series(dtype=float, index=pd.Index([], name="class"), name="share")
"""Of a regression, which has no classes."""


@dataclass(frozen=True, eq=False)
class RunRecord:
    """How a run went: the candidates without a score, the fits and their times, and why it ended early if it did."""

    failed: Mapping[Candidate, Exception] = field(default_factory=dict)
    unfinished: tuple[Candidate, ...] = ()
    n_fits: FitCounts = field(default_factory=FitCounts)
    timings: Mapping[Candidate, Timing] = field(repr=False, default_factory=dict)
    stopped: str | None = None
    refit_seconds: float = 0.0


@dataclass(frozen=True, eq=False)
class LabelsAndPool:
    """Class shares in the labels, those that the chosen model predicts in the pool, and whether the two are alike."""

    label_shares: "pd.Series[float]" = field(default_factory=NO_SHARES.copy)
    shares: "pd.Series[float] | None" = None
    shift: Shift | None = None


@dataclass(frozen=True, eq=False)
class OnHeldOutLabels:
    """What held-out labels say: the estimate of the chosen model, and how others differ from it."""

    estimate: Estimate | None = None
    temperature: float | None = None
    differences: Mapping[Candidate, Difference] = field(repr=False, default_factory=dict)
    average: AverageOutOfFold | None = field(repr=False, default=None)
    measures: tuple[MeasuredScore, ...] = ()
    out_of_fold: OutOfFoldAnswers | None = field(repr=False, default=None)


@dataclass(frozen=True, eq=False)
class AccuracyOnTest:
    """What test rows say of candidates trained on every label, of the very model that was chosen, and of a constant."""

    test_accuracy: Mapping[Candidate, float] = field(repr=False, default_factory=dict)
    best_test_accuracy: float | None = None
    test_baseline: float | None = None


class FromParts:
    """What the parts of a selection hold, as attributes of the selection itself."""

    run: RunRecord
    data: LabelsAndPool
    held_out: OnHeldOutLabels
    tested: AccuracyOnTest

    @property
    def failed(self) -> Mapping[Candidate, Exception]:
        """The candidates that could not be fitted, with their errors."""
        return self.run.failed

    @property
    def unfinished(self) -> tuple[Candidate, ...]:
        """The candidates that were not complete when the run stopped."""
        return self.run.unfinished

    @property
    def n_fits(self) -> FitCounts:
        """Fits run, shared, resumed from a journal, and run once more at the end."""
        return self.run.n_fits

    @property
    def timings(self) -> Mapping[Candidate, Timing]:
        """The seconds that the fits and answers of each candidate took."""
        return self.run.timings

    @property
    def stopped(self) -> str | None:
        """Why the run ended early, or None."""
        return self.run.stopped

    @property
    def refit_seconds(self) -> float:
        """How long the chosen model was trained on every label."""
        return self.run.refit_seconds

    @property
    def label_shares(self) -> "pd.Series[float]":
        """Class shares in the labels; empty for regressors."""
        return self.data.label_shares

    @property
    def shares(self) -> "pd.Series[float] | None":
        """Class shares as the chosen model predicts them in the pool; None for regressors and without a pool."""
        return self.data.shares

    @property
    def shift(self) -> Shift | None:
        """Whether the pool is like the labels; None without a pool, or where the rows cannot be compared."""
        return self.data.shift

    @property
    def estimate(self) -> Estimate | None:
        """The accuracy of the chosen model on new rows with its interval.

        None where it was not asked for, or where the notes say why.
        """
        return self.held_out.estimate

    @property
    def measures(self) -> tuple[MeasuredScore, ...]:
        """The metrics that were named with ``scoring=``, each with its interval; `foldless.measured` adds others."""
        return getattr(self.held_out, "measures", ())  # a pickle of an earlier release has none

    @property
    def out_of_fold(self) -> OutOfFoldAnswers | None:
        """What the metrics are computed from: what fits said of labels that they left out."""
        return getattr(self.held_out, "out_of_fold", None)  # a pickle of an earlier release has none

    @property
    def temperature(self) -> float | None:
        """What divides the scores of a model without probabilities, so that their softmax is that of each class.

        It comes from the out-of-fold scores of the estimate.
        """
        return self.held_out.temperature

    @property
    def differences(self) -> Mapping[Candidate, Difference]:
        """How much less accurate candidates are than the chosen one on the same held-out labels, with intervals."""
        return self.held_out.differences

    @property
    def average(self) -> AverageOutOfFold | None:
        """What each member of an average adds to it on held-out labels; None where the model is no average."""
        return self.held_out.average

    @property
    def test_accuracy(self) -> Mapping[Candidate, float]:
        """With test rows, the accuracy on them of each candidate trained on every label; R² of regressors.

        Of a criterion that holds labels out, only that of the model it chose.
        """
        return self.tested.test_accuracy

    @property
    def best_test_accuracy(self) -> float | None:
        """The accuracy on the test rows of the very model that was chosen, an ensemble too."""
        return self.tested.best_test_accuracy

    @property
    def test_baseline(self) -> float | None:
        """The accuracy on the test rows of always saying the most frequent class of the labels; 0 of regressors."""
        return self.tested.test_baseline


class SelectionInputs(NamedTuple):
    """What a selection was made from: the opened rows, the task, and the candidates; nothing of it is copied."""

    data: Any
    task: Task
    recipes: Sequence[Any]
    n_jobs: int | None


PARTS: dict[str, Any] = {"run": RunRecord, "data": LabelsAndPool, "held_out": OnHeldOutLabels, "tested": AccuracyOnTest}


def grouped(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state of a selection that was pickled by an earlier release, whose fields were all its own."""
    state = dict(state)
    for part, kind in PARTS.items():
        if part not in state:
            names = [name for name in kind.__dataclass_fields__ if name in state]
            state[part] = kind(**{name: state.pop(name) for name in names})
    return state
