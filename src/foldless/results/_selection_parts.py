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
    """What labels that fits left out say: the estimate of the chosen model, and how others differ from it.

    ``average`` is what the members of an average add to it. ``measures`` are the metrics that a user named, and
    ``out_of_fold`` is what they are computed from.
    """

    estimate: Estimate | None = None
    temperature: float | None = None
    differences: Mapping[Candidate, Difference] = field(repr=False, default_factory=dict)
    average: AverageOutOfFold | None = field(repr=False, default=None)
    measures: tuple[MeasuredScore, ...] = ()
    out_of_fold: OutOfFoldAnswers | None = field(repr=False, default=None)


@dataclass(frozen=True, eq=False)
class AccuracyOnTest:
    """What test rows say: of candidates trained on every label, of the very model that was chosen, and of a constant.

    ``test_baseline`` is what always saying the most frequent class of the labels has on them; 0 of regressors.
    """

    test_accuracy: Mapping[Candidate, float] = field(repr=False, default_factory=dict)
    best_test_accuracy: float | None = None
    test_baseline: float | None = None


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
