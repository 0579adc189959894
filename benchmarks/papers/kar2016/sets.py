"""The sets of Kar et al. (2016) that are public, and two small ones in place of those that are not.

``covtype`` counts class 5, ``letter`` the letter N. ``a9a`` is the paper's Adult. Of ``ijcnn1`` there is a third of the
paper's rows, of ``cod-rna`` an eighth; ``mammography`` and ``oil-spill`` stand for KDDCup08, PPI and ChemInfo. Seven
tenths of the rows train, of which three tenths validate; features are standardized by the training rows, but for
``a9a``, whose features are indicators.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.preprocessing import StandardScaler

SETS = ("covtype", "mammography", "letter", "oil-spill", "ijcnn1", "a9a", "cod-rna")  # by the share of positives
POSITIVE = {"covtype": 4, "letter": 13}  # codes of the class that is counted; 1 in the others
PAPER = {"covtype": 581_012, "letter": 20_000, "ijcnn1": 141_691, "a9a": 48_842, "cod-rna": 488_565}  # rows there
TRAINING, VALIDATION = 0.7, 0.3


class Parts(NamedTuple):
    """A split: rows to learn from, rows to tune with (a part of them), rows to judge by."""

    name: str
    X: Any
    y: Any
    n_learning: int  # of the training rows; the others validate
    X_test: Any
    y_test: Any

    @property
    def learning(self) -> tuple[Any, Any]:
        return self.X[: self.n_learning], self.y[: self.n_learning]

    @property
    def validating(self) -> tuple[Any, Any]:
        return self.X[self.n_learning :], self.y[self.n_learning :]


def make(name: str, data: Path, seed: int, limit: int | None) -> Parts:
    """The parts of a set; the same for the same name, seed and limit."""
    X, y = load(name, data)
    rows = np.random.default_rng([seed, len(y)]).permutation(len(y))[:limit]
    train, test = np.split(rows, [round(TRAINING * len(rows))])
    if sparse.issparse(X):
        X_train, X_test = X[train].astype(np.float32), X[test].astype(np.float32)
    else:
        scaler = StandardScaler().fit(X[train])
        X_train, X_test = (scaler.transform(X[part]).astype(np.float32) for part in (train, test))
    return Parts(name, X_train, y[train], round((1 - VALIDATION) * len(train)), X_test, y[test])


def load(name: str, data: Path) -> tuple[Any, Any]:
    """All rows of a set, and whether they are of the class that is counted."""
    if name == "a9a":
        return sparse.load_npz(data / name / "X.npz").tocsr(), np.load(data / name / "y.npz")["y"].astype(int)
    with np.load(data / name / f"{name}.npz") as file:
        if name == "covtype":
            indicators = [file["wilderness"][:, None] == np.arange(1, 5), file["soil"][:, None] == np.arange(1, 41)]
            X = np.concatenate([file["X_num"], *indicators], axis=1).astype(np.float32)
        else:
            X = file["X"].astype(float)
        return X, (file["y"] == POSITIVE.get(name, 1)).astype(int)
