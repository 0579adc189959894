"""What is tried where the user names no model: an ordered list of configurations, families alternating.

There is a list for tables and one for texts, and both have members that the pool teaches: classifiers on features that
labels and pool teach together, and labels that spread to neighbors. None of these is good alone; an average knows when
to listen to them.
"""

from importlib import import_module
from typing import Any, NamedTuple

SKLEARN_TREES, SKLEARN_LINEAR = "sklearn.ensemble", "sklearn.linear_model"


class Configuration(NamedTuple):
    """A model of the catalog with its parameters."""

    model: str
    params: dict[str, Any]


TABLES = (
    Configuration("extra-trees", {}),
    Configuration("svc", {"C": 10.0, "gamma": "scale"}),
    Configuration("logistic-regression", {"C": 1.0}),
    Configuration("random-forest", {"max_features": "sqrt", "min_samples_leaf": 1}),
    Configuration("nearest-neighbors", {"n_neighbors": 5, "weights": "distance"}),
    Configuration("gradient-boosting", {"learning_rate": 0.1, "min_samples_leaf": 5}),
    Configuration("logistic-regression", {"C": 0.1}),
    Configuration("svc", {"C": 1.0, "gamma": "scale"}),
    Configuration("logistic-regression", {"C": 10.0}),
    Configuration("linear-svc", {"C": 0.1}),
    Configuration("random-forest", {"max_features": 0.3, "min_samples_leaf": 2}),
    Configuration("svc", {"C": 100.0, "gamma": 0.01}),
    Configuration("linear-svc", {"C": 10.0}),
)
TEXTS = (
    Configuration("linear-svc", {"C": 1.0}),
    Configuration("naive-bayes", {"alpha": 0.1}),
    Configuration("logistic-regression", {"C": 100.0}),
    Configuration("extra-trees", {}),
    Configuration("nearest-neighbors", {"n_neighbors": 9, "weights": "distance"}),
    Configuration("naive-bayes", {"alpha": 0.01}),
    Configuration("linear-svc", {"C": 10.0}),
    Configuration("logistic-regression", {"C": 10.0}),
    Configuration("naive-bayes", {"alpha": 1.0}),
    Configuration("linear-svc", {"C": 0.1}),
)
POOL = (
    ("components", "spreading 20"), ("components", "logistic"), ("rows", "self-training"), ("few", "spreading 15"),
    ("few", "logistic"), ("components", "trees"), ("rows", "spreading 20"), ("many", "spreading 15"),
    ("clusters", "logistic"), ("many", "self-training"), ("rows", "spreading 7"), ("components", "neighbors"),
    ("few", "trees"), ("components", "self-training"), ("many", "logistic"), ("components", "spreading 7"),
    ("clusters", "trees"), ("rows", "spreading 50"),
)  # fmt: skip
"""Features of the pool, and what is trained on them: see `PoolFeatures`."""


def grids(*, text: bool) -> dict[str, list[dict[str, list[Any]]]]:
    """The points of the grid of each model that is tried, by the name of the model, in the order of the list."""
    points: dict[str, list[dict[str, list[Any]]]] = {}
    for model, params in TEXTS if text else TABLES:
        points.setdefault(model, []).append({key: [value] for key, value in params.items()})
    on_features = _classifiers()
    points["pool-features"] = [{"features": [view], "estimator": [on_features[name]]} for view, name in POOL]
    return points


def _classifiers() -> dict[str, Any]:
    """What is trained on features of the pool, by the names of the list."""

    def make(home: str, name: str, *args: Any, **params: Any) -> Any:
        return getattr(import_module(home), name)(*args, **params)

    ours = "foldless.learners"
    logistic = make(SKLEARN_LINEAR, "LogisticRegression", C=10.0, max_iter=1000)
    return {
        "logistic": logistic,
        "trees": make(SKLEARN_TREES, "ExtraTreesClassifier", 200, random_state=0),
        "neighbors": make("sklearn.neighbors", "KNeighborsClassifier", 5, weights="distance"),
        "self-training": make("sklearn.semi_supervised", "SelfTrainingClassifier", logistic, threshold=0.9),
        "spreading 7": make(ours, "NeighborSpreading", 7, alpha=0.5),
        "spreading 15": make(ours, "NeighborSpreading", 15, alpha=0.5),
        "spreading 20": make(ours, "NeighborSpreading", 20, alpha=0.2),
        "spreading 50": make(ours, "NeighborSpreading", 50, alpha=0.2),
    }
