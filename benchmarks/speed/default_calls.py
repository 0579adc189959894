"""What a user types: default searches, whole, with what each part takes, beside GridSearchCV and HalvingGridSearchCV.

``FoldlessSearch(LinearSVC(), {"C": ...}).fit(X, y, X_unlabeled=pool)`` with its estimate, its comparison of labels and
pool and its notes: the first call in a fresh process and the best of some later ones, with ``n_jobs`` None, 1 and 2.
Every line is a process of its own; imports are timed in one that does nothing else. Seconds are wall time; those of the
parts are processor time, which other programs on the machine disturb less, of this process alone: what workers do is
not in them.

``checks`` is what estimate and comparison take over what the rest of the call takes. It should be at most .25, or both
together at most .2 s. ``--record`` keeps how many times as fast as GridSearchCV each line is; later runs end with
status 1 where a line has lost more than a fifth of that.
"""

import argparse
import json
import logging
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np
from sklearn.datasets import make_classification

from benchmarks.measuring import best_time, told_by, versions
from benchmarks.places import DATA, RESULTS
from benchmarks.speed import linear

MODULE = "benchmarks.speed.default_calls"
RECORD = RESULTS / "speed" / "default_calls.json"
COSTS = np.logspace(-4, 3, 8)
CRITERIA = ("quantification_bound", "auto", "k_fold")
PEERS = ("GridSearchCV", "HalvingGridSearchCV")
ESTIMATE, SHIFT, MODEL = "the estimate of accuracy", "the comparison of labels and pool", "the chosen model"
IMPORTS = "from foldless import FoldlessSearch; from foldless.learners import LinearSVC"
LOST = 0.8  # of a recorded ratio
CHECKS, FREE = 0.25, 0.2


def _drawn(n: int, d: int, n_pool: int) -> tuple[Any, Any, Any]:
    X, y = make_classification(n + n_pool, d, n_informative=d // 2, random_state=0)
    return X[:n], y[:n], X[n:]


SETS: dict[str, Callable[[Path], tuple[Any, Any, Any]]] = {
    "300x20": lambda _: _drawn(300, 20, 1000),
    "2000x50": lambda _: _drawn(2000, 50, 3000),
    "20-classes": lambda data: linear.newsgroups(data, 0)[:3],
    "830-classes": lambda data: linear.lshtc(data, 0)[:3],
}
QUICK = ("300x20", "2000x50")


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=QUICK)
    parser.add_argument("--criteria", nargs="+", choices=CRITERIA, default=CRITERIA)
    parser.add_argument("--n-jobs", nargs="+", choices=("none", "1", "2"), default=("none", "1", "2"))
    parser.add_argument("--repeats", type=int, default=3, help="later calls in each process")
    parser.add_argument("--alone", action="store_true", help="without the peers")
    parser.add_argument("--record", action="store_true", help=f"keep the ratios in {RECORD.name}")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.child:
        print(json.dumps(_measured(*arguments.child, arguments.repeats)))
        return
    print(versions())
    seconds = best_time(lambda: subprocess.run([sys.executable, "-c", IMPORTS], check=True))
    print(f"start-up: {seconds:.2f} s until Python has imported what a search needs")
    ratios = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.sets:
            if name not in QUICK and not arguments.data.is_dir():
                print(f"{name} is left out: there is no folder {arguments.data}")
                continue
            file = Path(folder) / f"{name}.joblib"
            joblib.dump(SETS[name](arguments.data), file)
            ratios |= _table(name, file, arguments)
    if arguments.record:
        known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
        RECORD.parent.mkdir(exist_ok=True)
        RECORD.write_text(json.dumps(known | ratios, indent=1) + "\n")
    elif lost := _lost(ratios):
        sys.exit("\n".join(["slower than recorded:", *lost]))


def _table(name: str, file: Path, arguments: argparse.Namespace) -> dict[str, float]:
    """One set: a line for each call, and how many times as fast as GridSearchCV it is."""
    peers = {} if arguments.alone else {peer: _child(peer, "2", file, 1) for peer in PEERS}
    print(f"\n{name}")
    for peer, row in peers.items():
        print(f"  {peer}(cv=5, n_jobs=2): first {row['first']:.2f} s, later {row['later']:.2f} s")
    print(
        f"  {'criterion':21}{'n_jobs':>7}{'first':>8}{'later':>8}{'processor':>11}"
        f"{'choice':>9}{'estimate':>10}{'shift':>8}{'model':>8}{'checks':>8}  times as fast"
    )
    ratios = {}
    for criterion in arguments.criteria:
        for n_jobs in arguments.n_jobs:
            row = _child(criterion, n_jobs, file, arguments.repeats)
            parts = row["parts"]
            checks = parts["estimate"] + parts["shift"]
            share = checks / max(1e-9, row["processor"] - checks)
            mark = "!" if share > CHECKS and checks > FREE else ""
            line = (
                f"  {criterion:21}{n_jobs:>7}{row['first']:8.2f}{row['later']:8.3f}"
                f"{row['processor']:11.3f}{parts['choice']:9.3f}{parts['estimate']:10.3f}{parts['shift']:8.3f}"
                f"{parts['model']:8.3f}{share:7.2f}{mark or ' '}"
            )
            if peers:
                ratios[f"{name} {criterion} {n_jobs}"] = ratio = round(peers[PEERS[0]]["later"] / row["later"], 2)
                line += f"{ratio:15.1f}"
            print(line, flush=True)
    return ratios


def _lost(ratios: dict[str, float]) -> list[str]:
    """Lines that are slower beside GridSearchCV than they were."""
    known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    return [
        f"  {name}: {ratio} times as fast as GridSearchCV, {known[name]} before"
        for name, ratio in ratios.items()
        if ratio < LOST * known.get(name, 0)
    ]


def _child(what: str, n_jobs: str, file: Path, repeats: int) -> Any:
    return told_by(MODULE, "--child", what, n_jobs, str(file), "--repeats", str(repeats))


def _measured(what: str, n_jobs: str, file: str, repeats: int) -> dict[str, Any]:
    """In a fresh process: seconds of the first call and of the best later one, and its parts."""
    warnings.filterwarnings("ignore")
    X, y, pool = joblib.load(file)
    if what in PEERS:
        call = _peer(what, int(n_jobs), X, y)
    else:
        from foldless import FoldlessSearch
        from foldless.learners import LinearSVC

        def call() -> Any:
            jobs = None if n_jobs == "none" else int(n_jobs)
            search = FoldlessSearch(LinearSVC(), {"C": COSTS}, criterion=what, n_jobs=jobs, random_state=0)
            return search.fit(X, y, X_unlabeled=pool)

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


def _peer(name: str, n_jobs: int, X: Any, y: Any) -> Callable[[], Any]:
    import sklearn.svm
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV

    search = {"GridSearchCV": GridSearchCV, "HalvingGridSearchCV": HalvingGridSearchCV}[name]
    return lambda: search(sklearn.svm.LinearSVC(), {"C": COSTS}, cv=5, n_jobs=n_jobs).fit(X, y)


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


def default_calls(data: Path) -> None:
    """Whole default calls on two tables of numbers, with what each part takes, beside two searches of scikit-learn."""
    main(["--data", str(data)])


BENCHMARKS: dict[str, Callable[[Path], None]] = {"default_calls": default_calls}

if __name__ == "__main__":
    main()
