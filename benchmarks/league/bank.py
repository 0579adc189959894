"""A bank of answers: what all fits of a setting answer, so that criteria are played on it without training anything.

    python -m benchmarks.league.bank [--out build/bank] [--sets A B] [--labels 20 60 200] [--seeds 0]
    python -m benchmarks.league.bank --play [--out build/bank]      regret and fits of the criteria in ROWS

A setting is a data set, a number of labels and a seed. All candidates of the league's supervised families but boosting
are trained on the resamples of ``auto``, on five folds and on every label, and asked for labels and probabilities (or
scores) of labeled rows, pool and test rows. `Bank` then answers the questions of a criterion. A folder that holds a
setting is not asked for it again. Regret is as in the league; ± is one standard error over sets.
"""

import argparse
import os
import time
import warnings
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from benchmarks.league.families import SEMI, estimators
from benchmarks.places import DATA
from benchmarks.sets import SETS, draw, kind_of
from foldless.core import Array, Ask, Candidate, Choice, Classes, Criterion, Fit, PoolRows, Rows, Task, ranked
from foldless.core._vote import Vote
from foldless.criteria import Auto, Combination, KFold
from foldless.criteria.racing import resamples
from foldless.data._opening import open_sample
from foldless.engine._candidates import build
from foldless.engine._run import Engine

POOL, TEST, FOLDS = 400, 800, 5  # rows of pool and test that are answered; a race asks about so many pool rows
COSTLY = ("boosting",)  # a third of the time of a table

ROWS: dict[str, Criterion] = {
    "5-fold": KFold(FOLDS),
    "auto": Auto(),
    "auto, effort 0.5": Auto(effort=0.5),
    "auto, average": Auto(offer="average"),
    "combination": Combination(),
}


def trained(name: str, n: int, seed: int, folder: Path) -> dict[str, Any] | None:
    """The answers of a setting, by candidate, fit and row; None where the set does not serve it."""
    drawn = draw(name, n, seed, "plain", folder)
    if drawn is None:
        return None
    X, y, labeled, pool, test = drawn
    y = np.unique(y, return_inverse=True)[1]
    known = np.unique(y[labeled])
    rows = [*range(n), *range(pool.start, pool.stop)[:POOL], *range(test.start, len(y))[:TEST]]
    X, truth = X[rows], np.searchsorted(known, y[rows])
    truth[~np.isin(y[rows], known)] = len(known)  # a class without a label: wrong whatever is answered
    m = min(POOL, pool.stop - pool.start)
    learners = {
        learner: value for learner, value in estimators(X, len(known), n).items() if learner not in (*SEMI, *COSTLY)
    }
    sample = open_sample(
        X[:n], truth[:n], X[n:], random_state=seed
    )  # no candidate reads the pool, so test rows may be in it
    candidates, recipes = build(learners, None, None, seed)
    task = _task(truth[:n], n, m, candidates, seed)
    trains = [task.labeled, *(f.train for f in task.folds(FOLDS)), *(d.train for d in resamples(task))]
    fits = [[task.fit(c, train) for train in trains] for c in candidates]
    every = Rows(range(len(rows)))
    engine = Engine(sample, recipes)
    asks = [[(Ask(f, every), Ask(f, every, _soft(f.candidate))) for f in of_one] for of_one in fits]
    engine.answer([ask for of_one in asks for pair in of_one for ask in pair])
    engine_labels = [[engine.answers[hard] for hard, _ in of_one] for of_one in asks]
    return {
        "names": [c.name for c in candidates],
        "families": [str(c.params["estimator"]) for c in candidates],
        "soft": [_soft(c) for c in candidates],
        "sizes": (n, m),
        "truth": truth,
        "labels": np.array(engine_labels, dtype=np.uint8),
        "outputs": np.array([[engine.answers[soft] for _, soft in of_one] for of_one in asks], dtype=np.float16),
    }


def _soft(candidate: Candidate) -> Any:
    return candidate.respond("probabilities", "scores") or "labels"


def _task(y: Array, n: int, m: int, candidates: Sequence[Candidate], seed: int) -> Task:
    target = Classes(y, np.arange(y.max() + 1))
    return Task(target, Rows(range(n)), PoolRows(Rows(range(n, n + m))), tuple(candidates), len(candidates), seed)


class Bank:
    """The answers of a setting for the candidates of one family, or of all."""

    def __init__(self, path: Path, family: str | None = None):
        with np.load(path, allow_pickle=False) as held:
            stored = {key: held[key] for key in held.files}
        at = np.flatnonzero(np.ones(len(stored["names"]), bool) if family is None else stored["families"] == family)
        self.names, self.truth = stored["names"][at], stored["truth"]
        self._labels, self._outputs = stored["labels"][at], stored["outputs"][at]
        (n, m), self.seed = stored["sizes"], int(path.stem.split("_")[-1])
        self.test = slice(n + m, None)
        candidates = tuple(
            Candidate(
                place, str(stored["names"][where]), {"estimator": str(stored["families"][where])},
                frozenset({"labels", str(stored["soft"][where])}),
            )
            for place, where in enumerate(at)
        )  # fmt: skip
        self.task = _task(self.truth[:n], n, m, candidates, self.seed)
        trains = [
            self.task.labeled,
            *(f.train for f in self.task.folds(FOLDS)),
            *(d.train for d in resamples(self.task)),
        ]
        self._place = {train: place for place, train in reversed([*enumerate(trains)])}
        right = self._labels[:, 0, self.test] == self.truth[self.test]
        self.accuracy: Array = right.mean(axis=1)  # of each candidate, trained on every label

    def answer(self, ask: Ask) -> Array:
        """What a fit answers."""
        held = self._labels if ask.response == "labels" else self._outputs
        answers = held[ask.fit.candidate.index, self._place[ask.fit.rows], ask.rows.indices]
        return np.asarray(answers, dtype=np.int64 if ask.response == "labels" else float)

    def played(self, criterion: Criterion) -> tuple[list[Choice], int]:
        """What a criterion makes of the answers, and how many fits it asks."""
        asked: set[Fit] = set()
        evaluation = criterion.evaluate(self.task)
        asks = next(evaluation)
        while True:
            asked |= {ask.fit for ask in asks}
            try:
                asks = evaluation.send([self.answer(ask) for ask in asks])
            except StopIteration as end:
                return end.value, len(asked)

    def correct(self, fits: Sequence[Fit], vote: Vote) -> float:
        """The accuracy of a model of several fits on the test rows."""
        rows = Rows(range(self.test.start, len(self.truth)))
        answers = [self.answer(Ask(fit, rows, vote.response_of(at))) for at, fit in enumerate(fits)]
        winners = vote.winners(vote.shares(answers, self.task.n_classes))
        return float(np.mean(winners == self.truth[self.test]))


def play(folder: Path) -> None:
    """Print the regret of all rows, relative to 5-fold, on all stored settings: families, and all candidates."""
    regrets: dict[str, dict[str, list[tuple[float, float]]]] = {name: {} for name in ROWS}
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as held:
            families = [*np.unique(held["families"]), None]
        for family in families:
            bank = Bank(path, family)
            for name, criterion in ROWS.items():
                choices, fits = bank.played(criterion)
                first = ranked(criterion, choices)[0]
                fits += not isinstance(criterion, Auto | Combination)  # the final model
                lost = float(bank.accuracy.max()) - bank.correct(first.fits, first.vote)
                of_set = regrets[name].setdefault(path.stem.rsplit("_", 2)[0], [])
                of_set.append((lost, fits / (FOLDS * len(bank.names) + 1)))
    for kind, names in _kinds(list(regrets["5-fold"])).items():
        base = np.array([np.mean(regrets["5-fold"][name], axis=0)[0] for name in names])
        print(f"{kind}: {len(names)} sets, {sum(len(regrets['5-fold'][name]) for name in names)} choices")
        for row, by_set in regrets.items():
            means = np.array([np.mean(by_set[name], axis=0) for name in names])
            ratio, error = _ratio(means[:, 0], base)
            print(f"  {row:18} {ratio:.2f} ± {error:.2f} of 5-fold's regret, {means[:, 1].mean():.2f} of its fits")


def _kinds(names: list[str]) -> dict[str, list[str]]:
    text = [name for name in names if kind_of(name) == "text"]
    groups = {"all": names, "tables": [name for name in names if name not in text], "texts": text}
    return {kind: members for kind, members in groups.items() if members}


def _ratio(ours: Array, base: Array) -> tuple[float, float]:
    """The ratio of two means over sets, with its standard error by the jackknife."""
    n = len(base)
    without = np.array([(ours.sum() - ours[at]) / (base.sum() - base[at]) for at in range(n)]) if n > 1 else np.zeros(1)
    return float(ours.sum() / base.sum()), float(np.sqrt((n - 1) * without.var()))


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("build/bank"))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--labels", type=int, nargs="*", default=[20, 60, 200])
    parser.add_argument("--seeds", type=int, nargs="*", default=[0])
    parser.add_argument("--play", action="store_true", help="only print regrets on what is stored")
    arguments = parser.parse_args(words)
    arguments.out.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    if arguments.play:
        play(arguments.out)
        return
    for seed, name, n in product(arguments.seeds, arguments.sets, arguments.labels):
        path = arguments.out / f"{name}_{n}_{seed}.npz"
        if path.exists():
            continue
        start = time.process_time()
        if (answers := trained(name, n, seed, arguments.data)) is not None:
            np.savez(path, **answers)
            print(f"{path.stem}: {time.process_time() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
