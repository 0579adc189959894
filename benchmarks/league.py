"""The league: regret of every criterion over data sets, numbers of labels, families of candidates and seeds.

    python benchmarks/league.py [--quick] [--out FILE] [--data FOLDER]      run, and print the table
    python benchmarks/league.py --table [--out FILE]                        print the table of what has run

Regret is the best candidate's test accuracy minus that of the chosen model. A setting is a data set, a number of labels
and a seed; in each, all criteria choose among the candidates of each family on shared fits. Every finished family is a
line of the file, so a run that was killed goes on where it stopped, and one with other seeds adds to it. Fits are what
a criterion needs by itself, the final model among them.
"""

import argparse
import json
import os
import time
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from league_sets import NOISY, SETS, families, load, prepared
from measuring import versions
from sklearn.model_selection import StratifiedKFold

from foldless import compare
from foldless.criteria import Auto, Bootstrap632, HoldOut, KFold, QuantificationBound

BUDGETS, SEEDS, POOL, TEST = (20, 60, 200), 5, 1000, 2000
QUICK = ("glass", "yeast", "mammography", "elec", "segment", "digits", "spambase", "blobs", "sms_spam", "waveform-21")
BASE = "5-fold"
CRITERIA = {
    BASE: KFold(5),
    "5-fold, stratified, as GridSearchCV": KFold(StratifiedKFold(5)),
    "hold-out": HoldOut(0.2),
    "quantification bound": QuantificationBound(),
    ".632+, 25 bootstraps": Bootstrap632(25),
    "auto": Auto(),
    "auto, effort 1.5": Auto(effort=1.5),
    "auto, average": Auto(offer="average"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="ten sets, one seed, two numbers of labels")
    parser.add_argument("--table", action="store_true", help="only print what has run")
    parser.add_argument("--out", type=Path, default=Path("build/league.jsonl"))
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--seeds", type=int, nargs="*", default=list(range(SEEDS)))
    parser.add_argument("--budgets", type=int, nargs="*", default=list(BUDGETS))
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.sets, arguments.seeds, arguments.budgets = list(QUICK), [0], [20, 60]
    print(versions(), flush=True)
    if not arguments.table:
        run(arguments)
    show(pd.read_json(arguments.out, lines=True))


def run(arguments: argparse.Namespace) -> None:
    """Every setting that the file does not hold; seeds are the outer loop, so that a run can end after any of them."""
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    done = set()
    if arguments.out.exists():
        done = {(r["set"], r["n"], r["seed"], r["family"]) for r in map(json.loads, arguments.out.open())}
    for seed in arguments.seeds:
        for n in arguments.budgets:
            for name in arguments.sets:
                start = time.time()
                rows = list(setting(name, n, seed, arguments.data, done))
                with arguments.out.open("a") as file:
                    file.writelines(json.dumps(row) + "\n" for row in rows)
                if rows:
                    print(f"{name}, {n} labels, seed {seed}: {time.time() - start:.0f} s", flush=True)


def setting(name: str, n: int, seed: int, folder: Path, done: set[Any]) -> Any:
    """The rows of one setting: what each criterion chose in each family."""
    X, y = load(name, folder)
    pool = min(POOL, (len(y) - n) // 2)
    if len(y) < 2.4 * n or pool < 40:
        return
    rng = np.random.default_rng([seed, n, len(y)])
    for _ in range(100):
        rows = rng.permutation(len(y))[: n + pool + TEST]
        if len(np.unique(y[rows[:n]])) > 1:
            break
    X, y = prepared(X[rows], n + pool), y[rows]
    labeled, unlabeled, test = slice(0, n), slice(n, n + pool), slice(n + pool, None)
    for family, what in families(X, len(np.unique(y)), n).items():
        if (name, n, seed, family) in done:
            continue
        estimator, grid = what if isinstance(what, tuple) else (what, None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = compare(
                estimator, grid, X[labeled], y[labeled], X_unlabeled=X[unlabeled], criteria=CRITERIA, X_test=X[test],
                y_test=y[test], random_state=seed,
            )  # fmt: skip
        for row in found.rows:
            kept = {key: row[key] for key in ("criterion", "score", "fits", "seconds", "test_accuracy", "regret")}
            yield {"set": name, "n": n, "seed": seed, "family": family, "candidates": len(found.test_accuracy), **kept}


def show(table: pd.DataFrame) -> None:
    """Mean regret of each criterion as a share of 5-fold's, with a standard error over sets, and by regime."""
    keys = ["set", "n", "seed", "family"]
    table = table[table.criterion.isin(CRITERIA)].drop_duplicates([*keys, "criterion"], keep="last")
    wide = table.pivot(index=keys, columns="criterion", values="regret")[[*CRITERIA]]
    per = table.assign(fits=table.fits / (5 * table.candidates + 1)).groupby("criterion")
    shown = table[table.criterion != "quantification bound"].assign(off=lambda t: t.score - t.test_accuracy)
    print(
        f"\n{len(wide)} choices, {wide.index.get_level_values('set').nunique()} sets, 5-fold {wide[BASE].mean():.4f}\n"
    )
    lines = {}
    for name in CRITERIA:
        both = wide[[name, BASE]].dropna()
        means = both.groupby(level="set").sum()
        draws = np.random.default_rng(0).integers(0, len(means), (500, len(means)))
        ratios = means[name].to_numpy()[draws].sum(axis=1) / means[BASE].to_numpy()[draws].sum(axis=1)
        apart = (both[name] - both[BASE]).groupby(level="set").mean()
        lines[name] = {
            "regret": both[name].mean(), "of 5-fold": both[name].mean() / both[BASE].mean(), "se": ratios.std(),
            "fits": per.fits.mean()[name], "seconds": per.seconds.mean()[name],
            "won": (both[name] < both[BASE] - 1e-9).mean(), "lost": (both[name] > both[BASE] + 1e-9).mean(),
            "worst set": apart.max(), "shown - truth": shown[shown.criterion == name].off.mean(),
        }  # fmt: skip
    print(pd.DataFrame(lines).T.round(4).to_string())
    noisy = pd.Series(wide.index.get_level_values("set").isin(NOISY), wide.index).map({True: "noisy", False: "other"})
    for title, by in (
        ("labels", wide.index.get_level_values("n")),
        ("family", wide.index.get_level_values("family")),
        ("", noisy),
    ):
        means = wide.groupby(by).mean()
        print(f"\nof 5-fold, by {title or 'kind of set'}:\n{means.div(means[BASE], axis=0).T.round(2).to_string()}")
    regimes = wide.reset_index()
    worse = []
    for (n, family), part in regimes.groupby(["n", "family"]):
        apart = (part["auto"] - part[BASE]).dropna()
        if len(apart) > 2 and apart.mean() > 2 * apart.std() / np.sqrt(len(apart)):
            worse.append(f"{family} with {n} labels")
    print(f"\nregimes in which auto is worse than 5-fold by two standard errors: {', '.join(worse) or 'none'}")


if __name__ == "__main__":
    main()
