"""How far people agree about the classes of rows: Krippendorff's α = 1 − D_observed / D_expected, for names of classes.

D_observed is how often two answers about one row differ, D_expected how often two answers about any rows would: α is 1
where all agree, 0 where they agree as often as by chance. Rows may have any number of answers; those with one or none
say nothing. A bootstrap of the rows gives the interval.

References
----------
Krippendorff (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania.
Clopper & Pearson (1934). The use of confidence or fiducial limits illustrated in the case of the binomial. Biometrika.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from foldless.core import Array

RESAMPLES = 2000
BLOCK = 100  # resamples at a time: with 1,000 classes and 10,000 rows this is 8 MB


class AnswerAgreement(NamedTuple):
    """How far answers agree, with an interval, and how many pairs of answers about one row there are."""

    value: float
    lower: float
    upper: float
    n_pairs: int


def krippendorff_alpha(
    answers: Iterable[Sequence[Any]], *, confidence: float = 0.95, seed: int = 0
) -> AnswerAgreement | None:
    """Krippendorff's α of the answers of several people.

    Parameters
    ----------
    answers : rows of one answer for each person
        The name or number of a class; None or NaN where a person has not answered.
    confidence : float
        Of the interval.
    seed : int
        Of the bootstrap.

    Returns
    -------
    AnswerAgreement or None
        None where α is not defined: no row has two answers, or all answers in such rows are the same class.

    Examples
    --------
    >>> agreement = krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["b", None]])
    >>> round(agreement.value, 3), agreement.n_pairs
    (0.444, 3)
    """
    counts = _counts(answers)
    if not len(counts) or (counts.sum(axis=0) > 0).sum() < 2:
        return None
    n_answers = counts.sum(axis=1)
    agreeing = (counts * (counts - 1)).sum(axis=1) / (n_answers - 1)
    once = np.ones((1, len(counts)))
    value = float(_alphas(once, counts, n_answers, agreeing)[0])
    rng, n, tail = np.random.default_rng(seed), len(counts), (1 - confidence) / 2
    resampled = np.concatenate(
        [
            _alphas(rng.multinomial(n, np.full(n, 1 / n), BLOCK).astype(float), counts, n_answers, agreeing)
            for _ in range(RESAMPLES // BLOCK)
        ]
    )
    lower, upper = np.quantile(resampled[~np.isnan(resampled)], [tail, 1 - tail])
    if value == 1:  # no resample differs: where n rows agree, up to 1 − tail^(1/n) of all rows may not
        of_classes, total = counts.sum(axis=0), n_answers.sum()
        differ = (total**2 - np.square(of_classes).sum()) / (total * (total - 1))  # how often two of all answers do
        lower = 1 - (1 - tail ** (1 / n)) / differ
    pairs = int((n_answers * (n_answers - 1)).sum()) // 2
    return AnswerAgreement(value, float(min(lower, value)), float(max(upper, value)), pairs)


def repeat_agreement(pairs: Iterable[tuple[Any, Any]], *, confidence: float = 0.95) -> AnswerAgreement | None:
    """The share of rows that one person gave the same class twice, with Clopper and Pearson's interval.

    No model can agree with a person more often than the person does, so it is a ceiling for an estimate. None without a
    pair.

    Examples
    --------
    >>> agreement = repeat_agreement([("a", "a")] * 19 + [("a", "b")])
    >>> f"{agreement.value:.2f}, {agreement.lower:.2f} to {agreement.upper:.2f}"
    '0.95, 0.75 to 1.00'
    """
    from scipy.special import betaincinv

    same = [first == second for first, second in pairs]
    n, k, tail = len(same), sum(same), (1 - confidence) / 2
    if not n:
        return None
    lower = float(betaincinv(k, n - k + 1, tail)) if k else 0.0
    upper = float(betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0
    return AnswerAgreement(k / n, lower, upper, n)


def _counts(answers: Iterable[Sequence[Any]]) -> Array:
    """How often each class was given to each row that has at least two answers."""
    codes: dict[Any, int] = {}
    # NaN is not itself
    rows = [[answer for answer in row if answer is not None and answer == answer] for row in answers]
    coded = [[codes.setdefault(answer, len(codes)) for answer in row] for row in rows if len(row) > 1]
    counts = [np.bincount(row, minlength=len(codes)) for row in coded]
    return np.array(counts, dtype=float).reshape(len(coded), len(codes))


def _alphas(times: Array, counts: Array, n_answers: Array, agreeing: Array) -> Array:
    """α where each row is there so many times, one line a resample; NaN where all answers are one class."""
    total, of_classes = times @ n_answers, times @ counts
    differing = np.square(total) - np.square(of_classes).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        alphas = 1 - (total - 1) * (total - times @ agreeing) / differing
    return np.where(differing > 0, alphas, np.nan)
