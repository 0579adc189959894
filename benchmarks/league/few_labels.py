"""Ten labels: the preset ``few-labels`` against each of its models alone.

    python -m benchmarks.league.few_labels [--data ../shared/data] [--half tune|report] [--sets A,B] [--draws 2]
        [--out FILE]

Each draw has ten labels, at least one of each class, and a pool of 400 rows; sets have at most ten classes. All is as
``foldless select --models few-labels`` has it: columns are prepared inside the candidates, and ``auto`` chooses. The
accuracy is that on the pool. The preset was made on the sets of the half "tune", and those of "report" judge it; the
halves are those of the league. Lines of --out are kept, and draws that are there already are not run again.
"""

import argparse
import time
import warnings
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
from scipy import sparse

from benchmarks.places import DATA
from benchmarks.records import keep, kept
from benchmarks.sets import SETS, half_of, load
from foldless import FoldlessSearch
from foldless.data._columns import Columns
from foldless.tables import candidates

LABELS, POOL, MOST_CLASSES = 10, 400, 10
SUPERVISED = ("logistic-regression", "nearest-neighbors")


def drawn(name: str, seed: int, folder: Path) -> tuple[Any, np.ndarray, Columns] | None:
    """Rows with the labeled ones first, their class codes and their columns; None where there are too many classes."""
    X, y = load(name, folder)
    if y.max() >= MOST_CLASSES:
        return None
    rng = np.random.default_rng([seed, LABELS, crc32(name.encode())])
    rows = rng.permutation(len(y))
    first = [rows[np.flatnonzero(y[rows] == k)[0]] for k in range(y.max() + 1)]  # one of each class, then any
    rows = np.concatenate([first, rows[~np.isin(rows, first)]])[: LABELS + POOL]
    if sparse.issparse(X):
        return X[rows], y[rows], Columns({}, width=X.shape[1])
    names = [f"x{at}" for at in range(X.shape[1])]
    return pd.DataFrame(X[rows], columns=names), y[rows], Columns(dict.fromkeys(names, "numeric"))


def measured(name: str, seed: int, folder: Path) -> dict[str, Any] | None:
    """The accuracy on the pool of every candidate and of the chosen one."""
    found = drawn(name, seed, folder)
    if found is None:
        return None
    X, y, columns = found
    cut = (lambda start, stop: X[start:stop]) if sparse.issparse(X) else (lambda start, stop: X.iloc[start:stop])
    search = FoldlessSearch(candidates("few-labels", columns), random_state=seed, estimate=False)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pool = cut(LABELS, None)
        search.fit(cut(0, LABELS), y[:LABELS], X_unlabeled=pool, X_test=pool, y_test=y[LABELS:])
    selection = search.selection_
    return {
        "set": name, "seed": seed, "classes": int(y.max() + 1), "seconds": time.process_time() - start,
        "chosen": selection.best.candidate.name, "few-labels": selection.best_test_accuracy,
        "alone": {c.name: value for c, value in selection.test_accuracy.items()},
    }  # fmt: skip


def summary(rows: list[dict[str, Any]]) -> str:
    """Means over sets, each the mean of its draws, with standard errors of the difference to the preset."""
    frame = pd.DataFrame([{"set": row["set"], "few-labels": row["few-labels"], **row["alone"]} for row in rows])
    means = frame.groupby("set").mean()
    lines = [f"{len(means)} sets, {len(frame)} draws, {LABELS} labels; accuracy on the pool"]
    for name in means.mean().sort_values(ascending=False).index:
        behind = means["few-labels"] - means[name]
        error = behind.std(ddof=1) / np.sqrt(len(behind)) if len(behind) > 1 else np.nan
        kind = "preset" if name == "few-labels" else "supervised" if name.startswith(SUPERVISED) else "with the pool"
        lines.append(f"{means[name].mean():.3f}  {behind.mean():+.3f} ± {error:.3f} ahead  {kind:13}  {name}")
    seconds = [row["seconds"] for row in rows]
    return "\n".join([*lines, f"CPU seconds of a run: mean {np.mean(seconds):.1f}, most {max(seconds):.1f}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--half", choices=["tune", "report"])
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/few_labels.jsonl"))
    typed = parser.parse_args()
    rows = kept(typed.out)
    names = [name for name in typed.sets.split(",") if typed.half in (None, half_of(name))]
    done = {(row["set"], row["seed"]) for row in rows}
    for seed in range(typed.draws):
        for name in names:
            if (name, seed) in done or (row := measured(name, seed, typed.data)) is None:
                continue
            rows.append(row)
            keep(typed.out, [row])
    print(summary([row for row in rows if row["set"] in names and row["seed"] < typed.draws]))


if __name__ == "__main__":
    main()
