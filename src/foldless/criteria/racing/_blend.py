"""What ranks a candidate beside its score: the weights of ``auto``, in one place.

    blend = score + se · (w · shares − 2 · missing + 4 · consensus + 1.5 · training)

*score* is that of the rows left out and se its standard error. The other parts are numbers between 0 and 1:

shares : what the class shares of the pool allow, Σ min(p, q); its weight is earned in the task at hand,
    w = 1.5 · clip(½ + ρ, 0, 1), where ρ is its rank correlation with the scores over the candidates. A good classifier
    of noisy classes names the frequent one more often than it occurs; there ρ is negative, and so w falls to 0
missing : the share of the labels in classes that the candidate hardly ever names
consensus : how far the other candidates, weighted by their own blend, agree with its labels on the pool
training : the accuracy on the rows it was trained on, as in the .632 bootstrap

They count as much as the labels are uncertain: se falls with √n, and with it their weight.

The weights come from a study of regret: 46 data sets (a third of them noisy or unbalanced), 20, 60 and 200 labels, nine
families of candidates. Regret is flat in them: halving or doubling any one moves it by a fiftieth, less than its
standard error of a twentieth. ``benchmarks/league/run.py`` judges the result on other draws and on more data sets.

Of values

    blend = score + 3 · se · consensus

where *score* is R², and *consensus* is 1 − (f − f̄)² / σ², the mean over pool rows, with f̄ the mean of the other
candidates weighted by exp(score / se) and σ² the variance of y. The weight 3 was set on the half "tune" of
``benchmarks/league/regression.py``, where regret is flat between 1 and 6.

Where the metric reads scores or probabilities, the score alone ranks: with rare positives the best ranking may never
name them.
"""

import numpy as np

from foldless.accuracy._distributions import average_ranks
from foldless.core import Array, Task
from foldless.judging._judge import Reads
from foldless.judging._left_out import ComparedScores

SHARES, MISSING, CONSENSUS, TRAINING = 1.5, 2.0, 4.0, 1.5
VALUES_CONSENSUS = 3.0
WORST = -1.0  # R² below which a candidate is just bad: one row far off must not decide more than that
RARE, MIN_EXPECTED = 0.2, 5  # a class is missing where it has RARE of its share, if MIN_EXPECTED rows are expected


Parts = dict[str, Array]  # "blend", which ranks the candidates, and what it is made of


def blend(task: Task, reads: Reads, standing: ComparedScores, training: Array, pool: Array | None) -> Parts:
    """Blend scores with the score on training rows and, where there is one, with answers about the pool.

    ``reads`` is what the metric reads of an answer; ``pool`` holds answers by candidate, resample and row.
    """
    if reads == "values":
        return blend_values(standing, training, pool, float(np.var(task.y)) or 1.0)
    if reads in ("accuracy", "labels"):
        return blend_labels(standing, training, pool, task.class_shares())
    return {"score": standing.scores, "training": training, "blend": standing.scores}


def blend_labels(standing: ComparedScores, training: Array, pool: Array | None, shares: Array) -> Parts:
    """The blend of class codes; ``shares`` are the class shares of the labels."""
    scores = standing.scores
    parts, others = {"score": scores, "training": training}, TRAINING * training
    if pool is not None:
        counted = np.array([np.bincount(labels[labels >= 0], minlength=len(shares)) / labels.size for labels in pool])
        parts["shares"] = np.minimum(counted, shares).sum(axis=1)
        expected = shares * pool.shape[2] >= MIN_EXPECTED
        parts["missing"] = ((counted < RARE * shares) & expected) @ shares
        others = others + earned_weight(parts["shares"], scores) * parts["shares"] - MISSING * parts["missing"]
        so_far = scores / standing.error + others
        parts["consensus"] = agreement(pool, np.exp(so_far - so_far.max()), len(shares))
        others = others + CONSENSUS * parts["consensus"]
    return parts | {"blend": np.asarray(scores + standing.error * others)}


def blend_values(standing: ComparedScores, training: Array, pool: Array | None, spread: float) -> Parts:
    """The blend of values; ``spread`` is the variance of y."""
    scores, parts, values = standing.scores, {"score": standing.scores, "training": training}, standing.scores
    if pool is not None:
        weights = np.exp((scores - scores.max()) / standing.error)
        parts["consensus"] = nearness(pool, weights, spread)
        values = scores + standing.error * VALUES_CONSENSUS * np.maximum(parts["consensus"], WORST)
    return parts | {"blend": values}


def earned_weight(shares: Array, scores: Array) -> float:
    """The weight of the class shares: full where they rank the candidates as the labels do, none where against them."""
    if np.ptp(shares) == 0 or np.ptp(scores) == 0:
        return SHARES / 2
    correlation = np.corrcoef(average_ranks(shares), average_ranks(scores))[0, 1]
    return float(SHARES * np.clip(0.5 + correlation, 0, 1))


def agreement(labels: Array, weights: Array, n_classes: int) -> Array:
    """How much of the weight agrees with a candidate's labels, over rows and resamples.

    ``labels`` holds codes by candidate, resample and row; −1 agrees with nobody.
    """
    n, resamples, rows = labels.shape
    total, cells = np.zeros(n), np.arange(rows) * n_classes
    for r in range(resamples):
        named = [(cells + cell)[cell >= 0] for cell in labels[:, r].astype(np.int64)]
        votes = np.zeros(rows * n_classes)
        for cell, weight in zip(named, weights, strict=True):
            votes[cell] += weight
        total += [votes[cell].sum() for cell in named]
    return np.asarray(total / (weights.sum() * resamples * rows))


def nearness(pool: Array, weights: Array, spread: float) -> Array:
    """How near the values of each candidate are to the weighted mean of the others, over rows and resamples."""
    total, weighted = weights.sum(), np.tensordot(weights, pool, axes=1)
    near = np.ones(len(pool))
    for at, values in enumerate(pool):
        if (rest := total - weights[at]) > 0:
            near[at] = 1 - np.mean(np.square(values - (weighted - weights[at] * values) / rest)) / spread
    return near
