"""Kar et al. (2016), Figures 1 to 6: measures of counting against training time, trade-off, class shares and drift.

    python -m benchmarks.papers.kar2016.run [--full] [--only NAME ...] [--data FOLDER] [--output FOLDER] [--seed 0]

Every method is tuned on validation rows, a part of the training rows, and then learns from all training rows with a
clock that stops while the model so far is judged on the test rows. Stream learners and 1PMB take 25 passes, SVMperf as
many constraints as it needs, at most 300. KLD alone does not tell whether rows are told apart, so balanced accuracy
stands beside it. "NEMSIS-NS (BAKLD)" is not in the paper's Figure 1: of the settings that count right up to chance on
validation rows it has the one with the best balanced accuracy.

A stopped run goes on where it was: splits are lines of a journal, which is deleted when the tables are written.
"""

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.papers.journal import Journal, Record
from benchmarks.papers.kar2016 import figures
from benchmarks.papers.kar2016.race import METHODS, drifted, race, trade_off
from benchmarks.papers.kar2016.sets import PAPER, SETS, make
from benchmarks.papers.kar2016.tables import (
    counting,
    ends,
    gathered,
    legible,
    means,
    over_time,
    settled,
    sooner,
    systematic,
)
from benchmarks.papers.reproducing import Book, options, parser, recorded

LIMITS = {"covtype": 60_000}  # rows of the default run
FEW = 3  # splits of the default run for what is not about KLD against time: Figures 2, 5 and 6


def one_split(name: str, data: Path, seed: int, limit: int | None, few: int, split: int) -> Record:
    """All methods on one split, for all goals on the first few."""
    start = time.process_time()
    parts = make(name, data, seed + split, limit)
    curves, chosen, finals = [], [], {}
    for goal in METHODS if split < few else ["KLD"]:
        rows, finals[goal], settings = race(goal, parts)
        curves += [{"goal": goal, **row} for row in rows]
        chosen += [{"goal": goal, **setting} for setting in settings]
    y = np.concatenate([parts.y, parts.y_test])
    size = {"rows": len(y), "test rows": len(parts.y_test), "features": parts.X.shape[1], "positives": float(y.mean())}
    return {
        "size": [size],
        "curves": curves,
        "chosen": chosen,
        "drift": drifted(parts, finals["KLD"], seed + split),
        "trade_off": trade_off(parts) if split < few else [],
        "seconds": round(time.process_time() - start, 1),
    }


def run(typed: argparse.Namespace) -> list[Record]:
    few, records = typed.splits if typed.full else FEW, list[Record]()
    journal = Journal(typed.output / "journal.jsonl", {"seed": typed.seed, "few": few})
    for name in typed.only:
        limit = None if typed.full else typed.rows or LIMITS.get(name)
        make_one = partial(one_split, name, typed.data, typed.seed, limit, few)
        journal.run(name, limit or 0, range(typed.splits), make_one)
        records += journal.of(name, typed.splits, limit or 0)
    return records


def report(book: Book, records: list[Record]) -> None:
    curves, drift, trade = (gathered(records, part) for part in ("curves", "drift", "trade_off"))
    final, chosen, sizes = ends(curves), gathered(records, "chosen"), gathered(records, "size")
    sizes = sizes.drop(columns="split").drop_duplicates("set").reset_index(drop=True)
    sizes.insert(2, "in the paper", sizes["set"].map(PAPER))
    sizes["processor seconds"] = [
        sum(record["seconds"] for record in records if record["set"] == name) for name in sizes["set"]
    ]
    points = over_time(curves)
    tables = {
        "sizes": sizes, "curves": points, "settled": settled(points), "final": means(final), "splits": final,
        "chosen": chosen, "counting": counting(final, sizes), "sooner": sooner(curves, sizes),
        "training": systematic(chosen, final),
        "trade_off": trade.groupby(["set", "C"], sort=False)[["BA", "KLD", "Q", "CQ"]].mean().reset_index(),
        "drift": drift.pivot_table(index=["set", "method"], columns="change", values="KLD", sort=False).reset_index(),
    }  # fmt: skip
    for name, frame in tables.items():
        book.csv(name, frame)
    book.tell({
        "Sets": sizes,
        "Figures 1, 3, 5, 6: at the end of training, means over splits": legible(tables["final"]),
        "Who counts better: ours and the best baseline, paired over splits": legible(tables["counting"]),
        "Who is sooner: seconds to 1.1 of SVMperf's final KLD + 1e-4, medians over splits": tables["sooner"],
        "Seconds after which the mean KLD stays below 1e-3": tables["settled"],
        "KLD on the training rows and on test rows": legible(tables["training"]),
        "Figure 2: BAKLD's weight": legible(tables["trade_off"]),
        "Figure 4: KLD where the share of positives has changed by so much": legible(tables["drift"]),
    })  # fmt: skip
    figures.draw(tables, book.folder)


def main() -> None:
    arguments = parser("kar2016", __doc__, SETS)
    arguments.add_argument("--splits", type=int, default=10, help="random splits of each set")
    typed = options(arguments, needed="letter")
    with recorded("kar2016", typed):
        report(Book(typed.output, ()), run(typed))
    (typed.output / "journal.jsonl").unlink()


if __name__ == "__main__":
    main()
