"""Is it worth it to ask which rows to label? 20 labels at random, then four rounds of 20 by a strategy.

    python -m benchmarks.league.label_next [--quick] [--out FILE] [--data FOLDER]   run what is missing, print tables
    python -m benchmarks.league.label_next --table [--out FILE]                     print the tables of what has run
    python -m benchmarks.league.label_next --markdown [--out FILE]                  print the table of the documentation

A setting is a data set, a family of candidates, a seed and a strategy. After each round ``auto`` chooses among the
candidates of the family, and the accuracy of the chosen model on test rows is recorded, with its regret: what the best
candidate of the family, trained on the same labels, has more. All strategies begin with the same 20 labels. Sets with
more than ten classes are cut to their eight most frequent ones; sets of few rows, and those of which nine tenths are of
one class, where the accuracy says little, are left out. ``--families portfolio`` is the default model, an average of
its members, which has no candidates to regret.

Every setting is a line of the file: a run that was killed goes on where it stopped. What is tuned is tuned on the sets
of the other half, see ``benchmarks.sets.half_of``.
"""

import argparse
import os
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from benchmarks.league.families import estimators
from benchmarks.league.picking import COMPARED
from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.records import keep, kept
from benchmarks.sets import KINDS, half_of, kind_of, load, prepared
from foldless import FoldlessSearch, suggest
from foldless.labeling import STRATEGIES as KNOWN

FIRST, MORE, ROUNDS, POOL, TEST = 20, 20, 4, 1000, 1000
MOST_CLASSES, FEWER = 10, 8
MEMBERS = ("logistic", "svm", "nb", "knn", "tree")
FAMILIES = ("logistic", "nb", "knn", "tree", "mixed")  # svm is among the mixed ones
PORTFOLIO = "portfolio"
SETS = tuple(name for kind, names in KINDS.items() if kind != "law" for name in names)
LEAST_KNOWN, MOST_OF_ONE = 400, 0.9  # labels and pool together, and the share of the largest class
QUICK = ("spambase", "digits", "sms_spam")
VALID = ", valid"  # behind a strategy: with keep_valid
STRATEGIES = ("random", "auto")


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--quick", action="store_true", help="three sets of the half for tuning, one seed, two families"
    )
    parser.add_argument("--table", action="store_true", help="only print what has run")
    parser.add_argument("--markdown", action="store_true", help="print the table of the documentation")
    parser.add_argument("--out", type=Path, default=Path("build/label_next.jsonl"), help="the file of records")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--half", choices=["report", "tune"], default="report")
    parser.add_argument("--seeds", type=int, nargs="*", default=list(range(10, 15)))
    parser.add_argument("--sets", nargs="*")
    parser.add_argument("--families", nargs="*", default=list(FAMILIES))
    parser.add_argument("--strategies", nargs="*", default=list(STRATEGIES))
    arguments = parser.parse_args(words)
    KNOWN.update(COMPARED)
    if arguments.quick:
        arguments.sets, arguments.seeds, arguments.families = QUICK, [0], ["logistic", "nb"]
    if not arguments.table and not arguments.markdown:
        print(versions(), flush=True)
        run(arguments)
    records = kept(arguments.out)
    print(markdown(records) if arguments.markdown else tables(records))


def run(arguments: argparse.Namespace) -> None:
    """Every setting that the file does not hold, one set after the other."""
    done = {_key(record) for record in kept(arguments.out)}
    sets = arguments.sets or [name for name in SETS if half_of(name) == arguments.half]
    for seed, name in product(arguments.seeds, sets):
        drawn = None
        for family, strategy in product(arguments.families, arguments.strategies):
            if (name, family, seed, strategy) in done:
                continue
            drawn = drawn or draw(name, seed, arguments.data)
            if drawn is None:
                break
            start = time.process_time()
            record = label(*drawn, family, strategy, seed)
            if record is None:
                continue
            record = {"set": name, "family": family, "seed": seed, "strategy": strategy, **record}
            record["cpu"] = round(time.process_time() - start, 2)
            keep(arguments.out, [record])
        if drawn is not None:
            print(f"{name} {seed}", flush=True)


def draw(name: str, seed: int, folder: Path) -> tuple[Any, np.ndarray, int] | None:
    """Features, classes, and how many rows come before the test rows; None where a set does not serve."""
    X, y = of_frequent_classes(*load(name, folder))
    known = FIRST + min(POOL, (len(y) - FIRST) // 2)
    if not serves(y, known):
        return None
    rng = np.random.default_rng([seed, crc32(name.encode()), 23])
    rows = rng.permutation(len(y))
    while len(np.unique(y[rows[:FIRST]])) < 2:
        rows = rng.permutation(len(y))
    rows = rows[: known + TEST]
    return prepared(X[rows], known), y[rows], known


def of_frequent_classes(X: Any, y: np.ndarray) -> tuple[Any, np.ndarray]:
    """The rows of the most frequent classes, where there are more than ten."""
    if y.max() < MOST_CLASSES:
        return X, y
    frequent = np.flatnonzero(np.isin(y, np.argsort(-np.bincount(y), kind="stable")[:FEWER]))
    return X[frequent], np.unique(y[frequent], return_inverse=True)[1]


def serves(y: np.ndarray, known: int) -> bool:
    """Whether enough rows come before the test rows, and accuracy says something."""
    return known >= LEAST_KNOWN and np.bincount(y).max() < MOST_OF_ONE * len(y)


def label(
    X: Any, y: np.ndarray, known: int, family: str | tuple[str, ...], strategy: str, seed: int
) -> dict[str, Any] | None:
    """Accuracy and regret of the chosen model after each round, and the fits that the suggestions took.

    None where the set has no such family; several families are candidates together.
    """
    models = candidates(X, y, family)
    if models is None and family != PORTFOLIO:
        return None
    offer: Any = "best" if models else "average"
    labeled, pool = np.arange(FIRST), np.arange(FIRST, known)
    chances, rounds = np.full(FIRST, np.nan), np.zeros(FIRST)  # the first labels are drawn like the pool
    accuracy, regret, fits, seconds = [], [], 0, 0.0
    for done in range(ROUNDS + 1):
        search = FoldlessSearch(models, offer=offer, estimate=False, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search.fit(
                X[labeled], y[labeled], X_unlabeled=X[pool],
                **({"X_test": X[known:], "y_test": y[known:]} if models else {}),
                **({} if strategy == "random" else {"label_probabilities": chances, "label_rounds": rounds}),
            )  # fmt: skip
            found = search.selection_
            right = found.best_test_accuracy if models else np.mean(search.predict(X[known:]) == y[known:])
            accuracy.append(round(float(right), 5))
            regret.append(round(max(found.test_accuracy.values()) - accuracy[-1], 5) if models else 0.0)
            if done == ROUNDS:
                break
            start = time.process_time()
            valid = strategy.endswith(VALID)
            name = strategy.removesuffix(VALID)
            taken = suggest(search, MORE, strategy=name, keep_valid=valid, random_state=100 * seed + done)
            fits, seconds = fits + taken.n_fits, seconds + time.process_time() - start
        labeled, pool = np.concatenate([labeled, pool[taken.rows]]), np.delete(pool, taken.rows)
        chances = np.concatenate([chances, np.zeros(MORE) if taken.probabilities is None else taken.probabilities])
        rounds = np.concatenate([rounds, np.full(MORE, done + 1.0)])
    return {"accuracy": accuracy, "regret": regret, "fits": fits, "suggest_cpu": round(seconds, 3)}


def candidates(X: Any, y: np.ndarray, family: str | tuple[str, ...]) -> Any:
    """The estimators of a family, or of several; None for the portfolio, and where the set has no such family."""
    if family == PORTFOLIO:
        return None
    every = estimators(X, len(np.unique(y)), FIRST)
    mixed = [own for own in MEMBERS if own in every]
    names = mixed if family == "mixed" else [family] if isinstance(family, str) else list(family)
    return {name: every[name] for name in names} if set(names) <= set(every) else None


def tables(records: list[dict[str, Any]]) -> str:
    """The gain over random labeling, in all, by family and by set."""
    lines = []
    for strategy in dict.fromkeys(record["strategy"] for record in records):
        if strategy == "random":
            continue
        groups = grouped(records, strategy, lambda key: ("all", f"family {key[1]}", f"set {key[0]}"))
        pairs = groups.get("all", [])
        lines += [f"\n{strategy} against random labeling, {len(pairs)} pairs", ""]
        lines += [f"{'':22}{'accuracy':>10}{'gain':>9}{'se':>8}{'all rounds':>12}{'regret':>9}{'less':>9}{'se':>8}"]
        lines += [_line(group, members) for group, members in groups.items()]
        cpu = sum(own["suggest_cpu"] for _, _, own in pairs) / max(1, sum(own["cpu"] for _, _, own in pairs))
        lines.append(f"suggestions take {cpu:.0%} of the CPU time, the rest is choosing")
    return "\n".join(lines)


def markdown(records: list[dict[str, Any]], strategy: str = "auto") -> str:
    """The table of docs/label_next.md: in all, by family and by kind of set."""
    groups = grouped(records, strategy, lambda key: ("**all**", f"family {key[1]}", f"{kind_of(key[0])} sets"))
    lines = [
        "| | settings | accuracy, at random | gain | regret, at random | less by | regret of all rounds less by |",
        "|---|---|---|---|---|---|---|",
    ]
    for group, members in sorted(groups.items()):
        accuracy, regret = curves(members, "accuracy"), curves(members, "regret")
        gain, less = accuracy[1, :, -1] - accuracy[0, :, -1], regret[0, :, -1] - regret[1, :, -1]
        less_of_all = (regret[0] - regret[1])[:, 1:].mean(axis=1)
        lines.append(
            f"| {group} | {len(members)} | {accuracy[0, :, -1].mean():.3f} | "
            f"{gain.mean():+.4f} ± {error(members, gain):.4f} | {regret[0, :, -1].mean():.4f} | "
            f"{less.mean():+.4f} ± {error(members, less):.4f} | "
            f"{less_of_all.mean():+.4f} ± {error(members, less_of_all):.4f} |"
        )
    return "\n".join(lines)


def _line(group: str, members: list[Any]) -> str:
    accuracy, regret = curves(members, "accuracy"), curves(members, "regret")[:, :, 1:]
    gains, less = accuracy[1] - accuracy[0], (regret[0] - regret[1]).mean(axis=1)
    last = gains[:, -1]
    return (
        f"{group:22}{accuracy[0, :, -1].mean():10.4f}{last.mean():9.4f}{error(members, last):8.4f}"
        f"{gains[:, 1:].mean():12.4f}{regret[1].mean():9.4f}{less.mean():9.4f}{error(members, less):8.4f}"
    )


def grouped(records: list[dict[str, Any]], strategy: str, groups_of: Callable[[Any], Any]) -> dict[str, list[Any]]:
    """Settings with their records of random labeling and of a strategy, by the groups that each is in."""
    found = {_key(record): record for record in records}
    groups: dict[str, list[Any]] = defaultdict(list)
    for key, own in found.items():
        if key[3] == strategy and (base := found.get((*key[:3], "random"))) is not None:
            for group in groups_of(key):
                groups[group].append((key, base, own))
    return groups


def curves(members: list[Any], what: str) -> np.ndarray:
    """(2, settings, rounds): what was recorded after each round, at random and by the strategy."""
    return np.array([[base[what] for _, base, _ in members], [own[what] for _, _, own in members]])


def error(members: list[Any], values: np.ndarray) -> float:
    """The standard error of a mean over draws: settings of one set and seed share their rows, and count as one."""
    draws = defaultdict(list)
    for (key, _, _), value in zip(members, values, strict=True):
        draws[key[0], key[2]].append(value)
    means = np.array([np.mean(own) for own in draws.values()])
    return float(means.std(ddof=1) / np.sqrt(len(means))) if len(means) > 1 else np.nan


def _key(record: dict[str, Any]) -> tuple[str, str, int, str]:
    return record["set"], record["family"], record["seed"], record["strategy"]


if __name__ == "__main__":
    main()
