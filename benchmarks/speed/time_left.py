"""How well the progress line knows the time left: what it says at four moments of five runs, beside what was true.

``python -m benchmarks.speed.time_left`` prints a row for each run, as in the docs: the default portfolio on data sets
of several sizes, with the time budget of ``foldless select`` and without one, and a grid of forests. Every run is a
process of its own. Time is that of the processor, since other programs on a machine make a run longer in ways that
nobody can foresee; ``--wall`` takes the time on the wall. ``within two`` says whether all four are within a factor of
two, or a second, of the truth.

``--rates`` prints the seconds of a fit of each kind of model in the default portfolio, by which the time of kinds that
were not trained yet is foreseen.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier

from benchmarks.measuring import told_by, versions
from benchmarks.speed.default_calls import drawn
from foldless import FoldlessSearch
from foldless.core import Ask
from foldless.criteria import Combination, KFold
from foldless.data._opening import open_sample
from foldless.engine._candidates import last_step
from foldless.engine._progress import Account, Silent
from foldless.portfolio import default_candidates
from foldless.selection import watching
from foldless.selection._request import Request
from foldless.selection._session import Session

MODULE = "benchmarks.speed.time_left"
MOMENTS = (0.1, 0.25, 0.5, 0.75)  # shares of a run
SLACK = 1.0  # seconds that nobody minds
FOREST = {"max_features": [0.2, 0.5, 1.0], "min_samples_leaf": [1, 5]}


def _of_package(load: Callable[..., Any], n: int) -> tuple[Any, Any, Any]:
    X, y = load(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X[order[:n]], y[order[:n]], X[order[n:]]


SETS: dict[str, Callable[[], tuple[Any, Any, Any]]] = {
    "breast cancer, 150 labels": lambda: _of_package(load_breast_cancer, 150),
    "made, 300 x 20": lambda: drawn(300, 20, 1000),
    "digits, 500 labels": lambda: _of_package(load_digits, 500),
    "made, 3,000 x 30": lambda: drawn(3000, 30, 6000),
}
Search = Callable[[], FoldlessSearch]
RUNS: dict[str, tuple[str, Search]] = {
    "portfolio, breast cancer": ("breast cancer, 150 labels", lambda: _default(None)),
    "portfolio, 300 x 20": ("made, 300 x 20", lambda: _default(None)),
    "portfolio, digits, 30 s": ("digits, 500 labels", lambda: _default(30.0)),
    "portfolio, 3,000 x 30, 30 s": ("made, 3,000 x 30", lambda: _default(30.0)),
    "grid of forests, 300 x 20": ("made, 300 x 20", lambda: _forests()),
}


def _default(budget: float | None) -> FoldlessSearch:
    return FoldlessSearch(criterion=Combination(), time_budget=budget, random_state=0, verbose=1)


def _forests() -> FoldlessSearch:
    forest = RandomForestClassifier(random_state=0)
    return FoldlessSearch(forest, FOREST, criterion=KFold(5), random_state=0, verbose=1)


class _Recorded(Account):
    """Keeps what the line says whenever it changes."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[float, float | None]] = []

    def expect(self, fits: int) -> None:
        super().expect(fits)
        self._keep()

    def advance(self, fits: int) -> None:
        super().advance(fits)
        self._keep()

    def _keep(self) -> None:
        now = time.monotonic()
        self.said.append(
            (now - self._began, None if self._left.seconds is None else now - self._began + self._left.seconds)
        )


def _recorded(name: str, wall: bool) -> dict[str, Any]:
    """The seconds of a run, and the time left that was shown at each of the moments."""
    if not wall:
        time.monotonic = time.perf_counter = time.process_time  # in this process only
    data, search = RUNS[name]
    X, y, pool = SETS[data]()
    kept = _Recorded()
    setattr(watching, "observer", lambda _: kept)  # noqa: B010 (in this process only)
    kept._began = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search().fit(X, y, X_unlabeled=pool)
    total = time.monotonic() - kept._began
    said = []
    for moment in MOMENTS:
        ends = [end for at, end in kept.said if at <= moment * total]
        said.append(None if not ends or ends[-1] is None else max(0.0, ends[-1] - moment * total))
    return {"total": total, "said": said}


def _row(name: str, total: float, said: list[float | None]) -> str:
    true = [(1 - moment) * total for moment in MOMENTS]
    shown = [f"{'nothing' if s is None else f'{s:.1f}'} ({t:.1f})" for s, t in zip(said, true, strict=True)]
    good = all(s is not None and _near(s, t) for s, t in zip(said, true, strict=True))
    return f"| {name} | {total:.1f} | {' | '.join(shown)} | {'yes' if good else 'no'} |"


def _near(said: float, true: float) -> bool:
    return abs(said - true) <= SLACK or 0.5 <= said / true <= 2


def _rates() -> None:
    """Seconds of the processor that a fit takes, by kind of model and data set."""
    print("| rows × columns | model | fits | seconds of a fit |\n|---|---|---|---|")
    for load in SETS.values():
        X, y, pool = load()
        session = Session(
            Request(default_candidates(X, n_labels=len(y)), None, random_state=0), open_sample(X, y, pool), Silent()
        )
        train, test = (fold := session.task.folds(5)[0]).train, fold.test
        spent: dict[str, list[float]] = {}
        for _ in range(2):  # the first compiles
            spent = {}
            for candidate in session.candidates:
                ask = Ask(
                    session.task.fit(candidate, train), test, candidate.respond("probabilities", "scores") or "labels"
                )
                session.engine.answers.pop(ask, None)
                start = time.process_time()
                session.engine.answer([ask])
                kind = type(last_step(session.engine.recipes[candidate.index].estimator)).__name__
                spent.setdefault(kind, []).append(time.process_time() - start)
        for kind, seconds in spent.items():
            print(f"| {X.shape[0]} × {X.shape[1]} | {kind} | {len(seconds)} | {np.mean(seconds):.3f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=tuple(RUNS))
    parser.add_argument("--rates", action="store_true", help="the seconds of a fit of each kind of model")
    parser.add_argument("--wall", action="store_true", help="time on the wall, of a machine that does nothing else")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(_recorded(arguments.child, arguments.wall)))
        return
    print(versions())
    if arguments.rates:
        _rates()
        return
    head = " | ".join(f"left at {moment:.0%}" for moment in MOMENTS)
    print(f"| run | seconds | {head} | within two |\n|{'---|' * (3 + len(MOMENTS))}")
    for name in arguments.runs:
        recorded = told_by(MODULE, "--child", name, *(["--wall"] if arguments.wall else []))
        print(_row(name, **recorded), flush=True)


if __name__ == "__main__":
    main()
