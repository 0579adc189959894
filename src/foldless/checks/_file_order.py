"""FL015: an order of the rows that is not random: sorted by class or by time, or neighbors that are alike.

Neighbors of one class are counted against permutations, by their exact mean and variance; for numbers the rank
correlation of neighbors is normal with variance 1 / n, of ranks less the mean of their class where classes are
neighbors. The corrected level counts all columns. Where folds are random,
rows that are alike because they are neighbors are in training and test: the estimate is made once more with blocks of
neighbors kept together.
"""

import numpy as np
from scipy import stats

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._wording import shown
from foldless.core import Array
from foldless.errors import SetArgument
from foldless.results.finding import Finding

LEVEL = 0.001
FEWEST = 20
BLOCK = 10  # neighbors that are kept together


@check("FL015", "rows in an order that is not random", kind="tip")
def file_order(data: CheckedData) -> list[Diagnosis]:
    if data.n < FEWEST:
        raise DoesNotApply(f"there are fewer than {FEWEST} labels")
    columns = {name: values for name, values in data.numeric.items() if name not in data.ids}
    level = LEVEL / (1 + len(columns))
    diagnoses = []
    if data.codes is not None and _neighbors_alike(data.codes) < level:
        changes = int(np.count_nonzero(np.diff(data.codes)))
        whole = changes == len(np.unique(data.codes)) - 1
        what = "rows are sorted by class" if whole else "rows of one class are neighbors more often than chance allows"
        finding = Finding("FL015", what, remedy="shuffle the rows before you split them by position")
        diagnoses.append(Diagnosis(finding, untold="folds are drawn at random, and do not depend on the order"))
    blocks = Variant(together=np.arange(data.n) // BLOCK, words="with neighbors kept together")
    within = np.zeros(data.n, dtype=int) if not diagnoses or data.codes is None else data.codes
    chances = {name: _follows(values, within) for name, values in columns.items()}
    following = sorted((name for name in chances if chances[name] < level), key=lambda name: chances[name])
    if following:
        name = following[0]
        known = columns[name][np.isfinite(columns[name])]
        is_sorted = bool((np.diff(known) >= 0).all() or (np.diff(known) <= 0).all())
        how = "rows are sorted by" if is_sorted else "neighbors in the file are alike in"
        more = f" and {len(following) - 1} more" if len(following) > 1 else ""
        problem = f"{how} column {shown(name)}{more}"
        remedy = SetArgument("groups", to="if neighbors belong together, keep them together")
        diagnoses.append(Diagnosis(Finding("FL015", problem, columns=following, remedy=remedy), blocks))
    return diagnoses


def _neighbors_alike(codes: Array) -> float:
    """How probable it is that so many neighbors are of one class, if the order is random."""
    n, counts = len(codes), np.bincount(codes).astype(float)
    same = float(np.count_nonzero(codes[1:] == codes[:-1]))
    pairs = counts * (counts - 1)
    mean = pairs.sum() / n
    # the variance of the number of equal neighbors in a random order of given counts (Wald and Wolfowitz, K classes)
    triples = (pairs * (counts - 2)).sum()
    both = pairs.sum() ** 2 - 4 * triples - 2 * pairs.sum()
    second = mean + 2 * triples / (n * (n - 1)) + both / (n * (n - 1))
    variance = max(second - mean**2, 1e-9)
    return float(stats.norm.sf((same - mean - 0.5) / np.sqrt(variance)))


def _follows(values: Array, within: Array) -> float:
    """How probable such a rank correlation of neighbors is in a random order, beside that of the classes."""
    there = np.isfinite(values)
    known, of_class = values[there], within[there]
    n = len(known)
    if n < FEWEST or len(np.unique(known)) < 3:
        return 1.0
    ranks = stats.rankdata(known)
    ranks -= (np.bincount(of_class, ranks) / np.maximum(1, np.bincount(of_class)))[of_class]
    correlation = float((ranks[1:] * ranks[:-1]).sum() / (ranks * ranks).sum())
    return float(2 * stats.norm.sf(abs(correlation + 1 / n) * np.sqrt(n)))
