"""Test whether the pool is like the labels: several tests, each with a share of the level.

columns         the largest difference of a column (`_column_shift`): exact, and it names the column
many columns    many small differences of columns: exact
classifier      kernel ridge regression learns to tell labels from pool; the p-value of its out-of-fold AUC is exact,
                from permutations of who is labeled (Besag & Clifford stop early)
class scores    kernel ridge regression learns the classes: labels out of fold and pool rows are scored by the same
                fits, and mean scores are compared by Welch's test
model outputs   the same of the chosen model: how often it predicts each class (with two classes, how probable
                they are), and how confident it is

Fits that share training rows make means vary more than independent rows do, by more the fewer the labels are: in the
last two tests the variance is taken 1.25 + 25/n times as large, by simulations. The smallest p/share is the p-value of
all. All tests look at features: none sees concept shift, where rows look the same and their classes change.

References
----------
Lopez-Paz & Oquab (2017). Revisiting classifier two-sample tests. ICLR.
Rifkin & Lippert (2007). Notes on regularized least squares. MIT-CSAIL-TR-2007-025.
Lipton, Wang & Smola (2018). Detecting and correcting for label shift with black box predictors. ICML.
Besag & Clifford (1991). Sequential Monte Carlo p-values. Biometrika 78.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from foldless.accuracy._column_shift import ColumnTest
from foldless.accuracy._distributions import average_ranks, student_tail
from foldless.accuracy._kernel_inverse import kernel_inverse
from foldless.core import Array
from foldless.results.shift import LEVEL, Shift

FOLDS, RIDGE = 5, 3.0
PERMUTATIONS = (39, 399, 1999)  # drawn in stages: the next is drawn where few of those before are as far as the data
ENOUGH_EXTREME = 4
FEWEST = 10  # rows of a part, below which there is no test
MAX_CLASSIFIED = 300  # rows of both parts that the classifier reads
INFLATED, INFLATED_BY_ROW = 1.25, 25.0
RARE = 5  # labels of a class, below which its scores are not compared
# of the level: most for the columns, whose shifts are the most common and the easiest to act on, then for what classes
# are predicted by, which moves accuracies; where a test cannot be made its share is lost, so that no p-value depends on
# which tests were possible. Chosen on seeds from 60,000 on of benchmarks/coverage/shift.py, whose table is of others
WEIGHTS = {"columns": 0.35, "many columns": 0.1, "classifier": 0.15, "class scores": 0.15, "model outputs": 0.25}


class ModelOutputs(NamedTuple):
    """What the chosen model says of rows that it was not trained on, by the same fits: classes and confidence.

    ``labels`` are predicted class codes of labeled rows, ``pool_labels`` of pool rows; a confidence may be lacking.
    """

    labels: Array
    pool_labels: Array
    confidence: Array | None = None
    pool_confidence: Array | None = None


def shift(
    gram: Array,
    y: Array,
    classes: Array,
    rng: np.random.Generator,
    by_column: ColumnTest | None = None,
    outputs: ModelOutputs | None = None,
) -> Shift | None:
    """Test labels against pool; None where there are too few rows.

    Parameters
    ----------
    gram : a kernel of the labeled rows, then the pool rows, with the first of them, at least `n_columns`
    y : (n,) class codes of the labeled rows
    classes : the names of the codes
    rng : draws folds and permutations
    by_column : the test of the columns, of these rows or more
    outputs : of the chosen model

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
    first = np.r_[: min(n, MAX_CLASSIFIED // 2), n : n_columns(n, m)]
    auc, auc_p = classifier_test(gram[np.ix_(first, first)], min(n, MAX_CLASSIFIED // 2), rng)
    scores = class_scores(gram, y, len(classes), rng)
    counts = np.bincount(y, minlength=len(classes))
    tested = np.flatnonzero(counts >= min(RARE, counts.max()))
    tested = tested[:1] if len(counts) == 2 else tested  # of two classes one is the other's rest
    shares_p = _means_test(scores[:n, tested], scores[n:, tested])
    p_values = {"classifier": auc_p, "class scores": shares_p}
    if by_column is not None:
        p_values |= {"columns": by_column.largest_p, "many columns": by_column.many_p}
    if outputs is not None and min(len(outputs.labels), len(outputs.pool_labels)) >= FEWEST:
        p_values["model outputs"] = outputs_test(outputs, len(classes))
    mine, theirs = (np.bincount(s.argmax(axis=1), minlength=len(classes)) / len(s) for s in (scores[:n], scores[n:]))
    at = int(np.abs(mine - theirs).argmax())
    in_labels, in_pool = float(mine[at]), float(theirs[at])
    each = {name: p_values[name] / weight for name, weight in WEIGHTS.items() if name in p_values}
    p = min(1.0, *each.values())
    named = classes[at].item() if isinstance(classes[at], np.generic) else classes[at]
    return Shift(
        p <= LEVEL, p, auc, auc_p, shares_p, named, in_labels, in_pool, n, m,
        found_by=tuple(name for name, value in each.items() if value <= LEVEL),
        columns=() if by_column is None else by_column.columns,
        p_values={name: p_values[name] for name in WEIGHTS if name in p_values},
        columns_read=0 if by_column is None else by_column.read,
        columns_total=0 if by_column is None else by_column.total,
    )  # fmt: skip


def n_columns(n: int, m: int) -> int:
    """How many of n labeled and m pool rows, in this order, the kernel must have as columns."""
    return n + min(m, MAX_CLASSIFIED - min(n, MAX_CLASSIFIED // 2))


def classifier_test(gram: Array, n: int, rng: np.random.Generator) -> tuple[float, float]:
    """The out-of-fold AUC of telling the first n rows from the others, and its p-value by permutation."""
    member = np.arange(len(gram)) < n
    predict = out_of_fold(gram, rng)
    auc = float(_aucs(predict, member[:, None])[0])

    far = drawn = 0
    for wanted in PERMUTATIONS:
        orders = rng.permuted(np.tile(member, (wanted - drawn, 1)), axis=1).T
        far, drawn = far + int((_aucs(predict, orders) >= auc - 1e-12).sum()), wanted
        if far >= ENOUGH_EXTREME:
            break
    return auc, (1 + far) / (1 + drawn)


def outputs_test(outputs: ModelOutputs, n_classes: int) -> float:
    """The p-value of equal shares of every predicted class that is not rare, and of equal mean confidence.

    Of two classes the probability of the second takes the place of its share: it tells more.
    """
    mine, theirs = (np.eye(n_classes)[np.maximum(codes, 0)] for codes in (outputs.labels, outputs.pool_labels))
    counts = mine.sum(axis=0) + theirs.sum(axis=0)
    least = RARE * (len(mine) + len(theirs)) / len(mine)
    tested = np.flatnonzero((counts >= least) & (counts <= len(mine) + len(theirs) - least))
    tested = tested[:1] if n_classes == 2 else tested
    mine, theirs = mine[:, tested], theirs[:, tested]
    if outputs.confidence is not None and outputs.pool_confidence is not None:
        if n_classes == 2:
            mine = np.where(outputs.labels == 1, outputs.confidence, 1 - outputs.confidence)[:, None]
            theirs = np.where(outputs.pool_labels == 1, outputs.pool_confidence, 1 - outputs.pool_confidence)[:, None]
        mine = np.column_stack([mine, outputs.confidence])
        theirs = np.column_stack([theirs, outputs.pool_confidence])
    return _means_test(mine, theirs) if mine.shape[1] else 1.0


def _means_test(labels: Array, pool: Array) -> float:
    """Welch's test of all columns by Bonferroni, with the variance of fits that share training rows."""
    mine, theirs = (part.var(axis=0, ddof=1) / len(part) for part in (labels, pool))
    error = np.sqrt((INFLATED + INFLATED_BY_ROW / len(labels)) * (mine + theirs))
    apart = np.abs(labels.mean(axis=0) - pool.mean(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        p_values = 2 * student_tail(np.where(error > 0, apart / error, 0.0), len(labels) - 1)
    return float(min(1.0, labels.shape[1] * p_values.min()))


def out_of_fold(gram: Array, rng: np.random.Generator) -> Callable[[Array], Array]:
    """What predicts targets (n, B) less their mean, at each row by a fit without its fold, in closed form.

    With B = (K + ρI)⁻¹, the fit without the rows F predicts c_F − B_FF⁻¹ (B c)_F there, where c are the targets less
    the mean of those that it has seen: one inverse serves all folds and all targets.
    """
    size = len(gram)
    fold, inverse = rng.permutation(size) % FOLDS, kernel_inverse(gram, RIDGE)
    sums = inverse.sum(axis=1)[:, None]
    folds = [np.flatnonzero(fold == at) for at in range(FOLDS)]

    def predict(targets: Array) -> Array:
        total, products = targets.sum(axis=0), inverse @ targets
        predicted = np.empty(targets.shape)
        for rows in folds:
            mean = (total - targets[rows].sum(axis=0)) / (size - len(rows))
            own = np.linalg.solve(inverse[np.ix_(rows, rows)], products[rows] - sums[rows] * mean)
            predicted[rows] = targets[rows] - mean - own
        return predicted

    return predict


def _aucs(predict: Callable[[Array], Array], members: Array) -> Array:
    """The AUC of each column of memberships, predicted out of fold."""
    ranks = average_ranks(predict(members.astype(float)))
    n, size = int(members[:, 0].sum()), len(members)
    return np.asarray(((ranks * members).sum(axis=0) - n * (n + 1) / 2) / (n * (size - n)))


def class_scores(gram: Array, y: Array, n_classes: int, rng: np.random.Generator) -> Array:
    """The score of each class at each row, by a fit that has not seen it; at pool rows by one of the fits, drawn.

    The fit without the labels F has the weights B c − B_·F B_FF⁻¹ (B c)_F, with B and c as in `out_of_fold`.
    """
    n, targets = len(y), np.eye(n_classes)[y]
    fold = np.concatenate([rng.permutation(n) % FOLDS, rng.permutation(len(gram) - n) % FOLDS])
    inverse = kernel_inverse(gram[:n, :n], RIDGE)
    products, sums, total = inverse @ targets, inverse.sum(axis=1)[:, None], targets.sum(axis=0)
    scores = np.zeros((len(gram), n_classes))
    for at in range(FOLDS):
        test = np.flatnonzero(fold == at)
        left_out = test[test < n]
        mean = (total - targets[left_out].sum(axis=0)) / (n - len(left_out))
        weights = products - sums * mean
        weights -= inverse[:, left_out] @ np.linalg.solve(inverse[np.ix_(left_out, left_out)], weights[left_out])
        scores[test] = mean + gram[test, :n] @ weights
    return scores
