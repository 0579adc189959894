"""The one table of models that have a name: what each makes, its default grid, and what it needs of its features.

Names come from here without importing a model: its package is imported when the model is made.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:  # names import no columns
    from foldless.data._columns import Columns

Kind = Literal["one view", "two views", "values", "preset"]
Grid = Mapping[str, Sequence[Any]]
Points = Grid | Sequence[Grid]
"""A grid, or several of which each is tried."""
TextForm = Literal["words", "components", "characters", "vectors"]
"""How a model reads texts: as tf-idf of words, its leading directions, also n-grams of characters, vectors of words."""
DECADES = (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3)
PENALTIES = (1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3)
WIDTHS = (10.0, 30.0, 100.0)  # in units of the mean squared distance of two rows
MAX_TABLE_COLUMNS = 1000  # a sparse matrix with more columns is like counts of words, for which trees are no help
MAX_SHORT_TEXT = 300  # characters: n-grams of longer texts cost more than all else and say what the words say
OURS, SPREADING, SCALING = "foldless.learners", "sklearn.semi_supervised", "sklearn.preprocessing"


@dataclass(frozen=True, eq=False)
class NamedModel:
    """A classifier of one or two views or a regressor of values, its default grid, and what it needs of its features.

    A classifier and a regressor may have the same name.
    """

    name: str
    kind: Literal["one view", "two views", "values"]
    make: Callable[[], Any]
    grid: Grid
    nonnegative: bool = False
    dense: bool = False
    by_distance: bool = False
    text: TextForm = "words"

    @cached_property
    def classifier(self) -> Any:
        """The classifier, or the regressor of values, with its defaults."""
        return self.make()


class Facts(NamedTuple):
    """What a preset may depend on: columns of text, a pool, and the number of labeled rows, 0 if it is not known.

    A wide sparse matrix counts as text whose words are not known; ``words`` says that they are, and ``mixed`` that
    there are columns of another kind beside them. ``short`` says that texts have a few sentences at most.
    """

    text: bool = False
    pool: bool = True
    n_labels: int = 0
    words: bool = False
    mixed: bool = False
    short: bool = False

    @classmethod
    def of(cls, columns: "Columns", *, pool: bool, n_labels: int) -> "Facts":
        """The facts of a table with these columns."""
        words = bool(columns.of("text"))
        text = words or columns.width > MAX_TABLE_COLUMNS
        short = words and columns.n_characters <= MAX_SHORT_TEXT
        return cls(text, pool, n_labels, words, words and len(columns.count()) > 1, short)


@dataclass(frozen=True, eq=False)
class Preset:
    """Several models with grids for a purpose, under one name.

    ``make`` is told the facts of the data.
    """

    name: str
    make: Callable[[Facts], Mapping[str, Points | None]]
    kind: Literal["preset"] = "preset"


def _lazy(home: str, name: str, *args: Any, **params: Any) -> Callable[[], Any]:
    """What makes an estimator from its package; arguments may be made in the same way."""
    return lambda: getattr(import_module(home), name)(*(each() for each in args), **params)


def _scaled(regressor: Callable[[], Any]) -> Callable[[], Any]:
    """A regressor whose parameters do not depend on the unit of y."""

    def make() -> Any:
        home = import_module("sklearn.compose")
        return home.TransformedTargetRegressor(regressor(), transformer=import_module(SCALING).StandardScaler())

    return make


LOGISTIC = _lazy(OURS, "LogisticRegression", max_iter=10_000)
CATALOG: tuple[NamedModel | Preset, ...] = (
    NamedModel("linear-svc", "one view", _lazy(OURS, "LinearSVC", max_iter=10_000), {"C": DECADES}),
    NamedModel("logistic-regression", "one view", LOGISTIC, {"C": DECADES}),
    NamedModel("svc", "one view", _lazy(OURS, "KernelSVC"),
        {"C": (0.1, 1.0, 10.0, 100.0), "gamma": ("scale", 0.001, 0.01, 0.1)}),
    NamedModel("random-forest", "one view", _lazy("sklearn.ensemble", "RandomForestClassifier", n_estimators=200),
        {"max_features": ("sqrt", 0.3), "min_samples_leaf": (1, 2, 5)}),
    NamedModel("extra-trees", "one view", _lazy("sklearn.ensemble", "ExtraTreesClassifier", n_estimators=300),
        {"max_features": ("sqrt", 0.3), "min_samples_leaf": (1, 2, 5)}),
    NamedModel("gradient-boosting", "one view",
        _lazy("sklearn.ensemble", "HistGradientBoostingClassifier", min_samples_leaf=5),
        {"learning_rate": (0.03, 0.1, 0.3), "min_samples_leaf": (3, 20)}, dense=True),
    NamedModel("nearest-neighbors", "one view", _lazy("sklearn.neighbors", "KNeighborsClassifier"),
        {"n_neighbors": (1, 3, 5, 9), "weights": ("uniform", "distance")}),
    NamedModel("naive-bayes", "one view", _lazy("sklearn.naive_bayes", "MultinomialNB"),
        {"alpha": (0.001, 0.01, 0.1, 1.0, 10.0)}, nonnegative=True),
    NamedModel("complement-bayes", "one view", _lazy("sklearn.naive_bayes", "ComplementNB"),
        {"alpha": (0.01, 0.1, 1.0, 10.0)}, nonnegative=True),
    NamedModel("linear-discriminant", "one view",
        _lazy("foldless.learners._discriminant", "ShrunkenDiscriminant", solver="lsqr"),
        {"shrinkage": ("auto", 0.1, 0.5, 0.9)}, dense=True),
    NamedModel("manifold-gp", "one view", _lazy(OURS, "ManifoldGP"), {"ratio": (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)}),
    NamedModel("label-spreading", "one view", _lazy(SPREADING, "LabelSpreading", max_iter=1000),
        {"gamma": WIDTHS, "alpha": (0.2, 0.9)}, by_distance=True),
    NamedModel("neighbor-spreading", "one view", _lazy(SPREADING, "LabelSpreading", kernel="knn", max_iter=1000),
        {"n_neighbors": (10, 20), "alpha": (0.2, 0.9)}),
    NamedModel("label-propagation", "one view", _lazy(SPREADING, "LabelPropagation", max_iter=1000),
        {"gamma": WIDTHS}, by_distance=True),
    NamedModel("self-training", "one view", _lazy(SPREADING, "SelfTrainingClassifier", LOGISTIC),
        {"C": (0.01, 0.1, 1.0, 10.0, 100.0), "threshold": (0.75, 0.9)}),
    NamedModel("pool-features", "one view", _lazy(OURS, "PoolFeatures"),
        {"features": ("components", "few", "many", "clusters"), "estimator": ("logistic", "spreading-15")}),
    NamedModel("text-components", "one view", _lazy(OURS, "PoolFeatures", features="rows"),
        {"estimator": ("trees", "boosting", "logistic", "discriminant")}, dense=True, text="components"),
    NamedModel("text-characters", "one view", _lazy(OURS, "PoolFeatures"),
        {"estimator": ("logistic", "discriminant", "spreading-15")}, text="characters"),
    NamedModel("word-vectors", "one view", _lazy(OURS, "PoolFeatures", features="rows"),
        {"estimator": ("logistic", "svc", "discriminant", "spreading-15")}, dense=True, text="vectors"),
    NamedModel("gp-co-training", "two views", _lazy(OURS, "GPCoTraining"),
        {"sigma1": (100.0, 1.0, 0.01), "sigma2": (100.0, 1.0, 0.01)}),
    NamedModel("co-training", "two views", _lazy(OURS, "CoTraining"),
        {"l1": (0.1, 0.01, 0.001), "l2": (0.1, 0.01, 0.001)}),
    NamedModel("co-regularized", "two views", _lazy(OURS, "CoRegularizedLogisticRegression"),
        {"lam": (0.1, 0.01, 0.001), "mu": (0.0, 0.01, 1.0, 100.0)}),
    Preset("portfolio", lambda facts: import_module("foldless.portfolio._default").grids(facts)),
    Preset(
        "few-labels",
        lambda _: {
            "label-spreading": {"gamma": (30.0, 100.0, 300.0), "alpha": (0.2, 0.9)},
            "neighbor-spreading": {"n_neighbors": (20,), "alpha": (0.2, 0.9)},
            "self-training": {"C": (1.0, 10.0), "threshold": (0.9,)},
            "logistic-regression": {"C": (1.0, 10.0)},
            "nearest-neighbors": {"n_neighbors": (1,)},
        },
    ),
    NamedModel("ridge", "values", _lazy("sklearn.linear_model", "Ridge"), {"alpha": PENALTIES}),
    NamedModel("lasso", "values", _scaled(_lazy("sklearn.linear_model", "Lasso", max_iter=10_000)),
        {"alpha": (1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3)}),
    NamedModel("kernel-ridge", "values", _scaled(_lazy("sklearn.kernel_ridge", "KernelRidge", kernel="rbf")),
        {"alpha": (0.01, 0.1, 1.0), "gamma": (0.001, 0.01, 0.1)}),
    NamedModel("random-forest", "values", _lazy("sklearn.ensemble", "RandomForestRegressor", n_estimators=200),
        {"max_features": (0.3, 1.0), "min_samples_leaf": (1, 2, 5)}),
    NamedModel("gradient-boosting", "values",
        _lazy("sklearn.ensemble", "HistGradientBoostingRegressor", min_samples_leaf=5),
        {"learning_rate": (0.03, 0.1, 0.3), "min_samples_leaf": (3, 20)}, dense=True),
    NamedModel("nearest-neighbors", "values", _lazy("sklearn.neighbors", "KNeighborsRegressor"),
        {"n_neighbors": (1, 3, 5, 9, 15), "weights": ("uniform", "distance")}),
)  # fmt: skip


def names(*kinds: Kind) -> tuple[str, ...]:
    """The names of the models of some kinds, or of all; each once, in the order of help pages.

    Examples
    --------
    >>> names("two views")
    ('gp-co-training', 'co-training', 'co-regularized')
    """
    return tuple(dict.fromkeys(entry.name for entry in CATALOG if not kinds or entry.kind in kinds))


def models(*kinds: Kind) -> dict[str, NamedModel]:
    """The models of some kinds by their names."""
    return {entry.name: entry for entry in CATALOG if isinstance(entry, NamedModel) and entry.kind in kinds}


def presets() -> dict[str, Preset]:
    """The presets by their names."""
    return {entry.name: entry for entry in CATALOG if isinstance(entry, Preset)}
