"""The league: regret of every criterion over data sets, numbers of labels, families of candidates and seeds.

    python -m benchmarks.league.run [--quick] [--out FILE] [--data FOLDER]      run what is missing, and print the table
    python -m benchmarks.league.run --table [--out FILE]                        print the table of what has run
    python -m benchmarks.league.run --page [--out FILE]                         write docs/league.md and its picture

Regret is the best candidate's test accuracy minus that of the chosen model. A setting is a data set, a number of
labels, a seed and a regime: "plain", or "shift" where the class shares of the labels are not those of pool and test.
In each, all criteria choose among the candidates of each family, in one comparison that trains every common fit once.
Every choice is a line of the file, with a digest of what the criterion does: a run that was killed goes on where it
stopped, one with other seeds adds to it, and where a criterion has changed only its own row runs again. Two processes
with different --seeds may share a file.
"""

import argparse
import os
import time
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from benchmarks.league import page, tables
from benchmarks.league.families import FAMILIES, estimators, members
from benchmarks.league.rows import ROWS, digests
from benchmarks.league.wrappers import Among
from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.records import keep, kept
from benchmarks.sets import SETS, draw
from foldless import compare

PROTOCOL = 1  # of draws, families and records; others have nothing to do with this code
PLAN = (  # regime, labels, and whether the rows run that come late, or the others
    ("plain", 60, False), ("plain", 20, False), ("plain", 200, False), ("shift", 60, False), ("plain", 60, True),
    ("plain", 20, True), ("plain", 10, False), ("plain", 200, True), ("plain", 1000, False), ("plain", 10, True),
)  # fmt: skip
BLOCK = 18  # sets that go through the plan together
SEEDS = 5
QUICK = ("glass", "yeast", "mammography", "elec", "segment", "digits", "spambase", "blobs", "sms_spam", "waveform-21")


class Setting(NamedTuple):
    """What is drawn: labels of a set, under a regime, by a seed."""

    regime: str
    set: str
    n: int
    seed: int


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="ten sets, one seed, 20 and 60 labels, no costly criteria")
    parser.add_argument("--table", action="store_true", help="only print what has run")
    parser.add_argument("--page", action="store_true", help="only write the page of what has run")
    parser.add_argument("--stale", action="store_true", help="also show rows of criteria that have changed since")
    parser.add_argument("--out", type=Path, default=Path("build/league.jsonl"), help="the file of records")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument(
        "--journals", type=Path, help="a folder for stored answers, so that rows that have changed fit less"
    )
    parser.add_argument("--seeds", type=int, nargs="*", default=list(range(SEEDS)))
    parser.add_argument("--budgets", type=int, nargs="*", help="numbers of labels")
    parser.add_argument("--regimes", nargs="*", default=["plain", "shift"])
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--families", nargs="*", default=list(FAMILIES))
    parser.add_argument("--criteria", nargs="*", default=list(ROWS), help="rows of the table")
    arguments = parser.parse_args(words)
    if arguments.quick:
        arguments.sets, arguments.seeds, arguments.budgets = list(QUICK), [0], [20, 60]
        arguments.regimes, arguments.criteria = ["plain"], [name for name, row in ROWS.items() if not row.costly]
    if not arguments.table and not arguments.page:
        print(versions(), flush=True)
        run(arguments)
    records = tables.read(arguments.out, PROTOCOL, stale=arguments.stale)
    if arguments.page:
        page.write(records)
    else:
        print(tables.text(records))


def run(arguments: argparse.Namespace) -> None:
    """Every choice that the file does not hold, one setting after the other."""
    current, done = digests(), _done(arguments.out)
    for setting, late in _settings(arguments):
        wanted = [
            (family, name)
            for family in arguments.families
            for name in arguments.criteria
            if ROWS[name].is_late(family) == late
            and ROWS[name].runs(setting.n, setting.seed, family)
            and (*setting, family, name, current[name]) not in done
        ]
        if not wanted or (*setting, "", "", "") in done:
            continue
        start = time.time()
        try:
            lines = [{**setting._asdict(), **line} for line in _choices(setting, wanted, arguments)]
        except Exception as error:  # one setting must not end a run of hours; the next run tries it again
            print(f"{setting} failed: {error!r}", flush=True)
            continue
        for line in lines:
            line["digest"] = current.get(line["criterion"], "")
            line["protocol"] = PROTOCOL
        keep(arguments.out, lines)
        if len(lines) > 1:
            print(f"{setting}: {len(lines)} choices, {time.time() - start:.0f} s", flush=True)


def _settings(arguments: argparse.Namespace) -> Iterator[tuple[Setting, bool]]:
    """A table of what has run should be broad: all sets come first, then all of the plan, then more seeds."""
    plan, sets = PLAN, arguments.sets
    if arguments.budgets is not None:
        plan = tuple(product(arguments.regimes, arguments.budgets, (False, True)))
    blocks = [sets[at : at + BLOCK] for at in range(0, len(sets), BLOCK)]
    for seed in arguments.seeds:
        for names, entries in [(sets, plan[:1]), *((block, plan[1:]) for block in blocks)]:
            for (regime, n, late), name in product(entries, names):
                if regime in arguments.regimes:
                    yield Setting(regime, name, n, seed), late


def _done(path: Path) -> set[tuple[Any, ...]]:
    keys = ("regime", "set", "n", "seed", "family", "criterion", "digest")
    return {tuple(r[key] for key in keys) for r in kept(path) if r["protocol"] == PROTOCOL}


def _choices(setting: Setting, wanted: list[tuple[str, str]], arguments: argparse.Namespace) -> Iterator[dict]:
    """What each criterion chose in each family; one empty record where the set does not serve the setting."""
    drawn = draw(setting.set, setting.n, setting.seed, setting.regime, arguments.data)
    if drawn is None:
        yield {"family": "", "criterion": ""}
        return
    X, y, labeled, pool, test = drawn
    learners = estimators(X, len(np.unique(y)), setting.n)
    families = members(learners)
    used = {name for family, _ in wanted for name in families.get(family, ())}
    criteria = {
        f"{family}/{name}": Among(ROWS[name].criterion, families[family])
        for family, name in wanted
        if family in families
    }
    if not criteria:
        return
    journal = None
    if arguments.journals is not None:
        arguments.journals.mkdir(parents=True, exist_ok=True)
        journal = arguments.journals / f"{setting.regime}_{setting.set}_{setting.n}_{setting.seed}.journal"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = compare(
            {name: learner for name, learner in learners.items() if name in used}, None, X[labeled], y[labeled],
            X_unlabeled=X[pool], criteria=criteria, X_test=X[test], y_test=y[test], random_state=setting.seed,
            journal=journal,
        )  # fmt: skip
    for row in found.rows:
        family, name = row["criterion"].split("/")
        own = [value for c, value in found.test_accuracy.items() if c.params["estimator"] in families[family]]
        record = {"family": family, "criterion": name, "candidates": len(own), "best": round(max(own), 6)}
        chosen = found.selections.get(row["criterion"])
        if chosen is not None:
            record |= {
                "chosen": chosen.best.candidate.name, "score": _plain(row["score"]),
                "accuracy": _plain(row["test_accuracy"]), "fits": row["fits"] + (not ROWS[name].full),
                "seconds": round(sum(sum(timing.fit) for timing in chosen.timings.values()), 4),
            }  # fmt: skip
        yield record


def _plain(value: float) -> float | None:
    return round(float(value), 6) if np.isfinite(value) else None


if __name__ == "__main__":
    main()
