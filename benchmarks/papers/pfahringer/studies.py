"""What Pfahringer et al. left as future work: dagged or not, the number of batches, a larger collection; and two more.

All of it is measured as the tables are; the area under the curve is measured there. "inside" learns words and weights
in the candidates, anew for each fold, where the paper learns them once from all labeled documents; "bias" asks whether
the bias of the SVM, which WEKA does not penalize and our learner does, makes a difference.
"""

import argparse
import time
from typing import Any

import joblib
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import SVC

from benchmarks.papers.pfahringer.protocol import LEARNERS, SMO, measure
from benchmarks.papers.pfahringer.sets import NEWSGROUPS, WORDS_PER_CLASS, newsgroups, reuters, split, split_counts
from benchmarks.papers.reproducing import Book
from foldless.criteria import Dagging
from foldless.data.class_words import ClassWordTransformer

NAMES = ("undagged", "inside", "newsgroups", "bias", "batches")
BATCHES = (1, 2, 4, 9, 19, 38)


def run(typed: argparse.Namespace, book: Book) -> None:
    """All studies, each written when it is done."""
    works = {
        "undagged": [(undagged, topic, 5, n) for n in range(typed.study_splits) for topic in typed.only],
        "inside": [(inside, topic, 5, n) for n in range(typed.study_splits) for topic in typed.only],
        "newsgroups": [(larger, NEWSGROUPS, percent, n) for n in range(typed.study_splits) for percent in (5, 20)],
        "bias": [(bias, topic, 5, n) for n in range(min(1, typed.study_splits)) for topic in typed.only],  # slow
        "batches": [
            (batches, topic, percent, n)
            for n in range(typed.study_splits)
            for percent in typed.percents
            for topic in typed.only
        ],
    }
    for name, calls in works.items():
        start = time.perf_counter()
        there = {(row["topic"], row["percent"], row["split"]) for row in book.rows[name]}
        done = joblib.Parallel(n_jobs=typed.jobs, return_as="generator")(
            joblib.delayed(_one)(*call, typed) for call in calls if call[1:] not in there
        )
        for rows in done:
            book.rows[name] += rows
            book.write()
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)


def undagged(topic: str, percent: int, number: int, typed: argparse.Namespace) -> list[dict[str, Any]]:
    """One fit on the whole pool beside the vote of many."""
    parts = split(reuters(typed.data, typed.rows), topic, percent, number, typed.seed)
    kinds = {"dag": Dagging(), "undagged": Dagging(dagged=False)}
    return measure(parts, kinds, _named("NBM", "SMO"), typed.seed + number, auc=False)


def batches(topic: str, percent: int, number: int, typed: argparse.Namespace) -> list[dict[str, Any]]:
    """Batches of other sizes than that of the labeled part."""
    parts = split(reuters(typed.data, typed.rows), topic, percent, number, typed.seed)
    kinds = {f"{n} batches": Dagging(n_batches=n) for n in BATCHES}
    return measure(parts, kinds, _named("SMO", "SMO-P"), typed.seed + number, auc=False)


def larger(_: str, percent: int, number: int, typed: argparse.Namespace) -> list[dict[str, Any]]:
    """20 classes at once."""
    parts = split(newsgroups(typed.data, typed.rows), NEWSGROUPS, percent, number, typed.seed)
    return measure(parts, {"dag": Dagging()}, _named("NBM", "SMO", "SMO-L"), typed.seed + number)


def inside(topic: str, percent: int, number: int, typed: argparse.Namespace) -> list[dict[str, Any]]:
    """Words and weights learned in every fit, beside those learned once."""
    where = (reuters(typed.data, typed.rows), topic, percent, number, typed.seed)
    once, learner = split(*where), LEARNERS["SMO"]
    anew = {"SMO, words inside": make_pipeline(ClassWordTransformer(WORDS_PER_CLASS), learner)}
    rows = measure(once, {}, {"SMO": learner}, typed.seed + number, auc=False)
    return rows + measure(split_counts(*where), {}, anew, typed.seed + number, auc=False)


def bias(topic: str, percent: int, number: int, typed: argparse.Namespace) -> list[dict[str, Any]]:
    """The SVM of libsvm, whose bias is free, beside ours."""
    parts = split(reuters(typed.data, typed.rows), topic, percent, number, typed.seed)
    free = {"SMO, free bias": make_pipeline(MaxAbsScaler(), SVC(kernel="linear", C=SMO["C"]))}
    return measure(parts, {"dag": Dagging()}, _named("SMO") | free, typed.seed + number, auc=False)


def tables(book: Book) -> dict[str, pd.DataFrame]:
    """What is printed of the studies that were run."""
    frames = {}
    for name in NAMES:
        rows = book[name]
        if not rows.empty:
            frames[f"{name}_means"] = _means(rows)
    return frames


def _means(rows: pd.DataFrame) -> pd.DataFrame:
    """Means over topics and splits; the spread is that over the splits of a topic."""
    keys = ["percent", "kind", "learner"]
    rows = rows.assign(gap=rows["error"] - rows["estimate"])
    spread = rows.groupby([*keys, "topic"])[["estimate", "error"]].std().groupby(keys).mean()
    apart = (rows["gap"] ** 2).groupby([rows[key] for key in keys]).mean() ** 0.5
    table = 100 * rows.groupby(keys, sort=False)[["estimate", "error", "gap"]].mean()
    splits = rows.groupby(keys)["split"].nunique()
    table = table.rename(columns={"gap": "too low by"})
    table["sd of estimate"] = 100 * spread["estimate"]
    table["sd of error"] = 100 * spread["error"]
    table["rms of estimate − error"] = 100 * apart
    if "named" in rows and rows["named"].notna().all():
        table["named positive"] = 100 * rows.groupby(keys)["named"].mean()
    table["splits"] = splits
    return table.reset_index()


def _named(*names: str) -> dict[str, Any]:
    return {name: LEARNERS[name] for name in names}


def _one(study: Any, topic: str, percent: int, number: int, typed: argparse.Namespace) -> list[dict[str, Any]]:
    rows = study(topic, percent, number, typed)
    return [{"percent": percent, "split": number, "topic": topic, **row} for row in rows]
