"""Theorem 2 of Kääriäinen (2005) as a simulation: the error of the chosen model goes to the Bayes error.

The labels of points in the unit square say on which side of a wave they lie, and every fifth is of one of the other
two classes, so that the Bayes error is 0.2 and the noise condition holds (0.8 ≥ 0.1 + c). Among the candidates are
nearest neighbors whose number grows with n, which are consistent, and others which are not.
"""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from foldless import compare
from foldless.core import Array
from foldless.criteria import KFold, SemiSupervisedCV

NOISE = 0.2
SIZES = (100, 200, 400, 800, 1600, 3200, 6400)
FRESH = 20_000  # points on which the choices are compared with the Bayes classifier; noise is integrated out


def draw(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Points, and the label that the Bayes classifier gives them."""
    X = rng.random((n, 2))
    wave = 0.5 + 0.25 * np.sin(2 * np.pi * X[:, 0])
    return X, np.digitize(X[:, 1] - wave, [-0.15, 0.15])


def noisy(best: Array, rng: np.random.Generator) -> Array:
    """Labels, of which some are one of the other two classes."""
    wrong = rng.random(len(best)) < NOISE
    return np.where(wrong, (best + rng.integers(1, 3, len(best))) % 3, best)


def candidates(n: int) -> dict[str, tuple[Any, dict[str, list[Any]]]]:
    """A consistent one among others."""
    return {
        "linear": (LogisticRegression(), {"C": [1.0]}),
        "tree": (DecisionTreeClassifier(random_state=0), {"max_depth": [2, None]}),
        "neighbors": (KNeighborsClassifier(), {"n_neighbors": [1, 5, max(1, round(n**0.6))]}),
    }


def simulate(repeats: int, seed: int, sizes: tuple[int, ...] = SIZES) -> pd.DataFrame:
    """For each n the mean bound and true error of what the bound and cross-validation choose."""
    rows = []
    for n in sizes:
        for repeat in range(repeats):
            rng = np.random.default_rng([seed, n, repeat])
            X, best = draw(n, rng)
            pool, _ = draw(n, rng)
            fresh, truth = draw(FRESH, rng)
            comparison = compare(
                candidates(n), None, X, noisy(best, rng), X_unlabeled=pool, random_state=repeat,
                X_test=fresh, y_test=truth, criteria=[SemiSupervisedCV(k=10, confidence=0.99), KFold(10)],
            )  # fmt: skip
            for name, selection in comparison.selections.items():
                agreement = comparison.test_accuracy[selection.best.candidate]  # with the Bayes classifier
                rows.append(
                    {
                        "n": n,
                        "criterion": name.split("(")[0],
                        "error": agreement * NOISE + (1 - agreement) * (1 - NOISE / 2),
                        "score": selection.best.score,
                        "consistent one chosen": selection.best.candidate.params.get("n_neighbors", 0) > 5,
                    }
                )
    frame = pd.DataFrame(rows)
    means = frame.groupby(["criterion", "n"], sort=False, as_index=False).mean(numeric_only=True)
    means["standard error"] = frame.groupby(["criterion", "n"], sort=False)["error"].sem().to_numpy()
    chosen = frame.groupby(["criterion", "n"], sort=False)["consistent one chosen"].mean().to_numpy()
    return means.assign(**{"consistent one chosen": chosen})
