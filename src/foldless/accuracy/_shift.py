"""Whether the pool is like the labels: can a classifier tell them apart, and do predicted class shares move?

Two tests on rows of both parts, without a candidate. The first trains kernel ridge regression to tell labels from pool
and takes its out-of-fold AUC; its p-value is exact, from permutations of who is labeled (Besag & Clifford stop early).
The second trains it on the classes: labels out of fold and pool rows are scored by the same fits, and the mean scores
of each class are compared by Welch's test, all classes at once by Bonferroni. Fits that share training rows make the
means vary more than independent rows do, by more the fewer the labels are: their variance is taken 1.25 + 25/n times as
large, as simulations ask. The p-value of both is 2 min(p, p').

References
----------
Lopez-Paz & Oquab (2017). Revisiting classifier two-sample tests. ICLR.
Lipton, Wang & Smola (2018). Detecting and correcting for label shift with black box predictors. ICML.
Besag & Clifford (1991). Sequential Monte Carlo p-values. Biometrika 78.
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from foldless.accuracy._distributions import average_ranks, student_tail
from foldless.core import Array
from foldless.results.shift import LEVEL, Shift

FOLDS, RIDGE = 5, 3.0
FIRST_PERMUTATIONS, MAX_PERMUTATIONS = 39, 399
ENOUGH_EXTREME = 4  # of the first permutations: no more are drawn
FEWEST = 10  # rows of a part, below which there is no test
MAX_CLASSIFIED = 300  # rows of both parts that the first test reads
INFLATED, INFLATED_BY_ROW = 1.25, 25.0
RARE = 5  # labels of a class, below which its scores are not compared


def shift(gram: Array, y: Array, classes: Array, rng: np.random.Generator) -> Shift | None:
    """Test labels against pool; None where there are too few rows.

    Parameters
    ----------
    gram : a kernel of the labeled rows, then the pool rows, with the first of them, at least `columns`
    y : (n,) class codes of the labeled rows
    classes : the names of the codes
    rng : draws folds and permutations

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 50)
    >>> x = np.concatenate([rng.normal(4 * y), rng.normal(4 * (rng.random(300) < 0.9))])
    >>> tested = shift(np.outer(x - 2, x - 2) + 1, y, np.array(["no", "yes"]), rng)
    >>> tested.alarm, tested.moved, round(tested.in_labels, 1), round(tested.in_pool, 1)
    (True, 'no', 0.5, 0.1)
    """
    n, m = len(y), len(gram) - len(y)
    if min(n, m) < FEWEST:
        return None
    first = np.r_[: min(n, MAX_CLASSIFIED // 2), n : columns(n, m)]
    auc, auc_p = classifier_test(gram[np.ix_(first, first)], min(n, MAX_CLASSIFIED // 2), rng)
    scores = _scores(gram, y, len(classes), rng)
    shares_p = scores_test(scores[:n], scores[n:], y)
    mine, theirs = (np.bincount(s.argmax(axis=1), minlength=len(classes)) / len(s) for s in (scores[:n], scores[n:]))
    at = int(np.abs(mine - theirs).argmax())
    in_labels, in_pool = float(mine[at]), float(theirs[at])
    p = min(1.0, 2 * min(auc_p, shares_p))
    named = classes[at].item() if isinstance(classes[at], np.generic) else classes[at]
    return Shift(p < LEVEL, p, auc, auc_p, shares_p, named, in_labels, in_pool, n, m)


def columns(n: int, m: int) -> int:
    """How many of n labeled and m pool rows, in this order, the kernel must have as columns."""
    return n + min(m, MAX_CLASSIFIED - min(n, MAX_CLASSIFIED // 2))


def classifier_test(gram: Array, n: int, rng: np.random.Generator) -> tuple[float, float]:
    """The out-of-fold AUC of telling the first n rows from the others, and its p-value by permutation."""
    member = np.arange(len(gram)) < n
    out_of_fold = _smoother(gram, rng)
    auc = float(_aucs(out_of_fold, member[:, None])[0])

    def as_far(times: int) -> int:
        orders = rng.permuted(np.tile(member, (times, 1)), axis=1).T
        return int((_aucs(out_of_fold, orders) >= auc).sum())

    at_first = as_far(FIRST_PERMUTATIONS)
    if at_first >= ENOUGH_EXTREME:
        return auc, (1 + at_first) / (1 + FIRST_PERMUTATIONS)
    return auc, (1 + at_first + as_far(MAX_PERMUTATIONS - FIRST_PERMUTATIONS)) / (1 + MAX_PERMUTATIONS)


def scores_test(labels: Array, pool: Array, y: Array) -> float:
    """The p-value of equal mean scores of every class that is not rare, from scores (n, K) and (m, K)."""
    counts = np.bincount(y, minlength=labels.shape[1])
    tested = np.flatnonzero(counts >= min(RARE, counts.max()))
    tested = tested[:1] if len(counts) == 2 else tested  # of two classes one is the other's rest
    mine, theirs = (part[:, tested].var(axis=0, ddof=1) / len(part) for part in (labels, pool))
    error = np.sqrt((INFLATED + INFLATED_BY_ROW / len(y)) * (mine + theirs))
    apart = np.abs(labels[:, tested].mean(axis=0) - pool[:, tested].mean(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        p_values = 2 * student_tail(np.where(error > 0, apart / error, 0.0), len(labels) - 1)
    return float(min(1.0, len(tested) * p_values.min()))


def _smoother(gram: Array, rng: np.random.Generator) -> Array:
    """The matrix that makes out-of-fold predictions of centered targets: fixed, whatever the targets are."""
    size = len(gram)
    fold, smoother = rng.permutation(size) % FOLDS, np.zeros((size, size))
    for at in range(FOLDS):
        test, train = np.flatnonzero(fold == at), np.flatnonzero(fold != at)
        weights = _solve(gram[np.ix_(train, train)], gram[np.ix_(train, test)])
        weights -= weights.mean(axis=0)  # the mean of the training targets is taken off
        smoother[np.ix_(test, train)] = weights.T
    return smoother


def _aucs(smoother: Array, members: Array) -> Array:
    """The AUC of each column of memberships, predicted out of fold."""
    ranks = average_ranks(smoother @ members.astype(float))
    n, size = int(members[:, 0].sum()), len(members)
    return np.asarray(((ranks * members).sum(axis=0) - n * (n + 1) / 2) / (n * (size - n)))


def _scores(gram: Array, y: Array, n_classes: int, rng: np.random.Generator) -> Array:
    """The score of each class at each row, by a fit that has not seen it; at pool rows by one of the fits, drawn."""
    n, targets = len(y), np.eye(n_classes)[y]
    fold = np.concatenate([rng.permutation(n) % FOLDS, rng.permutation(len(gram) - n) % FOLDS])
    scores = np.zeros((len(gram), n_classes))
    for at in range(FOLDS):
        test, train = np.flatnonzero(fold == at), np.flatnonzero(fold[:n] != at)
        mean = targets[train].mean(axis=0)
        weights = _solve(gram[np.ix_(train, train)], targets[train] - mean)
        scores[test] = mean + gram[np.ix_(test, train)] @ weights
    return scores


def _solve(gram: Array, targets: Array) -> Array:
    """The weights of kernel ridge regression; both arrays are used up."""
    gram.flat[:: len(gram) + 1] += RIDGE
    factor = cho_factor(gram, lower=True, overwrite_a=True, check_finite=False)
    return np.asarray(cho_solve(factor, targets, overwrite_b=True, check_finite=False))
