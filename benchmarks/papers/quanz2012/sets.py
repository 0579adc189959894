"""The data sets of Quanz and Huan (2012), with the learners, grids and scores that the paper uses on each.

What the paper leaves open is decided here; ``choices.py`` shows what else it could be. Synth's kernel was chosen
because it matches the published Best Fixed, the width of Coil's because it matches the published GP - No SSL; nothing
else was chosen by a published error:

* WebKB: words of two letters or more without English stop words, present or not as in Weka's default. Page words in at
  least 9 pages and link words in at least 2 come nearest to the paper's 2,168 and 338.
* Citeseer: the printed rule, fewer than five links removed, leaves 477 papers; at least three ones in the symmetric
  row of links, one to itself counted, leaves the paper's 1,164.
* Coil: toys are the duck, three wooden blocks, three cars, the cat and the piggy bank: nine, as in the paper. With
  ``COIL_GAMMA`` GP - No SSL has .409 ± .006 and .374 ± .009 on 30 other draws, MCC .227 and .316, where the paper has
  .410 ± .009 and .375 ± .010, MCC .225 and .314. A kernel so narrow carries no label between the 408 pieces into which
  the graph of one neighbor falls, and no candidate is better than GP - No SSL. The images of an object are a ring: one
  neighbor on each side, two in all, is the graph here.
* Co-training: 30 rounds and a pool of 75 as in Blum and Mitchell (1998). λ stands beside the mean of the losses;
  ``SUMMED`` has it beside their sum, for which there are reasons too.
"""

import html
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import minmax_scale

from benchmarks.records import read
from foldless.learners import CoTraining, GPCoTraining, ViewGP

QUARTER = np.array([[1, -1], [1, 1]]) / np.sqrt(2)  # the paper's rotation by π/4
SYNTH_VIEWS = [[0, 1], [2, 3]]
TOYS = (1, 2, 3, 4, 6, 7, 11, 13, 19)
COIL_GAMMA = 39.3  # of pixels in [0, 1]
TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
WORD = r"\b[a-z]{2,}\b"


class Synth(NamedTuple):
    """Two views of two columns each; the labeled rows come first."""

    X: Any
    y: Any
    n_labeled: int


class Trial(NamedTuple):
    """Labeled rows, and the pool with the labels that only the tables see; class 1 is the positive one."""

    X: Any
    y: Any
    pool: Any
    truth: Any


class Setting(NamedTuple):
    """A row of the paper's Table 1."""

    draw: Callable[[Sequence[int]], Trial]
    learner: Any
    grid: dict[str, list[Any]]
    alone: Callable[[Trial], Any]  # GP - No SSL: labels of the pool
    scoring: str = "accuracy"  # of SDS
    jobs: int | None = None  # processes, where fits are long enough


def synth(seed: Any, n_labeled: int = 2, n_unlabeled: int = 200) -> Synth:
    """Two Gaussians in each view, independent given the class; so many rows of each class.

    Rows are rotated as z'R. In the other convention, Rz, the long axis lies along the offset of the classes, and no
    method could have the error that the paper prints (Bayes error 0.309 with both views; this way 0.023).
    """
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.repeat([0, 1], n_labeled), np.repeat([0, 1], n_unlabeled)])
    offset = (2 * y - 1)[:, None]
    views = [rng.normal(size=(len(y), 2)) * [4, 1] @ QUARTER + offset for _ in range(2)]
    return Synth(minmax_scale(np.hstack(views)), y, 2 * n_labeled)


def webkb(data: Path) -> tuple[Any, Any, int]:
    """Words of pages and of the links to them, whether the page is of a course, and the number of page words."""
    pages = read(data / "webkb_course" / "webkb_course.jsonl.gz")
    views = [
        CountVectorizer(binary=True, stop_words="english", token_pattern=WORD, min_df=least).fit_transform(
            html.unescape(TAG.sub(" ", page[view])) for page in pages
        )
        for view, least in (("page_html", 9), ("inlinks", 2))
    ]
    return sparse.hstack(views, format="csr"), np.array([page["label"] for page in pages]), views[0].shape[1]


def citeseer(data: Path) -> tuple[Any, Any, int]:
    """Words of abstracts and the links of papers, whether the paper is of databases, and the number of words."""
    with np.load(data / "citeseer" / "citeseer.npz") as held:
        ones = np.ones(len(held["indices"]))
        words = sparse.csr_matrix((ones, held["indices"].astype(int), held["indptr"]), shape=held["shape"])
        y = (held["class_names"][held["y"]] == "DB").astype(int)
        citing, cited = held["edges"].astype(int).T
    links = sparse.coo_matrix((np.ones(len(citing)), (citing, cited)), shape=(len(y), len(y))).tocsr()
    links = ((links + links.T) > 0).astype(float)
    kept = np.flatnonzero(links.sum(axis=1).A1 >= 3)
    return sparse.hstack([words[kept], links[kept][:, kept]], format="csr"), y[kept], words.shape[1]


def coil(data: Path) -> tuple[Any, Any, Any]:
    """Pixels in [0, 1], whether the object is a toy, and which of the twenty it is."""
    with np.load(data / "coil20" / "coil20.npz") as held:
        objects = held["y"].astype(int) + 1
        return held["X"] / 4080, np.isin(objects, TOYS).astype(int), objects


def drawn(X: Any, y: Any, strata: Any, each: dict[int, int], seed: Sequence[int]) -> Trial:
    """So many random rows of each stratum are labeled, all others are the pool."""
    rng = np.random.default_rng(seed)
    rows = np.concatenate(
        [rng.choice(np.flatnonzero(strata == stratum), n, replace=False) for stratum, n in each.items()]
    )
    rest = np.setdiff1d(np.arange(len(y)), rows)
    return Trial(X[rows], y[rows], X[rest], y[rest])


def _synth(_: Path) -> Setting:
    def draw(seed: Sequence[int]) -> Trial:
        X, y, n = synth(seed)
        return Trial(X[:n], y[:n], X[n:], y[n:])

    def alone(drawn: Trial) -> Any:
        center = np.vstack([drawn.X, drawn.pool]).mean(axis=0)  # that of GPCoTraining
        return ViewGP(SYNTH_VIEWS, kernel="linear").fit(drawn.X - center, drawn.y).predict(drawn.pool - center)

    sigmas = [10.0**power for power in range(2, -6, -1)]
    return Setting(
        draw, GPCoTraining(SYNTH_VIEWS, kernel="centered_linear"), {"sigma1": sigmas, "sigma2": sigmas}, alone
    )


def _webkb(data: Path, scale: str = "mean") -> Setting:
    return _co_training(*webkb(data), {1: 3, 0: 9}, "accuracy", scale)


def _citeseer(data: Path, scale: str = "mean") -> Setting:
    return _co_training(*citeseer(data), {1: 4, 0: 20}, "matthews_corrcoef", scale)


def _co_training(X: Any, y: Any, n_first: int, labels: dict[int, int], scoring: str, scale: str) -> Setting:
    views = [slice(0, n_first), slice(n_first, X.shape[1])]
    weights = [10.0**power for power in range(0, -5, -1)]
    return Setting(
        lambda seed: drawn(X, y, y, labels, seed),
        CoTraining(views=views, scale=scale),
        {"n": [1, 2, 3, 4, 5], "l1": weights, "l2": weights},
        lambda drawn: ViewGP(views, kernel="centered_linear").fit(drawn.X, drawn.y).predict(drawn.pool),
        scoring,
        jobs=2,
    )


def _coil(data: Path, each: int) -> Setting:
    X, y, objects = coil(data)
    sigmas = [1e6, 1e4, 1e2, 1.0, 1e-1, 1e-2]
    return Setting(
        lambda seed: drawn(X, y, objects, dict.fromkeys(range(1, 21), each), seed),
        GPCoTraining([slice(None)] * 2, kernel=("rbf", "graph"), gamma=COIL_GAMMA, n_neighbors=2),
        {"sigma1": sigmas, "sigma2": sigmas},
        lambda drawn: ViewGP([slice(None)], kernel="rbf", gamma=COIL_GAMMA).fit(drawn.X, drawn.y).predict(drawn.pool),
    )


SETTINGS: dict[str, Callable[[Path], Setting]] = {
    "Synth": _synth,
    "WebKB": _webkb,
    "Coil 20": lambda data: _coil(data, 1),
    "Citeseer": _citeseer,
    "Coil 40": lambda data: _coil(data, 2),
}
SUMMED: dict[str, Callable[[Path], Setting]] = {
    "WebKB": partial(_webkb, scale="sum"),
    "Citeseer": partial(_citeseer, scale="sum"),
}
