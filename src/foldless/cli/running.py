"""One run of a command: the engine, the test rows beside the criterion, and every warning kept as a note."""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sklearn.exceptions import FitFailedWarning

from foldless.cli.tables import Problem
from foldless.comparing import compare
from foldless.core import Array, Candidate, Criterion
from foldless.data import open_data
from foldless.engine.progress import observer
from foldless.engine.selecting import Request, Session, TestLabels
from foldless.errors import BadInput, StoppedEarly
from foldless.results import Comparison, Selection


@dataclass(frozen=True)
class Settings:
    """How to run, whatever the command."""

    n_jobs: int | None = None
    journal: str | None = None
    time_budget: float | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Run:
    """A selection or a comparison, the truth about the candidates where there are test rows, labels for the pool."""

    result: Any
    test_accuracy: Mapping[Candidate, float] = field(default_factory=dict)
    pool_labels: Array | None = None
    notes: tuple[str, ...] = ()


def select(
    problem: Problem, estimators: Any, criterion: Criterion, settings: Settings, *, predict: bool, keep: bool = False
) -> Run:
    """Choose by one criterion; each candidate's fit on all labels is also asked about the test rows.

    The chosen model is there where the pool wants its labels or where it is to be kept.
    """
    data = open_data(problem.X, problem.y, problem.pool, X_test=problem.X_test, y_test=problem.y_test)
    request = Request(
        estimators, None, n_jobs=settings.n_jobs, journal=settings.journal, time_budget=settings.time_budget,
        random_state=settings.seed,
    )  # fmt: skip
    _check_pool([criterion], problem)
    with _warnings_kept((StoppedEarly, FitFailedWarning)) as told:
        session = Session(request, data, observer(1))
        test = [] if data.test is None else [TestLabels(session.test_rows, data.test_y)]
        chosen, *tested = session.run([criterion, *test])
        selection: Selection = session.selection(chosen, refit=keep or problem.pool is not None)
        labels = selection.model.predict(problem.pool) if predict else None
    truth = {choice.candidate: choice.score for one in tested for choice in one.choices or ()}
    return Run(selection, truth, labels, (*selection.notes, *told))


def contrast(problem: Problem, estimators: Any, criteria: Sequence[Criterion], settings: Settings) -> Run:
    """Choose by several criteria with every common fit run once."""
    with _warnings_kept((StoppedEarly,)) as told:
        comparison: Comparison = compare(
            estimators, None, problem.X, problem.y, X_unlabeled=problem.pool, criteria=criteria,
            X_test=problem.X_test, y_test=problem.y_test, n_jobs=settings.n_jobs, journal=settings.journal,
            time_budget=settings.time_budget, random_state=settings.seed, verbose=1,
        )  # fmt: skip
    return Run(comparison, comparison.test_accuracy, notes=(*comparison.notes, *told))


def _check_pool(criteria: Sequence[Criterion], problem: Problem) -> None:
    for criterion in criteria:
        if "pool" in criterion.needs and problem.pool is None:
            raise BadInput(f"{criterion.name} needs unlabeled rows: pass --unlabeled, or leave some labels empty")


@contextmanager
def _warnings_kept(shown_elsewhere: tuple[type[Warning], ...]) -> Iterator[list[str]]:
    """Warnings as sentences: the first line of each, once."""
    told: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield told
    for warning in caught:
        if not issubclass(warning.category, shown_elsewhere):
            text = str(warning.message)
            times = re.search(r" \(in \d+ fits\)$", text)
            first = text.splitlines()[0].removesuffix(times[0] if times else "").rstrip(".: ")
            told.append(first + (times[0] if times else ""))
    told[:] = dict.fromkeys(told)
