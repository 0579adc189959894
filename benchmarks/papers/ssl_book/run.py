"""The criteria of Quanz and Huan (2012) on the benchmark of the book on semi-supervised learning.

    python -m benchmarks.papers.ssl_book.run [--full] [--only NAME ...] [--data FOLDER] [--output FOLDER] [--seed 0]

Six sets with 10 and with 100 labels in the 12 published splits, two more with 50 labels in 10. Candidates are learners
of scikit-learn and of Foldless, with and without the pool, the same for all sets. Errors are those on the pool, as in
the book. The default has the first 2 splits and 10 sampled data sets, --full all splits and 100. The run may be stopped
and started again.

References
----------
Chapelle, Schölkopf and Zien, editors (2006). Semi-supervised learning. MIT Press. Chapter 21.
Chapelle and Zien (2005). Semi-supervised classification by low density separation. AISTATS. (g50c, mac-windows)
"""

import argparse
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelPropagation, LabelSpreading, SelfTrainingClassifier

from benchmarks.papers.few_labels.tables import BEST_EACH, BEST_FIXED, choices
from benchmarks.papers.few_labels.trial import table_2, trial
from benchmarks.papers.journal import Journal, Record
from benchmarks.papers.reproducing import Book, options, parser, recorded
from foldless.criteria import KFold
from foldless.learners import GPCoTraining, ManifoldGP

BOOK = ("digit1", "usps", "coil2", "bci", "g241c", "text")
TASKS = {f"{name}, {n} labels": (f"ssl_{name}", f"labeled{n}") for n in (10, 100) for name in BOOK}
TASKS |= {"g50c, 50 labels": ("g50c", "labeled50"), "mac-windows, 50 labels": ("text_mac_mswindows", "labeled50")}
SPLITS, SAMPLES = 2, 10
ALL, MANY = 12, 100
CANDIDATES = {
    "logistic": (LogisticRegression(max_iter=1000), {"C": [1, 100]}),
    "nearest": KNeighborsClassifier(n_neighbors=1),
    "self-training": SelfTrainingClassifier(LogisticRegression(C=100, max_iter=1000), max_iter=3),
    "propagation": LabelPropagation(kernel="knn", n_neighbors=6),
    "spreading": (LabelSpreading(kernel="knn", n_neighbors=6), {"alpha": [0.2, 0.9]}),
    "manifold GP": (ManifoldGP(ratio=0.01), {"kernel": ["rbf", "centered_linear"]}),
    "graph GP": (
        GPCoTraining([slice(None)] * 2, kernel=("rbf", "graph"), n_neighbors=6, sigma2=0.1),
        {"sigma1": [1, 100]},
    ),
}
ORDER = ("10-CV", "10-CV, random tie", ".632+", ".632+, random tie", "MML", "ADA", "SDS", "SDS+ADA", "SDS-L")


class Split(NamedTuple):
    """Labeled rows, and the pool with the labels that only the tables see."""

    X: Any
    y: Any
    pool: Any
    truth: Any


def criteria(samples: int) -> dict[str, Any]:
    """As in the paper, but ten folds: with ten labels they are leave-one-out."""
    ways = table_2(samples)
    del ways["CV"]
    return {"10-CV": KFold(10), **ways}


def split(data: Path, name: str, labels: str, number: int) -> Split:
    """One of the published splits."""
    folder = data / name
    with np.load(folder / ("y.npz" if (folder / "X.npz").exists() else f"{name}.npz")) as held:
        y, rows = held["y"].astype(int), held[labels][number]
        X = held["X"] if "X" in held else sparse.load_npz(folder / "X.npz").tocsr()
    rest = np.setdiff1d(np.arange(len(y)), rows)
    return Split(X[rows], y[rows], X[rest], y[rest])


def one_trial(data: Path, task: str, samples: int, seed: int, number: int) -> Record:
    drawn = split(data, *TASKS[task], number)
    return trial(CANDIDATES, None, drawn, criteria(samples), 1000 * seed + number, jobs=2)


def table(chosen: pd.DataFrame) -> pd.DataFrame:
    """Mean error of what each criterion chooses, a row per set and number of labels, and the means over them."""
    means = chosen.pivot_table(index="set", columns="method", values="error", sort=False)
    means = means.reindex(columns=[*ORDER, BEST_FIXED, BEST_EACH])  # MML is not there: not all learners have it
    means.loc["mean"] = means.mean()
    means.loc["mean regret"] = means.loc["mean"] - means.loc["mean", BEST_EACH]
    return means.reset_index()


def splits_of(task: str, asked: int) -> int:
    return min(asked, 10 if TASKS[task][1] == "labeled50" else ALL)


def run(typed: argparse.Namespace, splits: int, samples: int) -> dict[str, list[Record]]:
    journal = Journal(typed.output / "journal.jsonl", {"seed": typed.seed})
    for task in typed.only:
        make = partial(one_trial, typed.data, task, samples, typed.seed)
        journal.run(task, samples, range(splits_of(task, splits)), make)
    return {task: journal.of(task, splits_of(task, splits), samples) for task in typed.only}


def main() -> None:
    arguments = parser("ssl_book", __doc__, list(TASKS), cuts=False)
    arguments.add_argument("--splits", type=int, help="the first so many of the published splits")
    arguments.add_argument("--samples", type=int, help="data sets drawn by each sampling criterion")
    typed = options(arguments, needed="ssl_digit1")
    splits, samples = (
        typed.splits or (ALL if typed.full else SPLITS),
        typed.samples or (MANY if typed.full else SAMPLES),
    )
    with recorded("ssl_book", typed):
        records = run(typed, splits, samples)
        chosen = pd.concat([choices(own) for own in records.values()])
        book = Book(typed.output, ())
        book.csv("trials", chosen)
        book.csv("errors", table(chosen))
        often = chosen[chosen["method"].isin(ORDER)]
        often = often.assign(learner=often["chosen"].str.split("(").str[0]).query("learner != ''")
        counts = often.groupby(["method", "learner"]).size().unstack(fill_value=0).reset_index()
        book.csv("learners", counts)
        title = f"Error of the chosen candidate, mean over {splits} splits, {samples} sampled data sets"
        book.tell({title: table(chosen), "How often each learner was chosen": counts})
        (typed.output / "journal.jsonl").unlink()


if __name__ == "__main__":
    main()
