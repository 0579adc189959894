"""FL012: labels that a model is sure are others: more of them than its out-of-fold probabilities allow.

With p(y | x) out of fold, of one temperature, the number of rows whose label has a probability of at most t should be

    Σ_i Σ_k p_ik 1[p_ik ≤ t]

More of them, by a Poisson tail, are labels to look at first. It is a tip: a class that is truly mixed up with another
one where the model does not see it looks the same.

References
----------
Northcutt, Jiang & Chuang (2021). Confident learning: estimating uncertainty in dataset labels. JAIR 70.
"""

import numpy as np
from scipy import stats

from foldless.accuracy._temperature import probabilities, temperature
from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._variant import Variant
from foldless.checks._wording import of_classes
from foldless.results.finding import Finding

UNLIKELY = 0.02  # a label of lower probability is unlikely: few are to be expected
WIDER = 2.0  # times as many as expected may come from probabilities that are not quite right
LEVEL = 0.001
LEAST = 1e-6  # of a probability


@check("FL012", "labels that are probably wrong", kind="tip", fast=False)
def label_errors(data: CheckedData) -> list[Diagnosis]:
    """Rows whose label a model that has not seen them finds very unlikely."""
    of_classes(data)
    answers = None if data.fits is None else data.fits.answers()
    if answers is None:
        raise DoesNotApply("there was no time for out-of-fold answers")
    scores = np.log(np.maximum(answers.probabilities, LEAST))
    p = probabilities(scores, temperature(scores.copy(), answers.codes)) if scores.shape[1] > 2 else None
    if p is None:  # of two classes, one number for each row
        half = (scores[:, 1] - scores[:, 0]) / 2
        both = np.c_[-half, half]
        p = probabilities(half, temperature(both.copy(), answers.codes))
    of_label = p[np.arange(len(p)), answers.codes]
    unlikely = of_label <= UNLIKELY
    expected = WIDER * float(p[p <= UNLIKELY].sum())
    n = int(unlikely.sum())
    if n < 2 or stats.poisson.sf(n - 1, expected) >= LEVEL:
        return []
    order = np.flatnonzero(unlikely)[np.argsort(of_label[unlikely], kind="stable")]
    rows = answers.rows[order]
    problem = f"{n:,} labels are probably wrong, where about {expected / WIDER:.0f} so unlikely ones are expected"
    named = data.numbers(rows)
    remedy = "look at these rows first, as in foldless app; correct their labels"
    return [Diagnosis(Finding("FL012", problem, rows=named, remedy=remedy), Variant(rows=rows))]
