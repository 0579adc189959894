"""What a run says about candidates that failed or were not reached: warnings once, and errors where none is left."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from sklearn.exceptions import FitFailedWarning

from foldless.core import Ask, Candidate, Fit, Task
from foldless.data._sample import Sample
from foldless.data._single_precision import first_not_finite
from foldless.engine._driving import Drive
from foldless.engine._run import Engine
from foldless.engine._warned import of_one_kind
from foldless.errors import (
    CandidatesFailed,
    FoldlessError,
    Interrupted,
    KeepJournal,
    Note,
    ReadLetters,
    StoppedEarly,
    Unfinished,
    WrongTypes,
    summary,
    warn_user,
)
from foldless.selection._request import Request

NOT_REUSED = "the journal holds answers, but none for this data, these candidates and this version: nothing was reused"
ALL_FAILED = "All the {n} fits failed. It is very likely that your model is misconfigured."
NOT_FINITE = "{name} holds {n:,} value{s} NaN or infinite, the first ({value}) in row {row} of column {column!r}"
IMPUTE = ("impute inside the candidate, for example make_pipeline(SimpleImputer(), model)", "drop the rows")
SAYS_SO = re.compile(r"\b(nan|inf|infinite|infinity|missing values?)\b", re.IGNORECASE)


class Run(Protocol):
    """What is read of a `Session` here."""

    engine: Engine
    sample: Sample
    request: Request
    task: Task
    candidates: tuple[Candidate, ...]
    journaled: int


def no_choice(
    session: Run, drive: Drive, failed: Mapping[Candidate, Exception], unfinished: Sequence[Candidate]
) -> FoldlessError:
    """Why a criterion has no choice at all."""
    journal = session.engine.journal
    if unfinished:
        kind = Interrupted if session.engine.stop.interrupted else Unfinished
        problem = f"{session.engine.stopped} before one candidate was complete"
        if journal is None:
            return kind(problem, remedy=KeepJournal())
        return kind(
            problem, remedy="run it again to continue, as its answers are in the journal" if len(journal) else ()
        )
    first, error = next(iter(failed.items()))
    how = _how(session, [drive.dropped[candidate] for candidate in failed])
    if drive.task.candidates:  # they did not fail, and cannot be judged without those that did
        which = f"the reference, {first.name}, {how}"
    elif len(failed) > 1:
        which = f"all {len(failed)} candidates {how}; the first, {first.name}"
    else:
        which = f"the only candidate, {first.name}, {how}"
    # scikit-learn's error for a bad parameter is of both kinds
    of_type = all(isinstance(each, TypeError) and not isinstance(each, ValueError) for each in failed.values())
    wrong = WrongTypes if of_type else CandidatesFailed
    own = error if isinstance(error, FoldlessError) else FoldlessError(f"{type(error).__name__}: {error}")
    problem, remedies = f"{which}{_where(session, drive, first)}: {own.problem}", list(own.remedies)
    at_fault = None if drive.task.candidates else _at_fault(session.sample, str(error))
    if at_fault is not None:
        said = problem.partition("\n")[0].rstrip(".:")  # scikit-learn goes on for paragraphs
        problem, remedies = f"{at_fault.problem}, and {said}", list(at_fault.remedies)
    elif drive.criterion.traits.asks_metrics and len(failed_fits := _failed_fits(session)) == len(session.engine.ran):
        problem = f"{ALL_FAILED.format(n=len(failed_fits))} {_same(failed_fits, error)}: {problem}"
    if drive.task.candidates:
        problem = f"{problem.rstrip('.')}; the other candidates cannot be judged without it"
        remedies.append("correct the reference, or name another one")
    nothing = wrong(problem, value=first, remedy=remedies)
    nothing.__cause__ = error
    return nothing


def warn_once(session: Run, drives: Sequence[Drive]) -> list[str]:
    """Warn of what the fits warned of, of failed candidates and of a stop; what belongs in the notes is returned."""
    engine, n, notes = session.engine, len(session.candidates), list[str]()
    for (category, text), times in of_one_kind(engine.warnings).items():
        if category is RuntimeWarning:  # of numpy, which says an operation and not whose
            text += ", in a classifier: constant columns, very large values or too narrow a kernel may cause this"
        warn_user(f"{text}{f' (in {times} fits)' if times > 1 else ''}", category)
    if session.journaled and not engine.resumed:
        notes.append(NOT_REUSED)
    failed = {
        c: e for drive in drives for c in drive.dropped if (e := session.engine.error(drive.dropped[c])) is not None
    }
    if failed and len(failed) < n and any(drive.choices for drive in drives):
        first, error = next(iter(failed.items()))
        how = _how(session, [drive.dropped[c] for drive in drives for c in drive.dropped if c in failed])
        text = f"{len(failed)} of {n} candidates {how} and are ranked last; {first.name}: {summary(error)}"
        warn_user(_with_splits(session, drives, text), FitFailedWarning)
    elif not failed and _failed_fits(session) and any(drive.choices for drive in drives):
        warn_user(_with_splits(session, drives, ""), FitFailedWarning)
    if engine.stopped is not None and any(drive.choices for drive in drives):
        lost = max(len(drive.dropped) for drive in drives if drive.choices)
        text = f"{engine.stopped}: chosen among the {n - lost} of {n} candidates that were complete"
        notes.append(text)
        warn_user(text, StoppedEarly)
    return notes


def _at_fault(sample: Sample, error: str) -> Note | None:
    """What of the data an error that is common to all candidates is about, where it is there, and the remedy."""
    if SAYS_SO.search(error) and (places := _not_finite(sample)):
        return Note(places, remedy=IMPUTE)
    if "empty vocabulary" in error:
        return Note("the texts have no word of two letters or more", remedy=ReadLetters())
    if "Expected 2D array" in error and len(shape := np.shape(sample.labeled)) == 1:
        return Note(f"X has the shape {shape}", remedy="pass X.reshape(-1, 1) if it is one column")
    return None


def _not_finite(sample: Sample) -> str:
    """Where labeled rows and pool hold NaN or infinite numbers; nothing where they hold none."""
    places = []
    for part, in_pool in ((sample.labeled, False), (sample.pool, True)):
        if part is not None and (place := first_not_finite(part)) is not None:
            name, row = sample.passed_as(place.row, in_pool=in_pool)
            s = " that is" if place.n == 1 else "s that are"
            place = place._replace(row=row)
            places.append(NOT_FINITE.format(name=name, s=s, **place._asdict()))
    return "; ".join(places)


def _failed_fits(session: Run) -> list[Exception]:
    """The errors of the fits that failed, those to one question aside."""
    return [error for which, error in session.engine.errors.items() if isinstance(which, Fit)]


def _with_splits(session: Run, drives: Sequence[Drive], text: str) -> str:
    """What failed in cross-validation, split by split and in the words of scikit-learn; else the text."""
    failed = _failed_fits(session)
    if not failed or not all(drive.criterion.traits.asks_metrics for drive in drives):
        return text
    instead, n = session.request.error_score, len(session.engine.ran)
    split = (
        f"{len(failed)} fits failed out of a total of {n}. The score on these train-test partitions for these "
        f"parameters will be set to {instead}. {_same(failed, failed[0])}"
    )
    return f"{split}: {summary(failed[0])}{'. ' * bool(text)}{text}"


def _same(errors: Sequence[Exception], first: Exception) -> str:
    alike = sum(summary(error) == summary(first) for error in errors)
    return f"{alike} fits failed with the following error"


def _how(session: Run, unanswered: Sequence[Ask]) -> str:
    """How candidates failed: in training, or in one answer only."""
    if any(ask.fit in session.engine.errors for ask in unanswered):
        return "failed to fit"
    return f"failed to give {unanswered[0].response}"


def _where(session: Run, drive: Drive, candidate: Candidate) -> str:
    """On what the first fit of a candidate failed, unless it had all labels."""
    fit, n = drive.dropped[candidate].fit, len(session.task.labeled)
    if session.engine.data.touched(fit.rows) != range(1):
        return f" on {len(fit.rows):,} rows of the pool as it labeled them"
    return "" if len(fit.rows) == n else f" on {len(fit.rows):,} of the {n:,} labeled rows"
