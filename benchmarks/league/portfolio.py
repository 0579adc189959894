"""The lists of the default portfolio: what each configuration adds to an average, per second of training.

    python -m benchmarks.league.portfolio bank [--labels 20 100] [--seeds 0] [--sets …]   train what is missing
    python -m benchmarks.league.portfolio judge                                    what the lists of foldless are worth
    python -m benchmarks.league.portfolio build [--size 12]                        lists made greedily, without each set

The bank has, for each set, number of labels and seed, what every configuration says out of fold of the labeled rows
and, trained on all of them, of test rows. `judge` compares averages over the lists of `foldless.portfolio` with those
over all that was considered. `build` makes a list greedily: the configuration that adds most to accuracy and log loss
of the average, for what it costs, comes next; each set is judged by a list that was made without it. All of this is on
one half of the sets; `end_to_end` reports the other. Word vectors are considered where wordllama is installed.
"""

import argparse
import os
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import SVC, LinearSVC

from benchmarks.places import DATA
from benchmarks.sets import KINDS, POOL, TEST, TEXT_OF, half_of, load, prepared, spread_folds, texts
from foldless.accuracy._temperature import probabilities, temperature
from foldless.data.word_vectors import WordVectors, vectors_installed
from foldless.judging._combining import member_weights
from foldless.learners import NeighborSpreading, TaughtView
from foldless.learners.pool_taught.taught_view import Taught
from foldless.portfolio._default import OF_CHARACTERS, OF_TABLES, OF_TEXTS, TABLES, TEXTS, TREES

BANK = Path("build/portfolio")
LABELS, FOLDS = (20, 100, 500), 5
LEAST = 1e-3
SECOND = 2e-4  # of accuracy that a second of training has to add
CHARACTERS = 1000  # of a text whose n-grams are counted
BESIDE = 0.1  # how much log loss counts beside accuracy


NAMES = {
    "logistic-regression": "logistic", "linear-svc": "linear svc", "svc": "svc", "nearest-neighbors": "neighbors",
    "linear-discriminant": "lda", "extra-trees": "trees .5", "random-forest": "forest",
    "gradient-boosting": "boosting small", "naive-bayes": "bayes", "complement-bayes": "complement",
}  # fmt: skip
SHOWN = ("C", "gamma", "n_neighbors", "alpha")  # parameters that are part of a name
ON_FEATURES = {
    "logistic": "logistic 10", "linear-svc": "linear svc 1", "trees": "trees", "neighbors": "neighbors 5",
    "svc": "svc 10 scale", "discriminant": "lda", "self-training": "self-training", "spreading-7": "spreading 7 0.5",
    "spreading-15": "spreading 15 0.5", "spreading-50": "spreading 50 0.2",
}  # fmt: skip


class Configuration(NamedTuple):
    """A view of the rows, a classifier of it, and whether the unlabeled rows are among those it is trained on."""

    view: str
    name: str
    model: Any
    taught: bool = False

    @property
    def key(self) -> str:
        return f"{self.view}: {self.name}"


def configurations(*, text: bool) -> list[Configuration]:
    """All that may get into a list."""

    def trees(features: Any = "sqrt", leaf: int = 1) -> Any:
        return ExtraTreesClassifier(100, max_features=features, min_samples_leaf=leaf, random_state=0)

    def forest(features: Any, leaf: int) -> Any:
        return RandomForestClassifier(100, max_features=features, min_samples_leaf=leaf, random_state=0)

    def boosted(rate: float, leaves: int, steps: int) -> Any:
        return HistGradientBoostingClassifier(
            learning_rate=rate, max_leaf_nodes=leaves, max_iter=steps, min_samples_leaf=5, early_stopping=False
        )

    def logistic(C: float) -> Any:
        return LogisticRegression(C=C, max_iter=1000)

    plain: list[tuple[str, Any]] = [(f"logistic {C:g}", logistic(C)) for C in (0.01, 0.1, 1.0, 10.0, 100.0)]
    plain += [(f"linear svc {C:g}", LinearSVC(C=C)) for C in (0.01, 0.1, 1.0, 10.0)]
    plain += [(f"svc {C:g} {gamma}", SVC(C=C, gamma=gamma)) for C, gamma in product((1.0, 10.0), ("scale",))]
    plain += [(f"neighbors {k}", KNeighborsClassifier(k, weights="distance")) for k in (1, 5, 15)]
    plain += [("trees", trees())]
    if text:
        plain += [(f"bayes {alpha:g}", MultinomialNB(alpha=alpha)) for alpha in (0.01, 0.1, 1.0)]
        plain += [(f"complement {alpha:g}", ComplementNB(alpha=alpha)) for alpha in (0.1, 1.0)]
    else:
        plain += [("trees .5", trees(0.5)), ("trees leaf 3", trees("sqrt", 3)), ("forest", forest("sqrt", 1))]
        plain += [("forest .3 leaf 2", forest(0.3, 2)), ("boosting", boosted(0.1, 15, 60))]
        plain += [("boosting small", boosted(0.1, 4, 80)), ("bayes", GaussianNB(var_smoothing=0.01))]
        plain += [("svc 100 scale", SVC(C=100.0)), ("svc 10 0.01", SVC(C=10.0, gamma=0.01))]
        plain += [("lda", LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"))]
    listed = [Configuration("rows", name, model) for name, model in plain]
    dense: list[tuple[str, Any, bool]] = [
        ("logistic 1", logistic(1.0), False),
        ("logistic 10", logistic(10.0), False),
        ("trees", trees(), False),
        ("neighbors 5", KNeighborsClassifier(5, weights="distance"), False),
        ("svc 10 scale", SVC(C=10.0), False),
        ("lda", LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"), False),
        ("self-training", SelfTrainingClassifier(logistic(10.0), threshold=0.9), True),
    ]
    spread = [(k, alpha) for k in (7, 15, 50) for alpha in (0.2, 0.5, 0.9)]
    spreading = [(f"spreading {k} {alpha:g}", NeighborSpreading(k, alpha=alpha), True) for k, alpha in spread]
    views = ["components", "few", "many", "clusters", *(["chars", "both", "vectors"] if text else [])]
    for view in views:
        listed += [Configuration(view, *each) for each in dense]
        listed += [Configuration(view, *each) for each in spreading if view != "clusters"]
    listed += [Configuration("known", *each) for each in spreading]
    listed += [Configuration("known", "self-training", SelfTrainingClassifier(logistic(10.0), threshold=0.9), True)]
    if text:
        listed += [Configuration("known", name, model) for name, model in plain]
        listed += [Configuration("char rows", f"linear svc {C:g}", LinearSVC(C=C)) for C in (0.1, 1.0)]
        listed += [Configuration("char rows", f"logistic {C:g}", logistic(C)) for C in (10.0, 100.0)]
        listed += [Configuration("char rows", "complement 0.1", ComplementNB(alpha=0.1))]
    return listed


class Rows(NamedTuple):
    """Labeled, pool and test rows."""

    labeled: Any
    pool: Any
    test: Any


class Setting(NamedTuple):
    """A set, a number of labels and a seed."""

    set: str
    n: int
    seed: int

    @property
    def file(self) -> Path:
        return BANK / f"{self.set}-{self.n}-{self.seed}.npz"


def views_of(setting: Setting, folder: Path) -> tuple[Callable[[str], Rows], np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """The views of the rows by name, class codes of the labeled rows, and class codes of the test rows."""
    raw = setting.set in TEXT_OF
    X, y = texts(setting.set, folder) if raw else load(setting.set, folder)
    y = np.unique(y, return_inverse=True)[1]
    n_pool = min(POOL, (len(y) - setting.n) // 2)
    order = np.random.default_rng([setting.seed, setting.n]).permutation(len(y))[: setting.n + n_pool + TEST]
    classes, codes = np.unique(y[order[: setting.n]], return_inverse=True)
    known = setting.n + n_pool
    held = np.isin(y[order[known:]], classes)
    order = np.r_[order[:known], order[known:][held]]
    truth = np.searchsorted(classes, y[order[known:]])
    made: dict[str, Any] = {}

    def cut(rows: Any) -> Rows:
        return Rows(rows[: setting.n], rows[setting.n : known], rows[known:])

    def tfidf(n_fitted: int, **options: Any) -> Any:
        longest = CHARACTERS if "analyzer" in options else None
        written = [X[at][:longest] for at in order]
        vectorizer = TfidfVectorizer(sublinear_tf=True, **options).fit(written[:n_fitted])
        return vectorizer.transform(written).tocsr()

    def base(name: str) -> Any:
        if name in made:
            return made[name]
        if raw:
            chars = {"analyzer": "char_wb", "ngram_range": (3, 5), "max_features": 30_000}
            made[name] = (
                tfidf(setting.n)
                if name == "rows"
                else tfidf(known)
                if name == "known"
                else tfidf(known, **chars)
                if name == "chars"
                else sparse.hstack([base("known"), base("chars")]).tocsr()
            )
        else:
            made[name] = X[order] if sparse.issparse(X) else prepared(X[order], known)
        return made[name]

    def view(name: str) -> Rows:
        if name in ("rows", "known"):
            return cut(base(name))
        if not raw and name in ("chars", "both", "char rows", "vectors"):
            raise LookupError(name)
        if name == "vectors":
            return cut(vectors_of([X[at] for at in order]))
        if name == "char rows":
            return cut(base("chars"))
        rows = base(name if name in ("chars", "both") else "known")
        kind = f"taught {name if name in ('chars', 'both') else 'known'}"
        if kind not in made:
            made[kind] = Taught(rows[:known])
        learned = TaughtView("components" if name in ("chars", "both") else name).fit_on(made[kind])  # type: ignore[arg-type]
        return cut(learned.transform(rows))

    return view, codes, (truth, classes)


def vectors_of(written: Sequence[str]) -> np.ndarray:
    """The word vectors of texts, where they are installed."""
    if not vectors_installed():
        raise LookupError("vectors")
    return WordVectors().fit_transform(written).astype(float)


def answers(model: Any, X: Any, n_classes: int) -> tuple[np.ndarray, bool]:
    """Probabilities, or scores; classes that were not seen have probability 0 or score −inf."""
    if hasattr(model, "predict_proba"):
        table = np.zeros((X.shape[0], n_classes))
        table[:, model.classes_] = model.predict_proba(X)
        table[~np.isfinite(table).all(axis=1)] = 1 / n_classes
        return table, False
    scores = model.decision_function(X)
    table = np.full((X.shape[0], n_classes), -np.inf)
    table[:, model.classes_] = np.c_[-scores, scores] if scores.ndim == 1 else scores
    return table, True


def fill(setting: Setting, folder: Path) -> str:
    """Train every configuration on the folds and on all labels, and keep what they say."""
    warnings.simplefilter("ignore")
    began = time.time()
    view_of, codes, (truth, classes) = views_of(setting, folder)
    if len(truth):
        train(setting, view_of, codes, truth, classes)
    took = f"{time.time() - began:.0f} s" if len(truth) else "left out, no row is left to test on"
    return f"{setting.set} {setting.n} labels, seed {setting.seed}: {took}"


def stacked(above: Any, below: Any) -> Any:
    return sparse.vstack([above, below], format="csr") if sparse.issparse(above) else np.vstack([above, below])


def train(setting: Setting, view_of: Callable[[str], Rows], codes: np.ndarray, truth: np.ndarray, classes: Any) -> None:
    n, k = len(codes), len(classes)
    fold = spread_folds(codes, FOLDS, np.random.default_rng(setting.seed))
    text = sparse.issparse(view_of("rows").labeled)
    parts = [np.flatnonzero(fold != at) for at in range(FOLDS)]
    names, said, tested, seconds = [], [], [], []
    rows, seen, graphs = Rows(None, None, None), "", dict[Any, Any]()
    for one in configurations(text=text):
        try:
            if one.view != seen:
                rows, seen, graphs = view_of(one.view), one.view, {}
        except LookupError:
            continue
        both = stacked(rows.labeled, rows.pool)
        n_pool = rows.pool.shape[0]

        def fit(kept: np.ndarray, one: Configuration = one, rows: Rows = rows, both: Any = both) -> Any:
            model = clone(one.model)
            if not one.taught:
                return model.fit(rows.labeled[kept], codes[kept])
            at = np.r_[kept, np.arange(n, n + n_pool)]  # noqa: B023 (called at once)
            y = np.r_[codes[kept], np.full(n_pool, -1)]  # noqa: B023
            if not isinstance(model, NeighborSpreading):
                return model.fit(both[at], y)
            key = model.n_neighbors, len(kept), int(kept.sum())
            graph = graphs.get(key)  # noqa: B023
            if graph is None:
                graph = graphs[key] = model.graph(both[at])  # noqa: B023
            return model.fit(both[at], y, graph)

        try:
            start = time.process_time()
            table, scored = np.zeros((n, k)), False
            for kept in parts:
                if len(np.unique(codes[kept])) > 1:
                    left = np.setdiff1d(np.arange(n), kept)
                    table[left], scored = answers(fit(kept), rows.labeled[left], k)
            final, scored = answers(fit(np.arange(n)), rows.test, k)
            if scored:
                t = temperature(table, codes)
                table, final = probabilities(table, t), probabilities(final, t)
        except Exception as error:
            print(f"  {setting.set} {setting.n}: {one.key} left out: {str(error)[:80]}", flush=True)
            continue
        names.append(one.key)
        said.append(table.astype(np.float32))
        tested.append(final.astype(np.float16))
        seconds.append(time.process_time() - start)
    setting.file.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        setting.file, names=names, said=said, tested=tested, seconds=seconds, codes=codes, truth=truth, text=text
    )


class Bank:
    """What the configurations said in one setting."""

    def __init__(self, setting: Setting):
        with np.load(setting.file) as held:
            self.names = {str(name): at for at, name in enumerate(held["names"])}
            self.codes, self.truth, self.text = held["codes"], held["truth"], bool(held["text"])
            self.said, self.tested, self.seconds = held["said"], held["tested"].astype(np.float32), held["seconds"]
        self.setting = setting
        self.p_true = self.said[:, np.arange(len(self.codes)), self.codes].astype(float)
        self.right = (self.said.argmax(axis=2) == self.codes).astype(float)
        self.row_weights = np.full(len(self.codes), 1 / len(self.codes))

    def at(self, keys: Sequence[str]) -> np.ndarray:
        return np.array([self.names[key] for key in keys if key in self.names], dtype=int)

    def judged(self, table: np.ndarray) -> np.ndarray:
        """Accuracy and log loss on the test rows."""
        p = np.clip(table[np.arange(len(self.truth)), self.truth], LEAST, 1)
        return np.array([(table.argmax(axis=1) == self.truth).mean(), -np.log(p).mean()])

    def average(self, keys: Sequence[str]) -> np.ndarray:
        """Accuracy and log loss of the average of these, as the product weighs it."""
        at = self.at(keys)
        weights = member_weights(self.p_true[at], self.right[at], self.row_weights, np.random.default_rng(0))
        return self.judged(np.tensordot(weights, self.tested[at], 1))

    def chosen(self, keys: Sequence[str]) -> np.ndarray:
        """Accuracy and log loss of the one with the best accuracy out of fold."""
        at = self.at(keys)
        return self.judged(self.tested[at[int(self.right[at].mean(axis=1).argmax())]])

    def cost(self, keys: Sequence[str]) -> float:
        return float(self.seconds[self.at(keys)].sum())


def built(banks: Sequence[Bank], among: Sequence[str], size: int) -> list[str]:
    """A list of configurations, the one that adds most for its cost first."""
    listed: list[str] = []
    while len(listed) < size:
        values = {
            key: np.mean([_value(bank, [*listed, key]) for bank in banks])
            for key in among
            if key not in listed and any(key in bank.names for bank in banks)
        }
        best = max(values, key=lambda key: float(values[key]))
        listed.append(best)
    return listed


def _value(bank: Bank, keys: Sequence[str]) -> float:
    if not len(bank.at(keys)):
        return 0.0
    accuracy, loss = bank.average(keys)
    return float(accuracy - BESIDE * loss - SECOND * bank.cost(keys))


def judge(banks: Sequence[Bank], *, text: bool) -> None:
    """Print accuracy, log loss and seconds of what foldless lists, and of all that was considered."""
    every = [one.key for one in configurations(text=text)]
    alone, taught = listed(text=text)
    lists: dict[str, tuple[list[str], Callable[[Bank, Sequence[str]], np.ndarray]]] = {
        "all, the best out of fold": (every, Bank.chosen),
        "all": (every, Bank.average),
        "all, without the pool": ([key for key in every if key.startswith("rows:")], Bank.average),
        "the list": ([*alone, *taught], Bank.average),
        "the list, without the pool": (alone, Bank.average),
        "the list, the best out of fold": ([*alone, *taught], Bank.chosen),
    }
    for name, (keys, judged) in lists.items():
        accuracy, loss = np.mean([judged(bank, keys) for bank in banks], axis=0)
        seconds = np.mean([bank.cost(keys) for bank in banks])
        print(f"  {name:32s} {len(keys):3d} configurations  {accuracy:.4f}  {loss:.3f}  {seconds:5.1f} s")


def build(banks: Sequence[Bank], size: int, *, text: bool) -> None:
    """Print what lists that were made without a set are worth on it, and the list of all sets."""
    every = [one.key for one in configurations(text=text)]
    worth = []
    for left_out in sorted({bank.setting.set for bank in banks}):
        keys = built([bank for bank in banks if bank.setting.set != left_out], every, size)
        worth += [bank.average(keys) for bank in banks if bank.setting.set == left_out]
    accuracy, loss = np.mean(worth, axis=0)
    print(f"  lists of {size} made without the set: accuracy {accuracy:.4f}, log loss {loss:.3f}; of all sets:")
    for key in built(banks, every, size):
        print(f"  {key}")


def listed(*, text: bool) -> tuple[list[str], list[str]]:
    """The configurations of the bank that foldless lists: those of rows alone, and those that the pool teaches."""
    alone = [f"rows: {_in_bank(model, params)}" for model, params in (TEXTS if text else (*TABLES, *TREES))]
    pairs = OF_TEXTS if text else OF_TABLES
    taught = [f"{'known' if view == 'rows' else view}: {ON_FEATURES[name]}" for view, name in pairs]
    return alone, [*taught, *(f"both: {ON_FEATURES[name]}" for _, name in OF_CHARACTERS if text)]


def _in_bank(model: str, params: Mapping[str, Any]) -> str:
    """What the bank calls a configuration of foldless; of trees and boosting, the nearest that it has."""
    values = [value for key, value in params.items() if key in SHOWN]
    return " ".join([NAMES[model], *(f"{value:g}" if isinstance(value, float) else str(value) for value in values)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["bank", "judge", "build"])
    parser.add_argument("--size", type=int, default=12, help="of the lists that are built")
    parser.add_argument("--labels", type=int, nargs="*", default=list(LABELS))
    parser.add_argument("--seeds", type=int, nargs="*", default=[0])
    tuned = [name for kind in KINDS.values() for name in kind if half_of(name) == "tune"]
    parser.add_argument("--sets", nargs="*", default=tuned)
    parser.add_argument("--data", type=Path, default=DATA)
    asked = parser.parse_args()
    settings = [Setting(name, n, seed) for seed in asked.seeds for n in asked.labels for name in asked.sets]
    if asked.what == "bank":
        missing = [one for one in settings if not one.file.exists()]
        with ProcessPoolExecutor(2) as workers:
            for line in workers.map(fill, missing, [asked.data] * len(missing)):
                print(line, flush=True)
        return
    banks = [Bank(one) for one in settings if one.file.exists()]
    for text in (False, True):
        here = [bank for bank in banks if bank.text == text and len(bank.names) > len(banks[0].names) / 2]
        print(f"\n{'texts' if text else 'tables'}, {len(here)} settings of {len({b.setting.set for b in here})} sets")
        if here and asked.what == "judge":
            judge(here, text=text)
        elif here:
            build(here, asked.size, text=text)


if __name__ == "__main__":
    main()
