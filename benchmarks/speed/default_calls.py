"""What a user types: default searches, whole, with what each part takes, beside searches of scikit-learn.

``FoldlessSearch(LinearSVC(), {"C": ...}).fit(X, y, X_unlabeled=pool)`` with its estimate, its comparison of labels and
pool and its notes, ``FoldlessSearch()`` (on 300x20), a grid of forests, and ``foldless select``: the first call in a
fresh process and the best of some later ones, with ``n_jobs`` None, 1 and 2. Every line is a process of its own;
imports are timed in one that does nothing else. HalvingGridSearchCV and LogisticRegressionCV stand
beside the tables of numbers only. The parts are in seconds of the processor, which other programs on the
machine disturb less, of this process alone: what worker processes do is not in them.

``checks`` is what estimate and comparison take over what the rest of the call takes. It should be at most .25, or both
together at most .2 s. ``times as fast`` is the wall time of GridSearchCV(cv=5, n_jobs=2) over that of the line, and
``by processor`` the seconds of the processor of both with one job, which a busy machine changes least. ``--record``
keeps the latter; later runs end with status 1 where a line has lost more than a fifth of it, or where two jobs take
more than 1.1 times as long as one (.65 with forests) on a quiet machine (``--quiet``), both in turn in one process.
"""

import argparse
import json
import logging
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.datasets import make_classification

from benchmarks.measuring import best_time, best_times, told_by, versions
from benchmarks.places import DATA
from benchmarks.speed import kept_ratios, linear

MODULE = "benchmarks.speed.default_calls"
COSTS = np.logspace(-4, 3, 8)
CRITERIA = ("quantification_bound", "auto", "k_fold")
OTHERS = ("portfolio", "forests")  # on the first set
GRID, HALVING, LOGISTIC = "GridSearchCV", "HalvingGridSearchCV", "LogisticRegressionCV"
PEER_OF = {**dict.fromkeys(CRITERIA, GRID), **{name: f"{GRID} {name}" for name in OTHERS}}
ESTIMATE, SHIFT, MODEL = "the estimate of accuracy", "the comparison of labels and pool", "the chosen model"
IMPORTS = "from foldless import FoldlessSearch; from foldless.learners import LinearSVC"
SELECT = "from foldless.cli import main; main()"
CHECKS, FREE = 0.25, 0.2
BOTH = "both"  # one job and two in turn
TWO_JOBS, TWO_JOBS_OF_FORESTS = 1.1, 0.65  # of the time of one


def drawn(n: int, d: int, n_pool: int) -> tuple[Any, Any, Any]:
    X, y = make_classification(n + n_pool, d, n_informative=d // 2, random_state=0)
    return X[:n], y[:n], X[n:]


SETS: dict[str, Callable[[Path], tuple[Any, Any, Any]]] = {
    "300x20": lambda _: drawn(300, 20, 1000),
    "2000x50": lambda _: drawn(2000, 50, 3000),
    "20-classes": lambda data: linear.newsgroups(data, 0)[:3],
    "830-classes": lambda data: linear.lshtc(data, 0)[:3],
}
QUICK = ("300x20", "2000x50")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=QUICK)
    parser.add_argument("--calls", nargs="+", choices=PEER_OF, default=tuple(PEER_OF))
    parser.add_argument("--n-jobs", nargs="+", choices=("none", "1", "2"), default=("none", "1", "2"))
    parser.add_argument("--repeats", type=int, default=3, help="later calls in each process")
    parser.add_argument("--alone", action="store_true", help="without the peers")
    parser.add_argument("--record", action="store_true", help=f"keep the ratios in {kept_ratios.RECORD.name}")
    parser.add_argument("--quiet", action="store_true", help="nothing else runs here: fail where two jobs are slow")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    return parser


def main() -> None:
    arguments = _parser().parse_args()
    if arguments.child:
        measured = _in_turn if arguments.child[1] == BOTH else _measured
        print(json.dumps(measured(*arguments.child, arguments.repeats)))
        return
    print(versions())
    ratios, slow = _printed(arguments)
    if arguments.record:
        kept_ratios.keep(ratios)
    elif lost := kept_ratios.lost(ratios) + (slow if arguments.quiet else []):
        sys.exit("\n  ".join(["slower than it should be:", *lost]))


def _printed(arguments: argparse.Namespace) -> tuple[dict[str, float], list[str]]:
    """All tables: ratios by the processor, and where two jobs take longer than they should."""
    seconds = best_time(lambda: subprocess.run([sys.executable, "-c", IMPORTS], check=True))
    print(f"start-up: {seconds:.2f} s until Python has imported what a search needs")
    ratios, slow = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.sets:
            if name not in QUICK and not arguments.data.is_dir():
                print(f"{name} is left out: there is no folder {arguments.data}")
                continue
            file = Path(folder) / f"{name}.joblib"
            joblib.dump(SETS[name](arguments.data), file)
            of_set, slow_ones = _table(name, file, arguments)
            ratios |= of_set
            slow += slow_ones
        if QUICK[0] in arguments.sets:
            print(f"\nfoldless select --model linear-svc, 300x20, a fresh process: {_select(Path(folder)):.2f} s")
    return ratios, slow


def _table(name: str, file: Path, arguments: argparse.Namespace) -> tuple[dict[str, float], list[str]]:
    """One set, a line for each call: how many times as fast as GridSearchCV by the processor, and slow second jobs."""
    calls = [call for call in arguments.calls if call in CRITERIA or name == QUICK[0]]
    peers = [] if arguments.alone else dict.fromkeys(PEER_OF[call] for call in calls)
    known = {peer: [_child(peer, n_jobs, file, 1) for n_jobs in ("1", "2")] for peer in peers}
    print(f"\n{name}")
    for peer, (one, two) in known.items():
        print(f"  {peer}(cv=5): {two['later']:.2f} s with n_jobs=2, {one['processor']:.2f} s of the processor with 1")
    for peer in () if arguments.alone or name not in QUICK else (HALVING, LOGISTIC):
        row = _child(peer, "2", file, 1)
        print(f"  {peer}(cv=5, n_jobs=2): first {row['first']:.2f} s, later {row['later']:.2f} s")
    print(
        f"  {'call':21}{'n_jobs':>7}{'first':>8}{'later':>8}{'processor':>11}{'choice':>9}{'estimate':>10}"
        f"{'shift':>8}{'model':>8}{'checks':>8}  times as fast, by processor"
    )
    ratios, slow = {}, []
    for call in calls:
        for n_jobs in arguments.n_jobs:
            row = _child(call, n_jobs, file, arguments.repeats)
            line = f"  {call:21}{n_jobs:>7}{_shown(row)}"
            if PEER_OF[call] in known:
                one, two = known[PEER_OF[call]]
                line += f"{two['later'] / row['later']:15.1f}"
                if n_jobs == "1":
                    ratios[f"{name} {call}"] = ratio = round(one["processor"] / row["processor"], 2)
                    line += f"{ratio:14.1f}"
            print(line, flush=True)
        if {"1", "2"} <= set(arguments.n_jobs):
            share = _child(call, BOTH, file, 2 * arguments.repeats)["share"]
            said = f"{name} {call}: two jobs take {share:.2f} of the time of one"
            print(f"  {said}", flush=True)
            slow += [said] if share > (TWO_JOBS_OF_FORESTS if call == "forests" else TWO_JOBS) else []
    return ratios, slow


def _shown(row: dict[str, Any]) -> str:
    """The columns of a line that are about the call alone."""
    parts = row["parts"]
    checks = parts["estimate"] + parts["shift"]
    share = checks / max(1e-9, row["processor"] - checks)
    mark = "!" if share > CHECKS and checks > FREE else " "
    return (
        f"{row['first']:8.2f}{row['later']:8.3f}{row['processor']:11.3f}{parts['choice']:9.3f}"
        f"{parts['estimate']:10.3f}{parts['shift']:8.3f}{parts['model']:8.3f}{share:7.2f}{mark}"
    )


def _select(folder: Path) -> float:
    """Seconds of ``foldless select`` in a fresh process, the best of some."""
    X, y, pool = SETS[QUICK[0]](folder)
    header = ",".join(f"x{at}" for at in range(X.shape[1]))
    np.savetxt(folder / "pool.csv", pool, delimiter=",", header=header, comments="")
    np.savetxt(folder / "train.csv", np.c_[X, y], delimiter=",", header=f"{header},label", comments="")
    words = ["select", "train.csv", "--label", "label", "--unlabeled", "pool.csv", "--model", "linear-svc"]
    command = [sys.executable, "-c", SELECT, *words]
    return best_time(lambda: subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL))


def _child(what: str, n_jobs: str, file: Path, repeats: int) -> Any:
    return told_by(MODULE, "--child", what, n_jobs, str(file), "--repeats", str(repeats))


def _measured(what: str, n_jobs: str, file: str, repeats: int) -> dict[str, Any]:
    """In a fresh process: seconds of the first call and of the best later one, and its parts."""
    warnings.filterwarnings("ignore")
    X, y, pool = joblib.load(file)
    jobs = None if n_jobs == "none" else int(n_jobs)
    call = _ours(what, jobs, X, y, pool) if what in PEER_OF else _peer(what, jobs, X, y)
    start = time.perf_counter()
    call()
    first = time.perf_counter() - start
    stages = _Stages()
    later, runs = np.inf, []
    for _ in range(repeats):
        stages.spent = {}
        start, processor = time.perf_counter(), time.process_time()
        call()
        later = min(later, time.perf_counter() - start)
        runs.append((time.process_time() - processor, stages.spent))
    total, spent = min(runs, key=lambda run: run[0])
    parts = {"estimate": spent.get(ESTIMATE, 0.0), "shift": spent.get(SHIFT, 0.0), "model": spent.get(MODEL, 0.0)}
    parts["choice"] = total - sum(parts.values())
    return {"first": first, "later": later, "processor": total, "parts": parts}


def _in_turn(what: str, _: str, file: str, repeats: int) -> dict[str, float]:
    """In a fresh process, one job and two in turn: of two processes one may be half as fast again as the other."""
    warnings.filterwarnings("ignore")
    calls = [_ours(what, jobs, *joblib.load(file)) for jobs in (1, 2)]
    for call in calls:
        call()
    one, two = best_times(calls, repeats)
    return {"share": two / one}


def _ours(what: str, n_jobs: int | None, X: Any, y: Any, pool: Any) -> Callable[[], Any]:
    from foldless import FoldlessSearch
    from foldless.learners import LinearSVC

    settings: dict[str, Any] = {"n_jobs": n_jobs, "random_state": 0}
    if what == "portfolio":
        return lambda: FoldlessSearch(**settings).fit(X, y, X_unlabeled=pool)
    if what == "forests":
        return lambda: FoldlessSearch(*_forests(), criterion="k_fold", **settings).fit(X, y, X_unlabeled=pool)
    return lambda: FoldlessSearch(LinearSVC(), {"C": COSTS}, criterion=what, **settings).fit(X, y, X_unlabeled=pool)


def _forests() -> tuple[Any, dict[str, Any]]:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(random_state=0), {"min_samples_leaf": [1, 2, 5, 10]}


def _peer(name: str, n_jobs: int | None, X: Any, y: Any) -> Callable[[], Any]:
    import sklearn.svm
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV
    from sklearn.pipeline import Pipeline

    settings: dict[str, Any] = {"cv": 5, "n_jobs": n_jobs}
    if name == LOGISTIC:
        return lambda: LogisticRegressionCV(Cs=COSTS, max_iter=1000, **settings).fit(X, y)
    if name == PEER_OF["forests"]:
        return lambda: GridSearchCV(*_forests(), **settings).fit(X, y)
    if name == PEER_OF["portfolio"]:
        from foldless import FoldlessSearch

        candidates = FoldlessSearch(random_state=0, estimate=False).fit(X, y, X_unlabeled=X[:100] + 1e-3).candidates_
        grids = [
            {"model": [model], **{f"model__{key}": values for key, values in (grid or {}).items()}}
            for model, each in candidates.values()
            for grid in (each if isinstance(each, list) else [each])
        ]
        return lambda: GridSearchCV(Pipeline([("model", grids[0]["model"][0])]), grids, **settings).fit(X, y)
    search = {GRID: GridSearchCV, HALVING: HalvingGridSearchCV}[name]
    return lambda: search(sklearn.svm.LinearSVC(), {"C": COSTS}, **settings).fit(X, y)


class _Stages(logging.Handler):
    """Processor seconds of the stages that the library logs, each without the stages inside it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.spent: dict[str, float] = {}
        self._open: list[str] = []
        self._since = 0.0
        log = logging.getLogger("foldless")
        log.addHandler(self)
        log.setLevel(logging.DEBUG)

    def emit(self, record: logging.LogRecord) -> None:
        text, now = record.getMessage(), time.process_time()
        name = str(record.args[0]) if record.args else ""
        if text == f"{name} begins":
            self._close(now)
            self._open.append(name)
        elif self._open and name == self._open[-1] and " took " in text:
            self._close(now)
            self._open.pop()

    def _close(self, now: float) -> None:
        """Time goes to the innermost stage that has a part of its own."""
        own = next((name for name in reversed(self._open) if name in (ESTIMATE, SHIFT, MODEL)), None)
        if own is not None:
            self.spent[own] = self.spent.get(own, 0.0) + now - self._since
        self._since = now


def default_calls(data: Path) -> dict[str, float]:
    """Whole default calls on tables and texts, with what each part takes, beside searches of scikit-learn."""
    return _printed(_parser().parse_args(["--sets", *SETS, "--data", str(data)]))[0]


BENCHMARKS: dict[str, Callable[[Path], dict[str, float]]] = {"default_calls": default_calls}

if __name__ == "__main__":
    main()
