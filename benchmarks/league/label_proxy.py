"""Ways to choose the next labels of an average, compared with a cheap stand-in for it, from 20 to 100 labels.

    python -m benchmarks.league.label_proxy [--half tune] [--seeds 0 1 2] [--rules …]   run, print tables
    python -m benchmarks.league.label_proxy --table                                     print the tables

The default portfolio takes seconds to train, and rules differ by less than chance does on a hundred runs. So the
stand-in is the mean of four members that take milliseconds: logistic regression, a shrunken discriminant, kernel ridge
regression and the nearest neighbors, on at most 50 directions of the features. Rows are drawn by the functions of
``foldless.labeling`` with known probabilities, but for rules that pick. Sets that are cut, and left out, are those of
``benchmarks.league.label_next``; half of them is for tuning.
"""

import argparse
import os
import warnings
from collections import defaultdict
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy import sparse
from scipy.special import softmax
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression

from benchmarks.league.label_next import FIRST, POOL, SETS, TEST, of_frequent_classes, serves
from benchmarks.places import DATA
from benchmarks.records import keep, kept
from benchmarks.sets import half_of, load, prepared
from foldless.core import Array
from foldless.labeling._drawing_rules import walk
from foldless.labeling._known_probabilities import inclusion, systematic

STEPS = (15, 15, 25, 25)
DIRECTIONS, NEIGHBORS, TYPICAL_NEIGHBORS, RIDGE, SHARP = 50, 5, 20, 0.1, 4


class Rule(NamedTuple):
    """How labels are chosen.

    unsure : "ranks", the mean of the members' ranks; "margin" of the average; or "random"
    uniform : ε, the share of a probability that is alike for all rows
    disputes : whether half goes by how far the members' votes differ
    balanced : whether classes with few labels come first
    central : how far rows near the center of their cluster come first
    picks : whether rows are picked and not drawn
    typical_start : whether the first labels are typical rows of clusters and not drawn at random
    """

    unsure: str = "margin"
    uniform: float = 0.25
    disputes: bool = False
    balanced: bool = False
    central: float = 0.0
    picks: bool = False
    typical_start: bool = False


RULES = {
    "random": Rule("random"),
    "race": Rule("ranks", 0.5, disputes=True),
    "margin, half": Rule(uniform=0.5),
    "margin": Rule(),
    "balanced": Rule(balanced=True),
    "average": Rule(balanced=True, central=1.0),
    "sharper": Rule(uniform=0.1, balanced=True, central=2.0),
    "typical start": Rule(balanced=True, typical_start=True),
    "picked": Rule(picks=True),
}


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="only print what has run")
    parser.add_argument("--out", type=Path, default=Path("build/label_proxy.jsonl"), help="the file of records")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--half", choices=["report", "tune"], default="report")
    parser.add_argument("--seeds", type=int, nargs="*", default=list(range(10, 16)))
    parser.add_argument("--sets", nargs="*")
    parser.add_argument("--rules", nargs="*", default=["random", "race", "average"], choices=list(RULES))
    arguments = parser.parse_args(words)
    warnings.simplefilter("ignore")
    done = {(record["set"], record["seed"], record["rule"]) for record in kept(arguments.out)}
    sets = arguments.sets or [name for name in SETS if half_of(name) == arguments.half]
    for name in [] if arguments.table else sets:
        rows = load(name, arguments.data)
        for seed, rule in product(arguments.seeds, arguments.rules):
            if (name, seed, rule) in done or (drawn := draw(name, rows, seed)) is None:
                continue
            record = {"set": name, "seed": seed, "rule": rule, "accuracy": label(name, seed, RULES[rule], *drawn)}
            keep(arguments.out, [record])
    print(table(kept(arguments.out)))


def draw(name: str, rows: tuple[Any, Array], seed: int) -> tuple[Array, Array, int] | None:
    """Features, classes, and how many rows come before the test rows; None where a set does not serve."""
    X, y = of_frequent_classes(*rows)
    known = min(POOL, len(y) // 2)
    if not serves(y, known):
        return None
    order = np.random.default_rng([seed, crc32(name.encode()), 23]).permutation(len(y))[: known + TEST]
    X, y = prepared(X[order], known), y[order]
    if sparse.issparse(X):
        X = TruncatedSVD(min(DIRECTIONS, min(X.shape) - 1), random_state=0).fit(X[:known]).transform(X)
        X = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-9) * np.sqrt(X.shape[1])
    return X, y, known


def label(name: str, seed: int, rule: Rule, X: Array, y: Array, known: int) -> list[float]:
    """The accuracy of the average on test rows, before and after each step."""
    n_classes, rng = int(y.max()) + 1, np.random.default_rng([seed, 7, crc32(name.encode())])
    labeled = typical_rows(X[:known], rng) if rule.typical_start else rng.permutation(known)[:FIRST]
    accuracies = []
    for n in (*STEPS, 0):
        pool = np.setdiff1d(np.arange(known), labeled)
        votes = members(X[labeled], y[labeled], np.vstack([X[known:], X[pool]]), n_classes)
        n_test = len(X) - known
        accuracies.append(round(float((votes[:, :n_test].mean(axis=0).argmax(axis=1) == y[known:]).mean()), 5))
        if not n:
            break
        if rule.unsure == "random":
            rows = rng.permutation(len(pool))[:n]
        else:
            rows = next_rows(rule, votes[:, n_test:], X[pool], X[labeled], y[labeled], n, rng)
        labeled = np.concatenate([labeled, pool[rows]])
    return accuracies


def members(X: Array, y: Array, rows: Array, n_classes: int) -> Array:
    """(members, rows, classes) the probabilities of four members."""
    classes, codes = np.unique(y, return_inverse=True)
    every = np.zeros((4, len(rows), n_classes))
    if len(classes) == 1:
        every[:, :, classes[0]] = 1
        return every
    (n, width), truth = X.shape, np.eye(len(classes))[codes]
    logistic = LogisticRegression(C=1.0, max_iter=60, tol=1e-3).fit(X, codes).predict_proba(rows)
    means = np.array([X[codes == code].mean(axis=0) for code in range(len(classes))])
    within = (X - means[codes]).T @ (X - means[codes]) / max(1, n - len(classes))
    shrinkage = min(1.0, 0.1 + width / (n + width))
    within = (1 - shrinkage) * within + (shrinkage * np.trace(within) / width + 1e-6) * np.eye(width)
    slopes = np.linalg.solve(within, means.T)
    discriminant = softmax(rows @ slopes - 0.5 * (means.T * slopes).sum(axis=0) + np.log(truth.mean(axis=0)), axis=1)
    gamma, squared = 1 / (width * X.var() + 1e-9), _squared_distances(rows, X)
    gram = np.exp(-gamma * _squared_distances(X, X)) + RIDGE * np.eye(n)
    scores = np.exp(-gamma * squared) @ np.linalg.solve(gram, truth - truth.mean(axis=0)) + truth.mean(axis=0)
    nearest = np.argpartition(squared, min(NEIGHBORS, n) - 1, axis=1)[:, :NEIGHBORS]
    weights = 1 / np.sqrt(np.maximum(np.take_along_axis(squared, nearest, axis=1), 1e-9))
    near = (weights[:, :, None] * truth[nearest]).sum(axis=1)
    near /= near.sum(axis=1, keepdims=True)
    for at, shares in enumerate((logistic, discriminant, softmax(SHARP * scores, axis=1), near)):
        every[at][:, classes] = shares
    return every


def next_rows(rule: Rule, votes: Array, pool: Array, labeled: Array, y: Array, n: int, rng: Any) -> Array:
    """Rows of the pool by a rule."""
    shares = votes.mean(axis=0)
    unsure = np.mean([_ranks(each) for each in votes], axis=0) if rule.unsure == "ranks" else _ranks(shares)
    weights = unsure**2 + 0.02
    if rule.balanced:
        weights = weights * (shares @ (1 / np.sqrt(np.bincount(y, minlength=shares.shape[1]) + 1.0)))
    both, sizes = np.vstack([labeled, pool]), np.concatenate([np.full(len(labeled), weights.mean()), weights])
    k_means = KMeans(n + len(labeled), n_init=1, max_iter=30, random_state=int(rng.integers(2**31)))
    k_means.fit(both, sample_weight=sizes)
    cluster_of, centers = k_means.labels_[len(labeled) :], k_means.cluster_centers_
    labels = np.bincount(k_means.labels_[: len(labeled)], minlength=len(centers))
    squared = np.square(pool - centers[cluster_of]).sum(axis=1)
    if rule.picks:
        return _picked(cluster_of, squared, labels, weights, n)
    scores = weights / (1 + labels[cluster_of])
    if rule.central:
        means = np.bincount(cluster_of, squared, len(labels)) / np.maximum(
            1, np.bincount(cluster_of, minlength=len(labels))
        )
        scores = scores * np.exp(-rule.central * squared / np.maximum(means[cluster_of], 1e-9))
    if rule.disputes:
        said = votes.argmax(axis=2)
        disputed = 1 - sum(np.square((said == code).mean(axis=0)) for code in range(shares.shape[1]))
        scores = scores / scores.sum() + disputed / disputed.sum() if disputed.sum() > 0 else scores
    return systematic(inclusion(scores, n, rule.uniform), np.lexsort((squared, walk(centers)[cluster_of])), rng)


def _picked(cluster_of: Array, squared: Array, labels: Array, weights: Array, n: int) -> Array:
    """Central rows of the clusters with most weight for their labels, one after the other."""
    left: list[list[int]] = [[] for _ in labels]
    for row in np.argsort(squared, kind="stable")[::-1].tolist():
        left[cluster_of[row]].append(row)
    mass, n_seen, picked = np.bincount(cluster_of, weights, len(labels)), 1.0 + labels, list[int]()
    while len(picked) < n:
        best = int(np.argmax(mass / n_seen))
        if left[best]:
            picked.append(left[best].pop())
            n_seen[best] += 1
        else:
            mass[best] = -1.0
    return np.array(picked)


def typical_rows(X: Array, rng: Any) -> Array:
    """Rows with near neighbors, of every cluster alike."""
    k_means = KMeans(FIRST, n_init=1, max_iter=30, random_state=int(rng.integers(2**31))).fit(X)
    cluster_of, centers = k_means.labels_, k_means.cluster_centers_
    near = np.partition(_squared_distances(X, X), TYPICAL_NEIGHBORS, axis=1)[:, 1 : TYPICAL_NEIGHBORS + 1]
    order = np.argsort(np.argsort(-np.sqrt(np.maximum(near, 0)).mean(axis=1), kind="stable"), kind="stable")
    scores = ((order + 0.5) / len(X)) ** 2 / np.bincount(cluster_of, minlength=FIRST)[cluster_of]
    squared = np.square(X - centers[cluster_of]).sum(axis=1)
    return systematic(inclusion(scores, FIRST), np.lexsort((squared, walk(centers)[cluster_of])), rng)


def _ranks(shares: Array) -> Array:
    first = np.partition(shares, -2, axis=1)[:, -2:]
    order = np.argsort(np.argsort(1 - (first[:, 1] - first[:, 0]), kind="stable"), kind="stable")
    return np.asarray((order + 0.5) / len(shares))


def _squared_distances(A: Array, B: Array) -> Array:
    return np.asarray((A * A).sum(axis=1)[:, None] + (B * B).sum(axis=1) - 2 * A @ B.T)


def table(records: list[dict[str, Any]]) -> str:
    """The gain of each rule over random labels, paired by set and seed, with standard errors; the least of a set."""
    by_rule: dict[str, dict[tuple[str, int], Array]] = defaultdict(dict)
    for record in records:
        by_rule[record["rule"]][record["set"], record["seed"]] = np.array(record["accuracy"])
    base, lines = by_rule["random"], []
    for rule, accuracies in by_rule.items():
        gains = {key: accuracy - base[key] for key, accuracy in accuracies.items() if key in base}
        values, by_set = np.array(list(gains.values())), defaultdict(list)
        if len(values) < 2 or rule == "random":
            continue
        for (name, _), gain in gains.items():
            by_set[name].append(gain[-1])
        errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
        cells = "  ".join(f"{gain:+.4f} ± {error:.4f}" for gain, error in zip(values.mean(axis=0), errors, strict=True))
        least = min(by_set, key=lambda name: float(np.mean(by_set[name])))
        lines.append(f"{rule:15}{len(values):4}  {cells}  least: {np.mean(by_set[least]):+.4f} on {least}")
    means = np.mean(list(base.values()), axis=0).round(4).tolist() if base else []
    return "\n".join([f"at random, after 20, 35, 50, 75 and 100 labels: {means}", *lines])


if __name__ == "__main__":
    main()
