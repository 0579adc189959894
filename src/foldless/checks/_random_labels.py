"""Whether a share ε of labels is random: a likelihood ratio whose law is drawn from labels without any.

With scores s of a row by all other rows, labels are taken as

    P(y = k | x) = (1 − ε) p_k + ε (1 − p_k) / (K − 1),    p_k ∝ exp(b_k + a s_k),

and ε = 0 is compared with the best ε, each with its best slope a. Scores are ridge regressions on the classes, of ranks
of numbers or their normal scores so that a row far outside is not sure of its class, and naive Bayes for counts of
words. Which of them is taken says the likelihood without random labels.

All scores are sums over labels, so that fits to other labels cost a product of matrices. Labels are drawn from the
best p without ε and scored anew: what the errors of fits look like is in the law. The ratio is positive with a
probability q, and then a multiple of χ²₁.

The same with the probabilities of any model, p_k ∝ s_k^(1/T), has no law that could be drawn without its fits: it is
compared with χ²₁, 1.5 times as wide because folds share training rows.

References
----------
Self & Liang (1987). Asymptotic properties of maximum likelihood estimators under nonstandard conditions. JASA 82.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy import sparse, stats

from foldless.accuracy._difference import INFLATED
from foldless.core import Array

SLOPES = np.geomspace(1.5, 60, 12)
SHARES = np.array([0.0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.25])
RIDGES = np.geomspace(0.01, 100, 7)  # beside the mean squared length of a row
SMOOTHED = (0.3, 1.0, 3.0)  # words that are added to each class
WORD_SCALE = 0.2  # log-probabilities of words are wider than least-squares scores, which the slopes are for
FOLDS = 10  # of naive Bayes; ridge regression leaves out one row
DRAWS = 60  # of labels, for a law with two parameters
MAX_SIZE = 2_000_000  # probabilities at once: memory is the reason
TEMPERATURES = np.geomspace(0.2, 20, 25)
LEAST = 1e-9  # of a probability, as a linear model may be too sure
TINY = np.finfo(float).tiny


class RandomLabels(NamedTuple):
    """How probable such a ratio is without random labels, the best share, and of each label how likely it is random."""

    chance: float
    ratio: float
    share: float
    wrong: Array


class _Score(Protocol):
    def __call__(self, indicators: Array) -> Array:
        """Scores (draws, n, K) of rows by the labels of others, from indicators (draws, n, K) of labels."""
        ...


class _Likelihoods(NamedTuple):
    """Log-likelihoods (slopes, draws, shares), and the probabilities (slopes, draws, n, K)."""

    logs: Array
    probabilities: Array

    @property
    def none(self) -> Array:
        return np.asarray(self.logs[..., 0].max(axis=0))

    @property
    def ratio(self) -> Array:
        return np.asarray(2 * (self.logs.max(axis=(0, 2)) - self.none))


def random_labels(features: Any, codes: Array, rng: np.random.Generator) -> RandomLabels:
    """Test whether some of the labels of rows are random.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(300, 1))
    >>> y = (x[:, 0] + 0.1 * rng.normal(size=300) > 0).astype(int)
    >>> random_labels(x, y, rng).chance > 0.1
    True
    >>> y[:30] = 1 - y[:30]
    >>> random_labels(x, y, rng).chance < 0.001
    True
    """
    _, codes = np.unique(codes, return_inverse=True)
    n_classes = int(codes.max()) + 1
    score, best = None, None
    for member in _scores(features):
        fit = _likelihoods(member, codes[None], n_classes)
        if best is None or fit.none[0] > best.none[0]:
            score, best = member, fit
    assert score is not None
    assert best is not None
    slope, at = np.unravel_index(int(best.logs[:, 0].argmax()), best.logs[:, 0].shape)
    p, ratio, share = best.probabilities[slope, 0], float(best.ratio[0]), float(SHARES[at])
    of_label = p[np.arange(len(codes)), codes]
    by_chance = share * (1 - of_label) / (n_classes - 1)
    wrong = by_chance / np.maximum((1 - share) * of_label + by_chance, TINY)
    chance = 1.0 if ratio <= 0 else _chance(ratio, _drawn_ratios(score, p, rng))
    return RandomLabels(chance, ratio, share, wrong)


def contradicted_labels(probabilities: Array, codes: Array) -> RandomLabels:
    """Test whether some labels are random, by the out-of-fold probabilities (n, K) of models.

    Examples
    --------
    >>> p = np.tile([[0.99, 0.01]], (100, 1))
    >>> labels = contradicted_labels(p, (np.arange(100) < 10).astype(int))
    >>> bool(labels.ratio < 1)  # all rows look alike: the classes may be mixed
    True
    """
    scores = np.log(np.maximum(probabilities, LEAST))
    rows, others = np.arange(len(codes)), max(1, scores.shape[1] - 1)
    of_label = np.array([_softmax(scores / t)[rows, codes] for t in TEMPERATURES])[..., None]
    by_chance = SHARES * (1 - of_label) / others
    likelihoods = np.maximum((1 - SHARES) * of_label + by_chance, TINY)
    logs = np.log(likelihoods).sum(axis=1)
    at = np.unravel_index(int(logs.argmax()), logs.shape)
    ratio = float(2 * (logs[at] - logs[:, 0].max()))
    wrong = by_chance[at[0], :, at[1]] / likelihoods[at[0], :, at[1]]
    return RandomLabels(float(stats.chi2.sf(ratio / INFLATED, 1) / 2), ratio, float(SHARES[at[1]]), wrong)


def _chance(ratio: float, drawn: Array) -> float:
    """The tail of the law with which ratios were drawn; one more that is positive, as large as χ²₁ is, counts too."""
    positive = drawn[drawn > 1e-6]
    often = (len(positive) + 1) / (len(drawn) + 2)
    scale = (float(positive.sum()) + 1) / (len(positive) + 1)
    return float(often * stats.chi2.sf(ratio / scale, 1))


def _drawn_ratios(score: _Score, p: Array, rng: np.random.Generator) -> Array:
    """The ratios of labels that are drawn from probabilities."""
    n, n_classes = p.shape
    at_once = int(np.clip(MAX_SIZE // (n * n_classes * len(SLOPES)), 1, DRAWS))
    edges, ratios = p.cumsum(axis=1)[None, :, :-1], []
    for first in range(0, DRAWS, at_once):
        u = rng.random((min(at_once, DRAWS - first), n, 1))
        ratios.append(_likelihoods(score, (u > edges).sum(axis=2), n_classes).ratio)
    return np.concatenate(ratios)


def _likelihoods(score: _Score, codes: Array, n_classes: int) -> _Likelihoods:
    """Of labels (draws, n), at all slopes and shares."""
    indicators = np.eye(n_classes)[codes]
    shares = np.maximum(indicators.mean(axis=1, keepdims=True), 0.5 / codes.shape[1])
    scores = score(indicators)
    logits = np.log(shares) + SLOPES[:, None, None, None] * (scores - scores.mean(axis=1, keepdims=True))
    for _ in range(3):  # b by steps towards the class shares, which has them but for some thousandths
        p = _softmax(logits)
        logits += np.log(shares / np.maximum(p.mean(axis=2, keepdims=True), 1e-6))
    p = _softmax(logits)
    of_label = np.take_along_axis(p, codes[None, :, :, None], axis=-1)[..., 0]
    logs = [
        np.log(np.maximum((1 - share) * of_label + share * (1 - of_label) / (n_classes - 1), TINY)).sum(axis=-1)
        for share in SHARES
    ]
    return _Likelihoods(np.stack(logs, axis=-1), p)


def _softmax(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _scores(features: Any) -> Iterator[_Score]:
    """Ways to score rows: ridge regressions and, where features may be counts of words, naive Bayes."""
    if not sparse.issparse(features):
        ranks = stats.rankdata(np.asarray(features, dtype=float), axis=0)
        for columns in (ranks, stats.norm.ppf((ranks - 0.5) / len(ranks))):
            yield from _ridges(*_of_columns(columns))
        return
    words = sparse.csr_matrix(features, dtype=float)
    yield from _ridges(*_of_products(np.asarray((words @ words.T).todense())))
    if not words.nnz or words.min() >= 0:
        folds = np.random.default_rng(0).permutation(words.shape[0]) % FOLDS
        for smoothed in SMOOTHED:
            yield _NaiveBayes(words, folds, smoothed)


def _of_columns(columns: Array) -> tuple[Array, Array]:
    """Directions of standardized columns, and how much of the rows is along them."""
    spread = columns.std(axis=0)
    centered = (columns - columns.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    directions, lengths, _ = np.linalg.svd(centered, full_matrices=False)
    return directions, lengths**2


def _of_products(products: Array) -> tuple[Array, Array]:
    """The same from inner products of rows."""
    means = products.mean(axis=0)
    lengths, directions = np.linalg.eigh(products - means - means[:, None] + means.mean())
    return directions, np.maximum(lengths, 0)


def _ridges(directions: Array, lengths: Array) -> Iterator[_Score]:
    mean_length = max(float(lengths.sum()) / len(directions), TINY)
    for ridge in RIDGES:
        yield _Ridge(directions, lengths / (lengths + ridge * mean_length))


class _Ridge:
    """Ridge regression on the classes with an intercept; each row is scored without its own label, in closed form."""

    def __init__(self, directions: Array, kept: Array):
        self._directions, self._kept = directions, kept
        self._own = (1 / len(directions) + directions**2 @ kept)[:, None]

    def __call__(self, indicators: Array) -> Array:
        means = indicators.mean(axis=1, keepdims=True)
        along = np.matmul(self._directions.T, indicators) * self._kept[:, None]
        fitted = means + np.matmul(self._directions, along)
        return np.asarray((fitted - self._own * indicators) / np.maximum(1 - self._own, 1e-6))


class _NaiveBayes:
    """Multinomial naive Bayes, trained on the words of the other folds."""

    def __init__(self, words: Any, folds: Array, smoothed: float):
        self._parts = [(np.flatnonzero(folds == fold), words[folds == fold]) for fold in np.unique(folds)]
        self._words, self._smoothed = words, smoothed

    def __call__(self, indicators: Array) -> Array:
        n_draws, n, n_classes = indicators.shape
        flat = indicators.transpose(1, 0, 2).reshape(n, -1)
        counts, scores = self._words.T @ flat, np.empty((n, n_draws, n_classes))
        for rows, words in self._parts:
            others = counts - words.T @ flat[rows] + self._smoothed
            scores[rows] = (words @ np.log(others / others.sum(axis=0))).reshape(len(rows), n_draws, n_classes)
        scores -= scores.mean(axis=2, keepdims=True)
        return WORD_SCALE * scores.transpose(1, 0, 2)
