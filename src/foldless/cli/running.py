"""One run of a command: the engine, the test rows beside the criterion, and every warning kept as a note."""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from foldless.cli.problems import Problem
from foldless.cli.remedies import worded
from foldless.core import Array, Candidate, Choice, Criterion
from foldless.core.certificate import SEVERAL
from foldless.data.opening import open_data
from foldless.engine.fits import label
from foldless.engine.progress import observer
from foldless.engine.run import Drive
from foldless.errors import BadInput, CandidatesFailed, StoppedEarly, Unfinished
from foldless.selection.compare import compare
from foldless.selection.selection import Comparison, Selection
from foldless.selection.session import Request, Session, TestLabels


@dataclass(frozen=True)
class Settings:
    """How to run, whatever the command."""

    n_jobs: int | None = None
    journal: str | None = None
    time_budget: float | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Run:
    """A selection or a comparison, the truth about the candidates where there are test rows, labels for the pool.

    ``beside`` is a selection that is only shown for comparison, ``beside_accuracy`` the truth about its choice.
    ``choice_accuracy`` is that of the model that was chosen, where it is not the candidate trained on every label.
    """

    result: Any
    test_accuracy: Mapping[Candidate, float] = field(default_factory=dict)
    pool_labels: Array | None = None
    notes: tuple[str, ...] = ()
    beside: Selection | None = None
    beside_accuracy: float | None = None
    choice_accuracy: float | None = None

    def accuracy_of(self, choice: Choice) -> float | None:
        """The truth about a choice of the selection, where it is known."""
        if choice is self.result.best and self.choice_accuracy is not None:
            return self.choice_accuracy
        of_labels = all(fit.labels is None for fit in choice.fits)
        return self.test_accuracy.get(choice.candidate) if of_labels else None


def select(
    problem: Problem,
    estimators: Any,
    criterion: Criterion,
    settings: Settings,
    *,
    predict: bool,
    keep: bool = False,
    beside: Criterion | None = None,
) -> Run:
    """Choose by one criterion; each candidate's fit on all labels is also asked about the test rows.

    The chosen model is there where the pool wants its labels or where it is to be kept. ``beside`` certifies too.
    """
    data = open_data(problem.X, problem.y, problem.pool, X_test=problem.X_test, y_test=problem.y_test)
    request = Request(
        estimators, None, n_jobs=settings.n_jobs, journal=settings.journal, time_budget=settings.time_budget,
        random_state=settings.seed,
    )  # fmt: skip
    _check_pool([criterion], problem)
    criteria = [criterion] if beside is None else [criterion, beside]
    test_full = [TestLabels] if data.test is not None and not criterion.holds_out else []
    with _warnings_kept((StoppedEarly, FitFailedWarning)) as told:
        session = Session(request, data, observer(1))
        drives = session.run([*criteria, *(test(session.test_rows, data.test_y) for test in test_full)])
        judged = drives[: len(criteria)]
        selection = session.selection(judged[0], refit=keep or problem.pool is not None)
        others = _others(session, judged[1:], told)
        labels, unsaid = label(selection.model, problem.pool) if predict else (None, 0)
        truth = {choice.candidate: choice.score for one in drives[len(criteria) :] for choice in one.choices or ()}
        if data.test is not None and criterion.holds_out:
            truth = {selection.best.candidate: _accuracy(session, selection)}
        ensemble = any(fit.labels is not None for fit in selection.best.fits)
        choice_truth = _accuracy(session, selection) if data.test is not None and ensemble else None
        others_truth = [_accuracy(session, one) for one in others if data.test is not None]
        selection = replace(_assuming(selection, problem), n_fits=session.counts(judged))
    notes = (*selection.notes, *told, *([SEVERAL] if others else []), *([unlabeled(unsaid)] if unsaid else []))
    compared = _assuming(others[0], problem) if others else None
    return Run(selection, truth, labels, notes, compared, others_truth[0] if others_truth else None, choice_truth)


def unlabeled(n: int) -> str:
    """What is said of rows that stay without a label."""
    return f"{n} rows have no label: the model reaches them from no labeled row"


def contrast(problem: Problem, estimators: Any, criteria: Sequence[Criterion], settings: Settings) -> Run:
    """Choose by several criteria with every common fit run once."""
    with _warnings_kept((StoppedEarly,)) as told:
        comparison: Comparison = compare(
            estimators, None, problem.X, problem.y, X_unlabeled=problem.pool, criteria=criteria,
            X_test=problem.X_test, y_test=problem.y_test, n_jobs=settings.n_jobs, journal=settings.journal,
            time_budget=settings.time_budget, random_state=settings.seed, verbose=1,
        )  # fmt: skip
    selections = {name: _assuming(one, problem) for name, one in comparison.selections.items()}
    return Run(replace(comparison, selections=selections), comparison.test_accuracy, notes=(*comparison.notes, *told))


def _others(session: Session, drives: Sequence[Drive], told: list[str]) -> list[Selection]:
    """What is only shown for comparison; where it has no choice, a sentence that says why."""
    made = []
    for one in drives:
        try:
            made.append(session.selection(one, refit=False))
        except (CandidatesFailed, Unfinished) as error:
            told.append(f"there is no certificate by {one.criterion.name} to compare with: {worded(error)}")
    return made


def _assuming(selection: Selection, problem: Problem) -> Selection:
    """A selection whose certificate also tells what reading the files took for granted."""
    made = selection.certificate
    if made is None:
        return selection
    return replace(selection, certificate=replace(made, assumes=(*made.assumes, *problem.assumes)))


def _accuracy(session: Session, selection: Selection) -> float:
    """The accuracy of the very model that was chosen on the test rows."""
    labels, truth = session.said(selection.best, session.test_rows), np.asarray(session.data.test_y)
    return float(np.mean((labels == truth) & (truth >= 0)))


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
