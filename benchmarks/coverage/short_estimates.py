"""The short form of `estimates`: the same intervals on arrays, with learners that are solved in closed form.

Candidates are ten ridge classifiers: five penalties, with and without squared features. The best by 5-fold, or the
average of the best three with nine resamples each, is judged as a search judges it: from out-of-fold predictions and
the pool. Measures other than accuracy are those of a fixed classifier with known rates, from 100 and 400 labels.
"""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import softmax

from foldless.accuracy import HeldOut, held_out_accuracy
from foldless.accuracy._confusion_interval import MEASURES, Margins, confusion_interval, rare_classes, with_interval

LAWS = {
    "gauss2": (2, 0.5, 0.5), "gauss10": (10, 1.0, 0.1), "mixture2": (2, 1.2, 0.5), "mixture10": (10, 1.2, 0.1),
    "rare5": (2, 0.5, 0.05), "rare20": (2, 0.5, 0.2), "noise": (2, 0.0, 0.5),
}  # fmt: skip
LABELS, PENALTIES, FOLDS, RESAMPLES, AVERAGED, FULL, TEST = (30, 100, 400), (0.1, 3, 30, 300, 3000), 5, 9, 3, 3, 2000
RATES = ((0.3, 0.01), (0.6, 0.02), (0.6, 0.1), (0.9, 0.02), (0.95, 0.005))  # recall, and false positives
JUDGED = ("f1_macro", "matthews_corrcoef", "balanced_accuracy")
Array = Any


def run(first_seed: int, seconds: float) -> pd.DataFrame:
    """As many draws as fit into so many seconds, a line for each."""
    rows, end, seed = [], time.monotonic() + seconds, first_seed
    while time.monotonic() < end:
        for n in LABELS:
            for law in LAWS:
                rows += [{"what": "accuracy", "n": n, "law": law, **row} for row in searched(law, n, seed)]
        for n in LABELS[1:]:
            for share in (0.05, 0.2):
                rows += [
                    {"n": n, "law": f"{share:.0%} positives", "seed": seed, **row} for row in fixed(share, n, seed)
                ]
        seed += 1
    return pd.DataFrame(rows)


def searched(law: str, n: int, seed: int) -> Iterator[dict[str, Any]]:
    """The best and the average of one draw, with the pool and without."""
    rng = np.random.default_rng([seed, n, list(LAWS).index(law)])
    n_classes, n_pool = LAWS[law][0], 10 * min(n, 30)
    X, y = rows_of(law, n + n_pool + TEST, rng)
    if len(np.unique(y[:n])) < 2:
        return
    features, targets = [X, np.c_[X, X**2 / 2]], np.eye(n_classes)[y[:n]]
    fold = rng.permutation(n) % FOLDS

    def fitted(train: Array) -> Array:
        """Probabilities of every row by every candidate."""
        return np.concatenate([ridge(F, train, targets) for F in features])

    by_fold = [fitted(np.flatnonzero(fold != at)) for at in range(FOLDS)]
    whole = fitted(np.arange(n))
    held = np.stack([by_fold[at][:, row] for row, at in enumerate(fold)], axis=1)
    right = (held.argmax(-1) == y[:n]).astype(float)
    order = np.argsort(-right.mean(axis=1), kind="stable")
    pool, new = slice(n, n + n_pool), slice(n + n_pool, None)
    best = whole[order[0]]
    yield from _judged("best", held[order[0]], best[pool], best[new], y, right, seed)

    top, like = order[:AVERAGED], rng.integers(n, size=n_pool)
    copies = np.concatenate(
        [held[top].sum(axis=0), np.stack([by_fold[fold[at]][top, n + j].sum(axis=0) for j, at in enumerate(like)])]
    )
    trains = [rng.integers(n, size=n) if n < 40 else np.flatnonzero(rng.random(n) < 2 / 3) for _ in range(RESAMPLES)]
    trains = [train for train in trains if len(np.unique(y[train])) > 1]
    members = [fitted(train)[top].sum(axis=0) for train in trains]
    left = np.array([~np.isin(np.arange(n), train) for train in trains]).reshape(len(trains), n)
    counts = left.sum(axis=0)
    votes = np.where(counts > 0, FULL, FULL + len(trains))
    who = np.r_[:n, like]
    shares = votes[who][:, None] * copies
    for member, out in zip(members, left, strict=True):
        weight = out * len(trains) / np.maximum(1, counts)
        shares += weight[who][:, None] * member[: n + n_pool]
    average = FULL * whole[top].sum(axis=0) + sum(members)
    shares /= shares.sum(axis=1, keepdims=True)
    yield from _judged("average", shares[:n], shares[n:], average[new], y, right, seed)


def _judged(
    offer: str, held: Array, pool: Array, new: Array, y: Array, right: Array, seed: int
) -> Iterator[dict[str, Any]]:
    n, truth = len(held), float((new.argmax(-1) == y[-len(new) :]).mean())
    for with_pool in (True, False):
        confidence = (held.max(-1), pool.max(-1)) if with_pool else (None, None)
        known = HeldOut(held.argmax(-1) == y[:n], *confidence, candidates=right, trained_on=1 - 1 / FOLDS)
        interval = held_out_accuracy(known, 0.95, np.random.default_rng(seed))
        yield {
            "offer": offer, "pool": with_pool, "seed": seed, "truth": truth, "value": interval.value,
            "lower": interval.lower, "upper": interval.upper,
        }  # fmt: skip


def fixed(share: float, n: int, seed: int) -> Iterator[dict[str, Any]]:
    """Measures of classifiers whose rates are known; nothing of those that have no interval."""
    rng = np.random.default_rng([seed, n, round(100 * share)])
    for recall, false in RATES:
        cells = np.array([(1 - share) * (1 - false), (1 - share) * false, share * (1 - recall), share * recall])
        drawn = rng.choice(4, n, p=cells)
        y, predicted = drawn // 2, drawn % 2
        for what in JUDGED:
            if rare_classes(what, np.bincount(y, minlength=2)):
                continue
            ends = confusion_interval(what, y, predicted, 2, 0.95, rng)
            value = _measured(what, np.bincount(drawn, minlength=4) / n)
            interval = with_interval(value, ends)
            yield {
                "what": what, "offer": f"recall {recall}, false positives {false}", "truth": _measured(what, cells),
                "value": value, "lower": interval.lower, "upper": interval.upper,
            }  # fmt: skip


def _measured(what: str, cells: Array) -> float:
    table, (true, named) = cells.reshape(2, 2), np.indices((2, 2)).reshape(2, 4)
    counted = table.diagonal(), table.sum(axis=1), table.sum(axis=0), table.sum()
    return float(MEASURES[what](Margins(*counted, cells, true, named)))


def rows_of(law: str, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """So many rows of a law: classes around one center each, or around two with heavy tails."""
    n_classes, apart, first = LAWS[law]
    centers = np.random.default_rng(5).normal(size=(n_classes, 2, 12))
    y = (rng.random(n) < first).astype(int) if n_classes == 2 else rng.integers(n_classes, size=n)
    if law.startswith("mixture"):
        return rng.standard_t(3, size=(n, 12)) + apart * centers[y, rng.integers(2, size=n)], y
    return rng.normal(size=(n, 12)) + apart * centers[y, 0], y


def ridge(X: Array, train: Array, targets: Array) -> Array:
    """Probabilities of all rows by ridge regressions with every penalty, trained on some."""
    center, shares = X[train].mean(axis=0), targets[train].mean(axis=0)
    A = X[train] - center
    values, vectors = np.linalg.eigh(A.T @ A)
    inside = vectors.T @ (A.T @ (targets[train] - shares))
    scores = np.stack([(X - center) @ (vectors @ (inside / (values[:, None] + p))) + shares for p in PENALTIES])
    return softmax(4 * scores, axis=-1)


def show(table: pd.DataFrame) -> None:
    """Coverage with its standard error: draws of one seed are not independent, so it is that of means over seeds."""
    table = table.assign(
        covered=(table.lower <= table.truth) & (table.truth <= table.upper), above=table.truth > table.upper,
        bias=table.value - table.truth, width=table.upper - table.lower,
    )  # fmt: skip
    accuracy = table[table.what == "accuracy"]
    for part, by in (
        (accuracy, ["n", "offer"]), (accuracy, ["n", "offer", "pool"]), (accuracy, ["n", "law"]),
        (table[table.what != "accuracy"], ["law", "n", "what"]),
    ):  # fmt: skip
        groups = part.groupby(by)
        shown = groups[["covered", "above", "bias", "width"]].mean()
        error = part.groupby([*by, "seed"])["covered"].mean().groupby(by).sem()
        print(shown.assign(error=error, draws=groups.size()).round(3).to_string(), end="\n\n")
