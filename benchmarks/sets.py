"""Data sets of league and coverage: tables, text, many classes, noisy and unbalanced ones, and laws with known noise.

Every set has a kind, by which the tables are cut, and belongs to one of two halves by a hash of its name: whatever is
tuned on the sets of one half is reported on those of the other.
"""

from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from scipy import sparse
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import TfidfTransformer, TfidfVectorizer
from sklearn.preprocessing import StandardScaler, normalize

from benchmarks.records import read

KINDS = {
    "noisy": (
        "abalone", "adult", "coil2000", "oil-spill", "mammography", "elec", "ijcnn1", "a9a", "cod-rna", "yeast",
        "glass", "ssl_bci",
    ),
    "table": (
        "ctg", "dna", "segment", "satimage", "vehicle", "waveform-21", "spambase", "pageblocks", "ssl_digit1", "g50c",
        "covtype", "ssl_g241c", "dry-bean", "skin_nonskin", "shuttle", "ssl_coil2", "ssl_usps", "breast_cancer",
        "wine", "iris",
    ),
    "many classes": ("letter", "vowel", "usps", "digits", "coil20"),
    "law": ("half_space", "moons", "ring", "blobs", "checkers", "sparse"),
    "text": (
        "newsgroups20", "sms_spam", "clinc150", "text_mac_mswindows", "cora", "citeseer", "ssl_text",
        "debian_packages", "webkb_course",
    ),
}  # fmt: skip
SETS = tuple(name for names in zip_longest(*KINDS.values()) for name in names if name)  # all kinds from the start
BUNDLED = ("breast_cancer", "wine", "digits", "iris")
TEXT_OF = {  # file, text, label
    "newsgroups20": ("20news_bydate.jsonl.gz", "text", "label"),
    "sms_spam": ("sms_spam.jsonl.gz", "text", "label"),
    "clinc150": ("clinc150_full.jsonl.gz", "text", "label"),
    "debian_packages": ("debian_packages.jsonl.gz", "long", "section"),
    "webkb_course": ("webkb_course.jsonl.gz", "page_html", "label"),
}
MOST, LEAST_OF_A_CLASS, MOST_CLASSES, MOST_WORDS, MOST_COLUMNS, LAW = 12_000, 12, 26, 2_000, 60, 4_000
POOL, TEST, LEAST_POOL = 1000, 2000, 40


class Draw(NamedTuple):
    """Features and class codes, cut into labels, pool and test rows."""

    X: Any
    y: np.ndarray
    labeled: slice
    pool: slice
    test: slice


def kind_of(name: str) -> str:
    return next(kind for kind, names in KINDS.items() if name in names)


def half_of(name: str) -> str:
    """The half a set belongs to: constants that were tuned on one are reported on the other."""
    return ("tune", "report")[sha256(name.encode()).digest()[0] % 2]


def draw(name: str, n: int, seed: int, regime: str, folder: Path) -> Draw | None:
    """Labels, pool and test rows of a setting; None where the set is too small, or has too many classes for n labels.

    With ``regime="shift"`` the class shares of the labels are drawn at random, those of pool and test are the set's.
    """
    X, y = load(name, folder)
    n_pool = min(POOL, (len(y) - n) // 2)
    if n_pool < max(LEAST_POOL, 0.7 * n) or n < 2 * (y.max() + 1):
        return None
    rng = np.random.default_rng([seed, n, crc32(name.encode()), regime == "shift"])
    for _ in range(100):
        rows = rng.permutation(len(y)) if regime == "plain" else _shifted(y, n, rng)
        if len(np.unique(y[rows[:n]])) > 1:
            break
    rows = rows[: n + n_pool + TEST]
    known = n + n_pool
    return Draw(prepared(X[rows], known), y[rows], slice(0, n), slice(n, known), slice(known, None))


def _shifted(y: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    """A permutation whose first n rows have class shares of their own."""
    shares = rng.dirichlet(np.full(y.max() + 1, 2.0))
    rows = rng.permutation(len(y))
    keys = rng.exponential(size=len(y)) / (shares / np.bincount(y))[y[rows]]  # weighted, without replacement
    first = rows[np.argsort(keys)[:n]]
    return np.concatenate([first, rows[~np.isin(rows, first)]])


def load(name: str, folder: Path) -> tuple[Any, np.ndarray]:
    """Features (a dense array, or sparse for text) and class codes; classes of a few rows are left out."""
    if name in KINDS["law"]:
        X, y = _law(name)
    elif name in BUNDLED:
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    elif name in TEXT_OF:
        X, y = _words(name, folder)
    elif name == "adult":
        X, y = _adult(folder)
    elif (folder / name / "X.npz").exists():
        X, y = sparse.load_npz(folder / name / "X.npz").astype(float).tocsr(), np.load(folder / name / "y.npz")["y"]
        X = X.toarray() if name == "a9a" else normalize(X)  # the others are weighted text
    else:
        with np.load(folder / name / f"{name}.npz") as held:
            numbers = "X_num" if name == "covtype" else "X"  # its indicator columns are left out
            X, y = _sparse(held) if "indptr" in held else np.asarray(held[numbers], dtype=float), held["y"]
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


def spread_folds(y: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """The number of the fold of every row: random, and each class spread over all k."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), dtype=int)
    fold[order] = np.arange(len(y)) % k
    return fold


def _law(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Points of a known law, some of whose labels are turned to another class."""
    rng, n = np.random.default_rng(11), LAW
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


def texts(name: str, folder: Path) -> tuple[list[str], np.ndarray]:
    """The texts of a set and their classes, of which rare ones are left out."""
    file, text, label = TEXT_OF[name]
    rows = [row for row in read(folder / name / file) if row[text] and row[label] is not None]
    y = np.array([str(row[label]) for row in rows])
    classes, counts = np.unique(y, return_counts=True)
    kept = np.flatnonzero(np.isin(y, classes[np.argsort(-counts, kind="stable")[:MOST_CLASSES]]))
    kept = np.random.default_rng(1).permutation(kept)[: MOST // 2]
    return [rows[at][text] for at in kept], y[kept]


def _words(name: str, folder: Path) -> tuple[Any, np.ndarray]:
    written, y = texts(name, folder)
    words = TfidfVectorizer(sublinear_tf=True, stop_words="english", max_features=MOST_WORDS)
    return words.fit_transform(written).tocsr(), y


def _sparse(held: Any) -> Any:
    data = np.ones(len(held["indices"])) if "data" not in held else held["data"]
    X = sparse.csr_matrix((data, held["indices"].astype(int), held["indptr"]), shape=tuple(held["shape"]))
    return TfidfTransformer().fit_transform(X).tocsr()


def _adult(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    import pandas as pd

    table = pd.read_parquet(folder / "adult" / "adult.parquet").drop(columns=["split", "fnlwgt", "native-country"])
    y = table.pop("income").to_numpy().astype(str)
    return pd.get_dummies(table).to_numpy(float), y
