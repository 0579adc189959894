"""Data sets and families of candidates of the league: tables, text, noisy and unbalanced sets, noise of known laws."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from foldless.learners import KernelSVC, LinearSVC, LogisticRegression

NOISY = (
    "abalone", "adult", "coil2000", "oil-spill", "mammography", "elec", "ijcnn1", "a9a", "cod-rna", "yeast", "glass",
    "ssl_bci",
)  # fmt: skip
TABLES = (
    *NOISY, "ctg", "dna", "letter", "segment", "satimage", "vehicle", "vowel", "waveform-21", "spambase", "pageblocks",
    "ssl_digit1", "g50c", "covtype", "usps", "ssl_g241c", "dry-bean", "skin_nonskin", "shuttle", "coil20", "ssl_coil2",
    "ssl_usps",
)  # fmt: skip
BUNDLED = ("breast_cancer", "wine", "digits", "iris")
LAWS = ("half_space", "moons", "ring", "blobs", "checkers", "sparse")
TEXTS = ("newsgroups20", "sms_spam", "clinc150", "text_mac_mswindows", "cora")
SETS = (*TABLES, *BUNDLED, *LAWS, *TEXTS)
MOST, LEAST_OF_A_CLASS, MOST_CLASSES, MOST_WORDS, MOST_COLUMNS = 12_000, 12, 16, 2_000, 60


def load(name: str, folder: Path) -> tuple[Any, np.ndarray]:
    """Features (a dense array, or sparse for text) and class codes; classes of a few rows are left out."""
    if name in LAWS:
        X, y = _law(name)
    elif name in BUNDLED:
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    elif name in ("newsgroups20", "sms_spam", "clinc150"):
        X, y = _words(sorted((folder / name).glob("*.jsonl.gz"))[0])
    elif name == "adult":
        X, y = _adult(folder)
    elif (folder / name / "X.npz").exists():
        X, y = sparse.load_npz(folder / name / "X.npz").astype(float).tocsr(), np.load(folder / name / "y.npz")["y"]
        X = X.toarray() if name == "a9a" else TfidfTransformer(sublinear_tf=True).fit_transform(X).tocsr()
    else:
        with np.load(folder / name / f"{name}.npz") as held:
            X, y = _sparse(held) if "indptr" in held else np.asarray(held["X"], dtype=float), held["y"]
        X = X if sparse.issparse(X) else X.reshape(len(y), -1)
    if len(y) > MOST:
        kept = np.random.default_rng(1).permutation(len(y))[:MOST]
        X, y = X[kept], y[kept]
    codes = np.unique(y, return_inverse=True)[1]
    kept = np.flatnonzero(np.bincount(codes)[codes] >= LEAST_OF_A_CLASS)
    return X[kept], np.unique(codes[kept], return_inverse=True)[1]


def prepared(X: Any, n_known: int) -> Any:
    """Scaled by the first rows, labeled and pool; many columns become principal components."""
    if sparse.issparse(X):
        return X
    X = StandardScaler().fit(X[:n_known]).transform(X)
    if X.shape[1] > MOST_COLUMNS:
        X = PCA(40, random_state=0).fit(X[:n_known]).transform(X)
        X /= X[:n_known].std()
    return X


def families(X: Any, n_classes: int, n_labeled: int) -> dict[str, Any]:
    """Estimators and grids by the name of their family; "mixed" has them all."""
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
    if not text:
        depths = [{"max_depth": [2, 4]}, {"min_samples_leaf": [1, 3, 8, 20]}]
        every["forest"] = (RandomForestClassifier(25, random_state=0), depths)
        every["tree"] = (DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4, 8, None]})
        if n_classes <= 4:
            boosted = GradientBoostingClassifier(n_estimators=20, random_state=0)
            every["boosting"] = (boosted, {"max_depth": [1, 3], "learning_rate": [0.1, 0.5]})
    return {**every, "mixed": dict(every)}


def _law(name: str, n: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    """Points of a known law, some of whose labels are drawn anew."""
    rng = np.random.default_rng(11)
    if name == "half_space":
        X = rng.normal(size=(n, 10))
        y, turned = (X @ rng.normal(size=10) > 0).astype(int), 0.3
    elif name == "moons":
        X, y = datasets.make_moons(n, noise=0.25, random_state=3)
        X, turned = np.c_[X, rng.normal(size=(n, 3))], 0.15
    elif name == "ring":
        X = rng.normal(size=(n, 4))
        y, turned = ((X[:, :2] ** 2).sum(axis=1) > 5).astype(int), 0.03
    elif name == "blobs":
        X, y = datasets.make_blobs(n, 6, centers=5, cluster_std=3.5, random_state=5)
        turned = 0.2
    elif name == "checkers":
        X = rng.uniform(-1, 1, size=(n, 2))
        y, turned = (np.floor(X * 1.5).sum(axis=1) % 2).astype(int), 0.1
    else:
        X, y = datasets.make_classification(n, 30, n_informative=5, weights=[0.85], class_sep=0.8, random_state=7)
        turned = 0.1
    k = y.max() + 1
    return X, np.where(rng.random(n) < turned, (y + rng.integers(1, k, n)) % k, y)


def _words(path: Path) -> tuple[Any, np.ndarray]:
    with gzip.open(path, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    y = np.array([str(row["label"]) for row in rows])
    classes, counts = np.unique(y, return_counts=True)
    kept = np.flatnonzero(np.isin(y, classes[np.argsort(-counts, kind="stable")[:MOST_CLASSES]]))
    kept = np.random.default_rng(1).permutation(kept)[: MOST // 2]
    words = TfidfVectorizer(sublinear_tf=True, stop_words="english", max_features=MOST_WORDS)
    return words.fit_transform([rows[at]["text"] for at in kept]).tocsr(), y[kept]


def _sparse(held: Any) -> Any:
    data = np.ones(len(held["indices"])) if "data" not in held else held["data"]
    X = sparse.csr_matrix((data, held["indices"].astype(int), held["indptr"]), shape=tuple(held["shape"]))
    return TfidfTransformer().fit_transform(X).tocsr()


def _adult(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    import pandas as pd

    table = pd.read_parquet(folder / "adult" / "adult.parquet").drop(columns=["split", "fnlwgt", "native-country"])
    y = table.pop("income").to_numpy().astype(str)
    return pd.get_dummies(table).to_numpy(float), y
