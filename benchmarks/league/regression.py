"""Regret of criteria on regression: how much lower R² is on test rows than that of the best candidate.

    python -m benchmarks.league.regression [--data ../shared/data] [--half tune|report] [--sets A,B] [--seeds 0,1,2,3,4]
        [--criteria A,B] [--out FILE]
    python -m benchmarks.league.regression --table FILE

Sets are scikit-learn's diabetes, the age of abalone, and measured columns of other sets that are predicted from their
other columns. A draw has 20, 60 or 200 labels, a pool of up to 1,000 rows and up to 2,000 test rows. Candidates are
ordered from the simplest to the most complex, as ADJ and TRI want them; R² below 0 counts as 0, the mean's. The weights
of ``auto`` were set on the sets of the half "tune", and those of "report" judge it. All numbers are of CPU alone.
"""

import argparse
import time
import warnings
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from benchmarks.places import DATA
from benchmarks.records import keep, kept, read
from foldless import compare
from foldless.criteria import Auto, Bootstrap632, HoldOut, KFold, RepeatedKFold, SimilarData

POOL, TEST, LABELS = 1000, 2000, (20, 60, 200)
TUNE = {"elec": 2, "cod-rna": 0, "vehicle": 17, "ctg": 7, "pageblocks": 4, "mammography": 0, "wine": 0, "yeast": 0}
REPORT = {
    "diabetes": None, "abalone": None, "covtype": 0, "glass": 0, "segment": 18, "dry-bean": 10, "breast_cancer": 4,
    "satimage": 16,
}  # fmt: skip
CRITERIA = {
    "auto": Auto(),
    "5-fold": KFold(5),
    "3 × 5-fold": RepeatedKFold(5, 3),
    "hold-out": HoldOut(),
    ".632+": Bootstrap632(10),
    "similar data": SimilarData(10),
    "reverse validation": "reverse_validation",
    "ADA": "ada",
    "ADJ": "adj",
    "TRI": "tri",
}


def load(name: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Features and the column to predict."""
    target = {**TUNE, **REPORT}[name]
    if name in ("diabetes", "wine", "breast_cancer"):
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    else:
        stored = np.load(folder / name / f"{name}.npz")
        X = stored["X_num" if name == "covtype" else "X"].astype(float)
        y = stored["classes"].astype(float)[stored["y"]] if target is None else X[:, 0]
    return (X, y) if target is None else (np.delete(X, target, axis=1), X[:, target])


def families() -> dict[str, tuple[Any, dict[str, list[Any]]]]:
    """Candidates, the simplest first."""
    return {
        "ridge": (make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [1e4, 1e3, 100, 10, 1, 0.1, 0.01]}),
        "neighbors": (
            make_pipeline(StandardScaler(), KNeighborsRegressor()),
            {"kneighborsregressor__n_neighbors": [15, 9, 5, 3, 2, 1]},
        ),
        "tree": (DecisionTreeRegressor(random_state=0), {"max_leaf_nodes": [2, 3, 5, 8, 16, 64]}),
    }


def drawn(name: str, labels: int, seed: int, folder: Path) -> dict[str, Any] | None:
    """Labeled rows, pool and test rows; None where a set is too small."""
    X, y = load(name, folder)
    rng = np.random.default_rng([seed, labels, crc32(name.encode())])
    rows = rng.permutation(len(y))
    rest = len(rows) - labels
    if rest < 100:
        return None
    pool = min(POOL, rest // 2)
    parts = rows[:labels], rows[labels : labels + pool], rows[labels + pool : labels + pool + TEST]
    return {
        "X": X[parts[0]], "y": y[parts[0]] / y.std(), "X_unlabeled": X[parts[1]],
        "X_test": X[parts[2]], "y_test": y[parts[2]] / y.std(),
    }  # fmt: skip


def measured(name: str, labels: int, seed: int, folder: Path, criteria: Any = CRITERIA) -> list[dict[str, Any]]:
    """A line for each family and criterion, and for all families together."""
    data = drawn(name, labels, seed, folder)
    if data is None or np.var(data["y"]) == 0:
        return []
    lines, every = [], families()
    for family, models in {**{key: {key: pair} for key, pair in every.items()}, "all": every}.items():
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = compare(models, **data, criteria=criteria, random_state=seed)
        truth = {candidate: max(0.0, value) for candidate, value in found.test_accuracy.items()}
        fits = found.table().set_index("criterion")["fits"]
        for criterion, selection in found.selections.items():
            lines.append({
                "set": name, "labels": labels, "seed": seed, "family": family, "criterion": criterion,
                "regret": max(truth.values()) - truth[selection.best.candidate], "fits": int(fits[criterion]),
                "error": float(selection.best.score - found.test_accuracy[selection.best.candidate]),
                "seconds": time.process_time() - start,
            })  # fmt: skip
    return lines


def summary(rows: list[dict[str, Any]]) -> str:
    """Regret in points of R², with standard errors over sets, and fits, by criterion."""
    frame = pd.DataFrame(rows)
    tasks = frame[["set", "labels", "seed", "family"]].drop_duplicates()
    lines = [f"{frame['set'].nunique()} sets, {len(tasks)} choices; regret in points of R²"]
    by_set = 100 * frame.pivot_table("regret", "set", "criterion")
    fits = frame.pivot_table("fits", "criterion", aggfunc="mean")["fits"]
    few = 100 * frame.pivot_table("regret", "criterion", "labels")
    mixed = 100 * frame[frame["family"] == "all"].groupby("criterion")["regret"].mean()
    titles = "".join(f"{n:>8}" for n in few.columns)
    lines.append(f"{'criterion':20}{'regret':>8}{'of 5-fold':>20}{'fits':>7}{titles}{'mixed':>8}")
    for name in by_set.mean().sort_values().index:
        behind = by_set[name] - by_set["5-fold"]
        ratio, error = by_set[name].mean() / by_set["5-fold"].mean(), behind.std(ddof=1) / np.sqrt(len(behind))
        lines.append(
            f"{name:20}{by_set[name].mean():8.2f}{ratio:12.2f} ± {error / by_set['5-fold'].mean():.2f}"
            f"{fits[name] / fits['5-fold']:7.2f}{''.join(f'{v:8.2f}' for v in few.loc[name])}{mixed[name]:8.2f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--half", choices=["tune", "report"], default="report")
    parser.add_argument("--sets")
    parser.add_argument("--seeds", default="0,1,2,3,4")
    parser.add_argument("--criteria", help="some of them, with 5-fold")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", type=Path)
    given = parser.parse_args()
    if given.table is not None:
        print(summary(read(given.table)))
        return
    rows = kept(given.out)
    done = {(row["set"], row["labels"], row["seed"]) for row in rows}
    names = given.sets.split(",") if given.sets else list(TUNE if given.half == "tune" else REPORT)
    criteria = {name: CRITERIA[name] for name in given.criteria.split(",")} if given.criteria else CRITERIA
    for seed, name, labels in product(map(int, given.seeds.split(",")), names, LABELS):
        if (name, labels, seed) in done:
            continue
        lines = measured(name, labels, seed, given.data, criteria)
        rows += lines
        keep(given.out, lines)
    print(summary(rows))


if __name__ == "__main__":
    main()
