"""What is tried where the user names no model: an ordered list of configurations, families alternating.

There is a list for tables and one for texts, and both have members that the pool teaches: classifiers on features that
labels and pool teach together, and labels that spread to neighbors. None of these is good alone; an average gives them
weight where they help. `benchmarks.league.portfolio` trains all that was considered, on one half of the data sets
there, and says what an average of a list is worth and what it costs.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from foldless.portfolio._catalog import Facts

MAX_KERNEL_ROWS, FOLD = 3000, 0.7  # a fit on a fold has at least that share of the labels
Configuration = tuple[str, dict[str, Any]]
"""A model of the catalog, and its parameters."""

TABLES: tuple[Configuration, ...] = (
    ("logistic-regression", {"C": 1.0}),
    ("linear-svc", {"C": 1.0}),
    ("linear-discriminant", {"shrinkage": "auto"}),
    ("svc", {"C": 10.0, "gamma": "scale"}),
    ("nearest-neighbors", {"n_neighbors": 5, "weights": "distance"}),
    ("logistic-regression", {"C": 0.1}),
    ("logistic-regression", {"C": 10.0}),
    ("linear-svc", {"C": 0.1}),
    ("linear-svc", {"C": 10.0}),
    ("svc", {"C": 100.0, "gamma": "scale"}),
    ("svc", {"C": 1.0, "gamma": "scale"}),
)
TREES: tuple[Configuration, ...] = (
    ("extra-trees", {"n_estimators": 100, "max_features": 0.5}),
    ("random-forest", {"n_estimators": 100, "max_features": "sqrt"}),
    ("gradient-boosting", {"max_leaf_nodes": 4, "max_iter": 40, "learning_rate": 0.2, "early_stopping": False}),
)
"""The costly ones of tables, which come last: a time budget leaves out the end of the list."""
TEXTS: tuple[Configuration, ...] = (
    ("linear-svc", {"C": 1.0}),
    ("naive-bayes", {"alpha": 0.1}),
    ("logistic-regression", {"C": 100.0}),
    ("complement-bayes", {"alpha": 1.0}),
    ("nearest-neighbors", {"n_neighbors": 15, "weights": "distance"}),
    ("naive-bayes", {"alpha": 1.0}),
    ("complement-bayes", {"alpha": 0.1}),
    ("linear-svc", {"C": 10.0}),
    ("logistic-regression", {"C": 10.0}),
    ("naive-bayes", {"alpha": 0.01}),
)
OF_TABLES = (
    ("components", "spreading-7"), ("few", "discriminant"), ("many", "svc"), ("rows", "spreading-15"),
    ("many", "trees"), ("components", "discriminant"), ("many", "logistic"), ("few", "spreading-15"),
    ("components", "logistic"), ("rows", "self-training"), ("many", "spreading-7"), ("components", "svc"),
    ("few", "logistic"), ("rows", "spreading-7"), ("many", "discriminant"), ("components", "spreading-50"),
    ("few", "neighbors"), ("many", "spreading-50"),
)  # fmt: skip
"""For tables, features of the pool and what is trained on them: see `PoolFeatures`."""
OF_TEXTS = (
    ("few", "spreading-15"), ("components", "discriminant"), ("rows", "linear-svc"), ("many", "spreading-7"),
    ("few", "discriminant"), ("rows", "spreading-15"), ("components", "spreading-7"), ("few", "self-training"),
    ("components", "logistic"), ("few", "spreading-50"), ("many", "spreading-15"), ("few", "logistic"),
    ("rows", "spreading-7"), ("components", "svc"), ("components", "spreading-50"), ("few", "svc"),
    ("many", "logistic"), ("few", "trees"), ("rows", "spreading-50"), ("few", "neighbors"), ("clusters", "logistic"),
)  # fmt: skip

OF_MIXED = (("rows", "trees"), ("rows", "boosting"), ("rows", "spreading-15"), ("rows", "svc"))
"""For texts beside other columns, on these and on directions of the words."""
OF_CHARACTERS = (("components", "spreading-15"), ("components", "discriminant"), ("components", "logistic"))
"""For short texts, on directions of words and n-grams of characters."""
OF_VECTORS = (
    ("rows", "logistic"), ("rows", "spreading-15"), ("rows", "svc"), ("rows", "discriminant"), ("rows", "spreading-7"),
    ("rows", "spreading-50"),
)  # fmt: skip
"""For texts, on vectors of words, where these are installed."""


def grids(facts: Facts) -> dict[str, list[dict[str, list[Any]]]]:
    """The points of the grid of each model that is tried, by the name of the model, in the order of the list.

    Without a pool nothing is taught by it. Fits on folds have at least as many rows as neighbors are asked for, and
    thousands of labels have no kernel machines, whose time grows with the square of the rows.
    """
    points: dict[str, list[dict[str, list[Any]]]] = {}

    def add(configurations: Sequence[Configuration]) -> None:
        for model, params in configurations:
            if not _is_left_out(model, params.get("n_neighbors", 0), facts.n_labels):
                points.setdefault(model, []).append({key: [value] for key, value in params.items()})

    def add_taught(model: str, pairs: Sequence[tuple[str, str]]) -> None:
        points[model] = [
            {"features": [view], "estimator": [name]}
            for view, name in pairs
            if not _is_left_out(name, 5 if name == "neighbors" else 0, facts.n_labels)
        ]

    add(TEXTS if facts.text else TABLES)
    if facts.words and find_spec("wordllama") is not None:  # the package of the extra "text"
        add_taught("word-vectors", OF_VECTORS)
    if facts.pool:
        add_taught("pool-features", OF_TEXTS if facts.text else OF_TABLES)
    if facts.pool and facts.short:
        add_taught("text-characters", OF_CHARACTERS)
    if facts.mixed:
        add_taught("text-components", OF_MIXED)
    if not facts.text:
        add(TREES)
    return points


def _is_left_out(model: str, n_neighbors: int, n_labels: int) -> bool:
    many = n_labels > MAX_KERNEL_ROWS and model == "svc"
    return bool(n_labels) and (many or n_neighbors > FOLD * n_labels)
