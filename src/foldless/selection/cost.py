"""cost: how many fits a run will take, by criterion, and about how long, before it is started.

Criteria are asked for their questions and sent invented answers: candidates that differ by chance only, so a race that
ends early takes fewer fits than foretold. The time is that of three fits of each estimator with their answers, scaled
by the rows of all others; fits that a learner batches by the hundred take less.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import joblib
import numpy as np

from foldless.checks import checked
from foldless.core import Array, Ask, Candidate, Criterion, Fit, Task
from foldless.criteria import resolve
from foldless.data._minus_one import ASSUMED
from foldless.data._opening import open_sample
from foldless.engine._driving import Drive
from foldless.engine._progress import Silent, duration
from foldless.errors import CannotAnswer, PassPool, counted
from foldless.selection._request import Request
from foldless.selection._road import needs_classes
from foldless.selection._session import Session

VERSIONS = 31  # different invented answers; fits that answer alike would count as one in a race
RIGHT = 0.8  # of invented answers
LEADING_SHARE = 0.5  # of the time, by the criteria that are named


@dataclass(frozen=True)
class Cost:
    """What a run will take.

    ``fits`` and ``seconds`` are those of each criterion by itself, by name; ``total`` and ``total_seconds`` of all of
    them, with shared fits once. Seconds are a rough estimate for this machine, 0 where no fit could be timed.
    """

    fits: Mapping[str, int]
    seconds: Mapping[str, float]
    total: int
    total_seconds: float

    def __str__(self) -> str:
        """The number of fits and the time in one sentence, with the criteria that take most of it."""
        text = f"{counted(self.total, 'fit')}, about {duration(self.total_seconds)}"
        if len(self.fits) < 2:
            return text
        leading: list[str] = []
        for name in sorted(self.seconds, key=lambda name: -self.seconds[name]):
            if sum(self.seconds[other] for other in leading) > LEADING_SHARE * sum(self.seconds.values()):
                break
            leading.append(name)
        return f"{text}, most of it for {' and '.join(leading)}"

    def time(self, name: str) -> str:
        """The time of one criterion in words."""
        return duration(self.seconds[name])

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def cost(
    estimator: Any,
    param_grid: Any,
    X: Any,
    y: Any,
    *,
    X_unlabeled: Any = None,
    unlabeled: Any = ASSUMED,
    criteria: Sequence[str | Criterion] = ("auto",),
    groups: Any = None,
    n_iter: int | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> Cost:
    """How many fits a choice by these criteria takes, and about how long.

    The arguments are those of `compare`. Up to four fits of each estimator are run to be timed. Criteria that the data
    or the candidates cannot serve are left out. Fits for an estimate of accuracy and for test rows come on top.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from foldless.selection.cost import cost
    >>> X, y = load_iris(return_X_y=True)
    >>> found = cost(LogisticRegression(max_iter=500), {"C": [0.1, 1, 10]}, X, y, criteria=["k_fold", "leave_one_out"])
    >>> dict(found.fits), found.total
    ({'k_fold': 15, 'leave_one_out': 450}, 465)
    """
    request = Request(estimator, param_grid, n_iter, n_jobs, random_state=random_state)
    sample = open_sample(
        X, y, X_unlabeled, kind=request.kind, groups=groups, unlabeled=unlabeled, random_state=random_state
    )
    session = Session(request, checked(sample), Silent())
    named = {criterion.name: criterion for criterion in map(resolve, criteria)}
    invented = _Invented(session.task, sum(map(len, session.sample.rows())))
    refused = {name: _refusal(session, criterion) for name, criterion in named.items()}
    asked = {name: invented.drive(criterion) for name, criterion in named.items() if refused[name] is None}
    if not asked:
        raise next(why for why in refused.values() if why is not None)
    rates = _rates(session)
    workers = joblib.effective_n_jobs(n_jobs)
    seconds = {name: _seconds(session, asks, rates) / workers for name, asks in asked.items()}
    every = {ask: None for asks in asked.values() for ask in asks}
    fits = {name: len({ask.fit for ask in asks}) for name, asks in asked.items()}
    return Cost(fits, seconds, len({ask.fit for ask in every}), _seconds(session, every, rates) / workers)


class _Invented:
    """Answers that no fit gave: mostly the label of a row, which is drawn by the class shares where it is not known.

    Values are drawn from those of the labels, with noise as wide as they are.
    """

    def __init__(self, task: Task, n_rows: int):
        self._task, self._rng = task, task.rng("invented answers")
        if task.regression:
            codes = self._rng.choice(task.y, (VERSIONS + 1, n_rows))
        else:
            codes = self._rng.choice(task.n_classes, (VERSIONS + 1, n_rows), p=task.class_shares())
        truth, wrong = codes[0], codes[1:]
        truth[: len(task.labeled)] = task.y
        self._codes = np.where(self._rng.random(wrong.shape) < RIGHT, truth, wrong)
        if task.regression:
            self._codes = self._codes + self._rng.normal(0, float(np.std(task.y)), wrong.shape)

    def drive(self, criterion: Criterion) -> dict[Ask, None]:
        """All questions that a criterion asks."""
        drive, asked = Drive(criterion, self._task), dict[Ask, None]()
        drive.advance()
        while drive.choices is None:
            asked |= dict.fromkeys(drive.pending)
            drive.advance([self._answer(ask) for ask in drive.pending])
        return asked

    def _answer(self, ask: Ask) -> Array:
        if ask.response == "evidence":
            return np.array([float(self._rng.normal())])
        if ask.beside:
            assert ask.reduce is not None
            return ask.reduce(self._plain(ask, ask.fit), *(self._plain(ask, fit) for fit in ask.beside))
        return ask.reduced(self._plain(ask, ask.fit))

    def _plain(self, ask: Ask, fit: Fit) -> Array:
        version = (fit.candidate.index + int.from_bytes(fit.rows.digest[:4], "little")) % VERSIONS
        rows = self._task.unlabeled if ask.rows == self._task.pool.stored else ask.rows
        labels: Array = self._codes[version, rows.indices]
        if ask.response in ("labels", "values"):
            return labels
        k = self._task.n_classes
        soft = np.full((len(labels), k), (1 - RIGHT) / max(1, k - 1))
        soft[np.arange(len(labels)), labels] = RIGHT
        return soft if ask.response == "probabilities" else np.log(soft)


def _refusal(session: Session, criterion: Criterion) -> CannotAnswer | None:
    if "pool" in criterion.needs and session.sample.pool is None:
        return CannotAnswer(f"{criterion.name} needs unlabeled rows", remedy=PassPool())
    if session.task.regression and not criterion.traits.regression:
        return needs_classes(criterion.name)
    return session.unable(criterion)


def _rates(session: Session) -> dict[int, tuple[float, float]]:
    """For each estimator the seconds of a fit on all labels, and those of an answer about one row."""
    task, engine, rates = session.task, session.engine, dict[int, tuple[float, float]]()
    rows = task.unlabeled if len(task.unlabeled) else task.labeled
    half = task.labeled.at(np.arange(0, len(task.labeled), 2))
    by_base: dict[int, list[Candidate]] = {}
    for candidate in session.candidates:
        by_base.setdefault(engine.recipes[candidate.index].base, []).append(candidate)
    for base, members in by_base.items():
        picked = list(dict.fromkeys([members[0], members[len(members) // 2], members[-1]]))
        with session.stop:
            engine.answer([Ask(task.fit(members[0], half), half, task.response)])  # may compile
            engine.answer([Ask(task.full(candidate), rows, task.response) for candidate in picked])
        spent = [engine.seconds[fit] for fit in map(task.full, picked) if fit in engine.seconds]
        if spent:
            each = float(np.mean([seconds.answer for seconds in spent])) / len(rows)
            rates[base] = (float(np.mean([seconds.fit for seconds in spent])), each)
    return rates


def _seconds(session: Session, asks: Iterable[Ask], rates: Mapping[int, tuple[float, float]]) -> float:
    """The time of all fits behind some questions, and of the answers."""
    fits, total, n = set[Fit](), 0.0, len(session.task.labeled)
    for ask in asks:
        of_fit, of_row = rates.get(session.engine.recipes[ask.fit.candidate.index].base, (0.0, 0.0))
        total += of_row * len(ask.rows)
        if ask.fit not in fits:
            fits.add(ask.fit)
            total += of_fit * len(ask.fit.rows) / n
    return total
