"""The one road from a sample, candidates and criteria to selections, behind search, compare and certify.

a session → the criteria that can be served → one run → a selection of each, measured on test rows.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from foldless.checks import checked, in_test, of_test
from foldless.core import Array, Ask, Candidate, Choice, Classes, Criterion, Evaluation, Task, Traits
from foldless.criteria import BY_NAME
from foldless.data._sample import Sample
from foldless.engine._callbacks import Hooks
from foldless.engine._driving import Drive
from foldless.engine._progress import Observer
from foldless.errors import CandidatesFailed, CannotAnswer, FoldlessError, PassPool, Unfinished
from foldless.judging._value_scoring import r2
from foldless.learners._search_memory import remembering
from foldless.results._selection_parts import AccuracyOnTest
from foldless.results.selection import Selection
from foldless.results.shift import Shift
from foldless.selection._request import Request
from foldless.selection._session import Session


@dataclass(frozen=True)
class Wanted:
    """What a run is to give beside its selections.

    ``refit`` names the criteria whose chosen models are wanted, ``required`` those without which nothing is run.
    ``measure_all`` trains every candidate for the test rows even where all criteria hold labels out.
    """

    refit: Collection[str] = ()
    required: Collection[str] = ()
    measure_all: bool = False


@dataclass(frozen=True, eq=False)
class Chosen:
    """The selections of a run by the names of their criteria, and why the other criteria have none.

    ``test_accuracy`` is the accuracy of each candidate trained on every label, and ``test_labels`` are the class codes
    that the chosen models predict for the test rows.
    """

    session: Session
    drives: Mapping[str, Drive]
    selections: Mapping[str, Selection]
    errors: Mapping[str, FoldlessError]
    test_accuracy: Mapping[Candidate, float]
    test_labels: Mapping[str, Array]
    shift: Shift | None = None

    def take(self, name: str, choice: Choice) -> Selection:
        """The selection of a criterion if this choice is taken, whatever its rank."""
        return self.session.taken(self.selections[name], choice)


@dataclass(frozen=True, eq=False)
class OnTestRows(Criterion):
    """Asks every candidate, trained on all labels, for the test rows; its score is the accuracy there, or R²."""

    rows: Any
    y: Any

    traits: ClassVar[Traits] = Traits(regression=True)

    @property
    def name(self) -> str:
        """Its rows are no part of it."""
        return "on_test_rows"

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield [Ask(task.full(c), self.rows, task.response) for c in task.candidates]
        return [
            Choice(c, accuracy(labels, self.y), (task.full(c),))
            for c, labels in zip(task.candidates, answers, strict=True)
        ]


def accuracy(labels: Array, y: Array) -> float:
    """The share of right labels; a class that the labeled rows do not hold is always missed. Of values it is R²."""
    if labels.dtype.kind == "f":
        return r2(y, labels)
    return float(np.mean((labels == y) & (y >= 0)))


@remembering()
def choose(
    request: Request,
    criteria: Mapping[str, Criterion],
    sample: Sample,
    wanted: Wanted,
    observer: Observer,
    hooks: Hooks | None = None,
) -> Chosen:
    """Run several criteria on the same candidates, every common fit once."""
    errors: dict[str, FoldlessError] = {
        name: CannotAnswer(f"{criterion.name} needs unlabeled rows", remedy=PassPool())
        for name, criterion in criteria.items()
        if "pool" in criterion.needs and sample.pool is None
    }
    if not isinstance(sample.target, Classes):
        errors |= {name: needs_classes(c.name) for name, c in criteria.items() if not c.traits.regression}
    _check_able(errors, criteria, wanted.required)  # before a journal is opened
    sample = checked(sample)
    session = Session(request, sample, observer, hooks)
    try:
        reasons = {name: errors.get(name) or session.unable(criterion) for name, criterion in criteria.items()}
        errors = {name: why for name, why in reasons.items() if why is not None}
        _check_able(errors, criteria, wanted.required)
    except FoldlessError:
        session.close()
        raise
    able = {name: criterion for name, criterion in criteria.items() if name not in errors}
    measured = sample.test is not None and (wanted.measure_all or not all(c.holds_out for c in able.values()))
    last = OnTestRows(session.test_rows, sample.test_y) if measured else None
    every = session.run(list(able.values()), refit=next(iter(able)) in wanted.refit, last=last)
    drives = dict(zip(able, every, strict=False))
    shift = session.shift
    session.notes += [shift.note] if shift is not None and shift.alarm else []
    selections: dict[str, Selection] = {}
    for name, drive in drives.items():
        try:
            selections[name] = session.selection(drive, refit=name in wanted.refit)
        except (CandidatesFailed, CannotAnswer, Unfinished) as error:
            errors[name] = error
    if not selections:
        raise next(errors[name] for name in drives)
    truth = {c.candidate: c.score for c in every[-1].choices or ()} if measured else None
    labels: dict[str, Array] = {}
    if sample.test is not None:
        predicted = {name: _test_labels(session, selection.best) for name, selection in selections.items()}
        labels = {name: codes for name, codes in predicted.items() if codes is not None}
        seen = in_test(sample)
        selections = {
            name: _measured(s, truth, labels.get(name), sample.test_y, seen) for name, s in selections.items()
        }
    n_fits = session.counts(every if wanted.measure_all else list(drives.values()))  # test rows may train a model too
    selections = {
        name: replace(s, run=replace(s.run, n_fits=n_fits), data=replace(s.data, shift=shift))
        for name, s in selections.items()
    }
    return Chosen(session, drives, selections, errors, truth or {}, labels, shift)


def needs_classes(name: str) -> CannotAnswer:
    """Why a criterion cannot rank regressors, and which can."""
    able = [other for other, kind in BY_NAME.items() if kind.traits.regression]
    return CannotAnswer(
        f"{name} needs classes, and regressors predict numbers", value=name, remedy=f"choose one of {', '.join(able)}"
    )


def _check_able(errors: Mapping[str, FoldlessError], criteria: Collection[str], required: Collection[str]) -> None:
    """Raise where a required criterion, or every criterion, cannot be served."""
    if needed := [errors[name] for name in required if name in errors]:
        raise needed[0]
    if len(errors) == len(criteria):
        remedies = dict.fromkeys(remedy for why in errors.values() for remedy in why.remedies)
        raise CannotAnswer("; ".join(why.problem for why in errors.values()), remedy=list(remedies))


def _test_labels(session: Session, best: Choice) -> Array | None:
    """What the very model of a choice predicts for the test rows; None where there is no time to train it."""
    try:
        return session.labels_of(best, session.test_rows)
    except (CandidatesFailed, Unfinished):
        return None


def _measured(
    selection: Selection, truth: Mapping[Candidate, float] | None, labels: Any, y: Any, seen: Array | None
) -> Selection:
    """A selection with the accuracy on the test rows, of its candidates and of the very model that was chosen.

    ``seen`` marks the test rows that are labeled rows.
    """
    best = None if labels is None else accuracy(labels, y)
    if seen is not None and best is not None:
        without = None if seen.all() else accuracy(labels[~seen], y[~seen])
        metric = "R²" if labels.dtype.kind == "f" else "accuracy"
        selection = replace(selection, notes=(*selection.notes, of_test(seen, metric, best, without)))
    if selection.criterion.holds_out:  # a model with every label is not what it offers
        known: Mapping[Candidate, float] = {} if best is None else {selection.best.candidate: best}
    else:
        known = truth or {}
    # always saying the most frequent class of the labels; R² of the mean is 0
    constant = 0.0 if selection.regression else float(np.mean(np.asarray(y) == int(selection.label_shares.argmax())))
    return replace(selection, tested=AccuracyOnTest(known, best, constant))
