"""Families of candidates of the league: one learner each, the semi-supervised ones, and all others as a mixed bag."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.tree import DecisionTreeClassifier

from foldless.learners import KernelSVC, LinearSVC, LogisticRegression, ManifoldGP

FAMILIES = ("svm", "logistic", "rbf", "knn", "nb", "forest", "tree", "boosting", "semi", "mixed")
SEMI = ("spreading", "self_training", "manifold")
MOST_SEMI, MOST_MANIFOLD = 60, 20  # labels up to which the semi-supervised learners run
MOST_BOOSTED_CLASSES = 4


def members(estimators: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """The names of the estimators of each family that these estimators make up."""
    supervised = tuple(name for name in estimators if name not in SEMI)
    families = {name: (name,) for name in supervised}
    if semi := tuple(name for name in estimators if name in SEMI):
        families["semi"] = semi
    return {**families, "mixed": supervised}


def estimators(X: Any, n_classes: int, n_labeled: int) -> dict[str, Any]:
    """Learners with their grids, by name."""
    text, powers = sparse.issparse(X), 10.0 ** np.arange(-4, 4)
    neighbors = [k for k in (1, 3, 5, 9, 15, 25) if k <= 0.5 * n_labeled]  # a bootstrap has fewer distinct rows
    gamma = np.array([0.01, 0.1, 1, 10]) * (1 if text else 1 / X.shape[1])
    every: dict[str, Any] = {
        "svm": (LinearSVC(), {"C": powers}),
        "logistic": (LogisticRegression(), {"C": powers}),
        "rbf": (KernelSVC(), {"C": [0.1, 1, 10, 100], "gamma": gamma.tolist()}),
        "knn": (KNeighborsClassifier(), {"n_neighbors": neighbors}),
        "nb": (MultinomialNB(), {"alpha": [1e-3, 1e-2, 0.1, 1, 10]})
        if text
        else (GaussianNB(), {"var_smoothing": [1e-9, 1e-4, 1e-2, 0.1, 1]}),
    }
    if text:
        return every
    depths = [{"max_depth": [2]}, {"min_samples_leaf": [1, 3, 8]}]
    every["forest"] = (RandomForestClassifier(15, random_state=0), depths)
    every["tree"] = (DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4, 8, None]})
    if n_classes <= MOST_BOOSTED_CLASSES:
        boosted = HistGradientBoostingClassifier(
            max_iter=20, min_samples_leaf=5, max_bins=63, early_stopping=False, random_state=0
        )
        every["boosting"] = (boosted, {"max_leaf_nodes": [3, 15], "learning_rate": [0.1, 0.5]})
    if n_labeled <= MOST_SEMI and n_classes <= MOST_BOOSTED_CLASSES:
        every["spreading"] = (LabelSpreading(kernel="knn"), {"alpha": [0.2, 0.8]})
        every["self_training"] = (SelfTrainingClassifier(GaussianNB(var_smoothing=0.1)), {"threshold": [0.75, 0.95]})
        if n_labeled <= MOST_MANIFOLD:
            every["manifold"] = (ManifoldGP(), {"ratio": [0.0, 1.0, 100.0]})
    return every
