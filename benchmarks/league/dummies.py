"""Whether a dummy ever wins against a learner that has learned something: every criterion, every strategy, 20 sets.

    python -m benchmarks.league.dummies [--labels 40] [--seeds 1] [--sets NAME ...] [--criteria NAME ...]
        [--data FOLDER]

Candidates are dummies of all five strategies, in front of logistic regression, naive Bayes and neighbors. A learner is
beyond chance if its out-of-fold accuracy exceeds that of the best dummy, the share of the most frequent class, by two
standard errors. The table has a row for each criterion: in how many choices a learner was beyond chance, in how many of
these a dummy won, and on which sets.
"""

import argparse
import os
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.sets import draw
from foldless import compare
from foldless.criteria import BY_NAME
from foldless.learners import LogisticRegression

SETS = (
    "breast_cancer", "wine", "iris", "digits", "coil20", "vowel", "usps", "segment", "satimage", "vehicle",
    "waveform-21", "spambase", "ssl_digit1", "dry-bean", "shuttle", "skin_nonskin", "half_space", "moons", "checkers",
    "text_mac_mswindows",
)  # fmt: skip
DUMMIES = {name: DummyClassifier(strategy=name) for name in ("most_frequent", "prior", "stratified", "uniform")}
POOL = 300
CRITERIA = (*(name for name in BY_NAME if name != "evidence"), "similar_data+ada", "k_fold|dagging")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--criteria", nargs="*", default=list(CRITERIA))
    parser.add_argument("--data", type=Path, default=DATA)
    arguments = parser.parse_args()
    print(versions(), flush=True)
    rows = []
    for seed in range(arguments.seeds):
        for name in arguments.sets:
            drawn = draw(name, arguments.labels, seed, "plain", arguments.data)
            if drawn is None:
                print(f"{name}: too few rows, or too many classes", flush=True)
                continue
            pool = drawn.X[drawn.pool][:POOL]
            won = winners(drawn.X[drawn.labeled], drawn.y[drawn.labeled], pool, seed, arguments.criteria)
            rows += [{"set": name, "seed": seed, **row} for row in won]
            lost = [row["criterion"] for row in won if row["beyond"] and row["dummy"]]
            said = "no learner is beyond chance" if not won[0]["beyond"] else ", ".join(lost) or "no dummy wins"
            print(f"{name}, seed {seed}: {said}", flush=True)
    show(pd.DataFrame(rows))


def winners(X: Any, y: np.ndarray, pool: Any, seed: int, criteria: list[str]) -> list[dict[str, Any]]:
    """For each criterion, whether a learner is beyond chance, and whether a dummy won."""
    bayes = [] if sparse.issparse(X) else [("naive Bayes", GaussianNB(var_smoothing=1e-3))]
    learners = dict([("logistic", LogisticRegression()), *bayes, ("neighbors", KNeighborsClassifier(3))])
    dummies = DUMMIES | {"constant": DummyClassifier(strategy="constant", constant=y[0])}
    every = {name: (clone(model), {}) for name, model in (dummies | learners).items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        beyond = any(beyond_chance(model, X, y, seed) for model in learners.values())
        found = compare(every, None, X, y, X_unlabeled=pool, criteria=criteria, random_state=seed)
    return [
        {"criterion": name, "beyond": beyond, "dummy": selection.best.candidate.name in dummies}
        for name, selection in found.selections.items()
    ]


def beyond_chance(model: Any, X: Any, y: np.ndarray, seed: int) -> bool:
    """Whether out-of-fold accuracy exceeds the share of the most frequent class by two standard errors."""
    try:
        labels = cross_val_predict(model, X, y, cv=KFold(5, shuffle=True, random_state=seed))
    except ValueError:  # a fold with labels of one class
        return False
    right = np.mean(labels == y)
    return bool(right - np.bincount(y).max() / len(y) > 2 * np.sqrt(right * (1 - right) / len(y)))


def show(table: pd.DataFrame) -> None:
    """Wins of dummies by criterion."""
    beyond = table[table.beyond]
    by = beyond.groupby("criterion", sort=False)
    sets = by.apply(lambda own: ", ".join(own.set[own.dummy]), include_groups=False)
    print(pd.DataFrame({"choices": by.size(), "dummy wins": by.dummy.sum(), "on": sets}).to_string())


if __name__ == "__main__":
    main()
