"""FL012: labels that are probably wrong: out of fold, a share ε of random labels explains them better than none.

With out-of-fold scores s, the logarithms of the mean probabilities of two models, and one temperature T,
p = softmax(s / T), labels are taken as

    P(y = k | x) = (1 − ε) p_k + ε (1 − p_k) / (K − 1)

and ε = 0 is compared with the best ε by the ratio of their likelihoods. Heavy tails that the models cannot express look
like ε too, and with enough rows they become significant: so the ratio counts at most COUNTED rows. Rows whose label
comes from ε with a probability above one half are the ones to look at first. Confident learning counts rows whose other
class is more probable than that class usually is: it finds some wherever classes overlap, and has no level. The check
is a tip, because classes that truly overlap where the model does not see it look the same.

References
----------
Northcutt, Jiang & Chuang (2021). Confident learning: estimating uncertainty in dataset labels. JAIR 70.
"""

import numpy as np
from scipy import stats
from scipy.special import softmax

from foldless.accuracy._difference import INFLATED
from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._rare_classes import FEWEST as FEWEST_OF_CLASS
from foldless.checks._wording import held_out, of_classes
from foldless.core import Array
from foldless.results.finding import Finding

LEVEL = 0.05  # of clean files with this tip; the share of one in twenty for issues does not count tips
LEAST = 1e-9  # of a probability, as a linear model may be too sure
TINY = np.finfo(float).tiny
TEMPERATURES = np.geomspace(0.2, 20, 25)
SHARES = np.array([0.0, 0.005, 0.01, 0.02, 0.03, 0.045, 0.07, 0.1, 0.14, 0.19, 0.25])
FEWEST = 2  # labels: one may be anything
COUNTED = 400  # rows: of 16 clean normal files of 2,000 rows, ten had this tip (docs/check.md)


@check("FL012", "labels that are probably wrong", kind="tip", fast=False)
def label_errors(data: CheckedData) -> list[Diagnosis]:
    of_classes(data)
    answers = held_out(data)
    blended = answers.probabilities if data.fits is None or (mean := data.fits.blended()) is None else mean
    seen = np.bincount(answers.codes)[answers.codes] >= FEWEST_OF_CLASS
    ratio, share, wrong = random_labels(blended[seen], answers.codes[seen])
    n, rows = int(seen.sum()), np.flatnonzero(wrong > 0.5)
    ratio *= min(1.0, COUNTED / max(1, n)) / INFLATED
    if len(rows) < FEWEST or stats.chi2.sf(ratio, 1) / 2 >= LEVEL:
        return []
    first = answers.rows[seen][rows[np.argsort(-wrong[rows], kind="stable")]]
    problem = (
        f"about {share * n:.0f} of {n:,} labels are probably wrong, {len(rows):,} of them in rows that can be named"
    )
    remedy = "look at these rows first, as in foldless app; correct their labels"
    variant = Variant(rows=first, words="without them, if they are wrong")  # a model is better without its errors
    return [Diagnosis(Finding("FL012", problem, rows=data.numbers(first), remedy=remedy), variant)]


def random_labels(probabilities: Array, codes: Array) -> tuple[float, float, Array]:
    """Twice the logarithm of the ratio of likelihoods, the best share ε, and for each label how likely it is random.

    Examples
    --------
    >>> p = np.tile([[0.99, 0.01]], (100, 1))
    >>> ratio, share, wrong = random_labels(p, (np.arange(100) < 10).astype(int))
    >>> bool(ratio < 1)  # all rows look alike: the classes may be mixed
    True
    """
    scores = np.log(np.maximum(probabilities, LEAST))
    n_classes, rows = scores.shape[1], np.arange(len(codes))
    best, none = (-np.inf, 0.0, np.zeros(len(codes))), -np.inf
    for t in TEMPERATURES:
        p = softmax(scores / t, axis=1)[rows, codes][:, None]
        by_chance = SHARES * (1 - p) / max(1, n_classes - 1)
        likelihoods = (1 - SHARES) * p + by_chance
        logs = np.log(np.maximum(likelihoods, TINY)).sum(axis=0)
        none = max(none, float(logs[0]))
        at = int(logs.argmax())
        if logs[at] > best[0]:
            best = float(logs[at]), float(SHARES[at]), by_chance[:, at] / np.maximum(likelihoods[:, at], TINY)
    return 2 * (best[0] - none), best[1], best[2]
