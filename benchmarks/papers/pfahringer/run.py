"""Pfahringer, Reutemann & Mayo: Tables 1 to 4, Figures 1 to 3, the sign test, and what they left as future work.

    python -m benchmarks.papers.pfahringer.run [--full] [--only earn corn ...] [--splits 20] [--data FOLDER] [--seed 0]

Ten topics of Reuters-21578, each a question of yes or no; 5, 10 or 20 percent of the documents are labeled, the others
are the pool, whose hidden labels tell the truth. Every learner stands there twice: trained on the labels, with its
10-fold estimate ("cv"), and as the ensemble that it teaches on the pool, with the ensemble's error on the labels
("dag"). The meta-classifier takes the smallest estimate, ties at random.

Read in two ways: "weka" with logistic outputs as WEKA makes them, "platt" as the paper's reference describes them.
Tables are made from ``measurements.csv``; ``--resume`` keeps what an earlier run has measured, and does the rest.
"""

import argparse
import time
from typing import Any

import joblib
import pandas as pd

from benchmarks.papers.pfahringer import figures, studies
from benchmarks.papers.pfahringer.printed import TABLE1
from benchmarks.papers.pfahringer.protocol import LEARNERS, measure
from benchmarks.papers.pfahringer.sets import TOPICS, Collection, reuters, split
from benchmarks.papers.pfahringer.tables import (
    READINGS,
    areas,
    captions,
    claims,
    correlations,
    optimism,
    sign_tests,
    table,
)
from benchmarks.papers.reproducing import Book, options, parser, recorded
from foldless.criteria import Dagging

PERCENTS = (5, 10, 20)
FULL = 100


def one_split(collection: Collection, topics: Any, percent: int, number: int, seed: int) -> list[dict[str, Any]]:
    """Everything measured on one split, over all topics."""
    rows = []
    for topic in topics:
        parts = split(collection, topic, percent, number, seed)
        measured = measure(parts, {"dag": Dagging()}, LEARNERS, seed + number)
        rows += [{"percent": percent, "split": number, "topic": topic, **row} for row in measured]
    return rows


def run(typed: argparse.Namespace, book: Book) -> None:
    """Measure split by split; a stopped run leaves whole splits."""
    collection = reuters(typed.data, typed.rows)
    done = {(row["percent"], row["split"]) for row in book.rows["measurements"]}
    for percent in typed.percents:
        start = time.perf_counter()
        calls = (
            joblib.delayed(one_split)(collection, typed.only, percent, number, typed.seed)
            for number in range(FULL if typed.full else typed.splits)
            if (percent, number) not in done
        )
        for rows in joblib.Parallel(n_jobs=typed.jobs, return_as="generator_unordered")(calls):
            book.rows["measurements"] += rows
            book.write()
        print(f"{percent} %: {time.perf_counter() - start:.0f} s", flush=True)


def shares(typed: argparse.Namespace) -> pd.DataFrame:
    """Table 1: percent of documents of each topic."""
    classes = reuters(typed.data, typed.rows).classes
    rows = [{"topic": topic, "paper": TABLE1[topic], "ours": 100 * classes[topic].mean()} for topic in TOPICS]
    return pd.DataFrame(rows).assign(difference=lambda frame: frame["ours"] - frame["paper"])


def report(measured: pd.DataFrame, book: Book, table1: pd.DataFrame, extra: dict[str, pd.DataFrame]) -> None:
    """Everything that is printed."""
    sections = {"table1": table1} | {
        f"table{number}_{reading}": table(measured, percent, reading)
        for number, percent in enumerate(PERCENTS, 2)
        for reading in READINGS
        if percent in set(measured["percent"])
    }
    sections |= {
        "claims": claims(measured), "captions": captions(measured), "sign_tests": sign_tests(measured),
        "optimism": optimism(measured), "correlations": correlations(measured), "auc": areas(measured), **extra,
    }  # fmt: skip
    for name, frame in sections.items():
        book.csv(name, frame)
    book.tell(sections)


def main() -> None:
    arguments = parser("pfahringer", __doc__, TOPICS)
    arguments.add_argument("--splits", type=int, default=20, help="random splits of each size; 100 with --full")
    arguments.add_argument("--percents", type=int, nargs="+", choices=PERCENTS, default=list(PERCENTS))
    arguments.add_argument("--jobs", type=int, default=2, help="splits at a time")
    arguments.add_argument(
        "--study-splits", type=int, default=3, help="splits of the studies beyond the paper; 0 for none"
    )
    arguments.add_argument("--resume", action="store_true", help="go on with the measurements of an earlier run")
    typed = options(arguments, needed="reuters21578")
    book = Book(typed.output, ("measurements", *studies.NAMES))
    with recorded("pfahringer", typed):
        if typed.resume:
            book.read()
        run(typed, book)
        studies.run(typed, book)
        measured = book["measurements"]
        report(measured, book, shares(typed), studies.tables(book))
        for topic, name in (("earn", "figure1"), ("corn", "figure2")):
            if ((measured["topic"] == topic) & (measured["percent"] == 5)).any():
                figures.correlation(measured, topic, typed.output / f"{name}.png")
        if ((measured["topic"] == "corn") & (measured["percent"] == 5)).any():
            figures.correlation(measured, "corn", typed.output / "figure3.png", zoomed=True)


if __name__ == "__main__":
    main()
