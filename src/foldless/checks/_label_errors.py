"""FL012: labels that are probably wrong: a share of random labels explains them better than none.

Two tests share the level (`foldless.checks._random_labels`): by the out-of-fold probabilities of cheap models, which
see what is not linear, and by linear scores, for which the law of the test is drawn for each file. Rows whose label is
random with a probability above one half are the ones to look at first. Confident learning counts rows whose other class
is more probable than that class usually is; it counts some wherever classes overlap, and has no level. It is a tip: a
class that is truly mixed up with another one, where no column shows it, looks the same.

References
----------
Northcutt, Jiang & Chuang (2021). Confident learning: estimating uncertainty in dataset labels. JAIR 70.
"""

import numpy as np

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._random_labels import contradicted_labels, random_labels
from foldless.checks._rare_classes import FEWEST as FEWEST_OF_CLASS
from foldless.checks._variant import Variant
from foldless.checks._wording import of_classes
from foldless.core import Array
from foldless.data._features import take
from foldless.results.finding import Finding

LEVEL = 0.025  # of clean files with this tip
FEWEST = 2  # labels: one may be anything
NO_TIME = "there was no time for out-of-fold answers"


@check("FL012", "labels that are probably wrong", kind="tip", fast=False)
def label_errors(data: CheckedData) -> list[Diagnosis]:
    """Rows whose label is very unlikely by the labels of all others."""
    of_classes(data)
    if data.fits is None:
        raise DoesNotApply(NO_TIME)
    answers, blended, features = data.fits.answers(), data.fits.blended(), data.fits.features()
    if answers is None or blended is None or features is None:
        raise DoesNotApply(NO_TIME)
    tested = _tested(answers.codes, data.units.alike[answers.rows])
    n = len(tested)
    if len(np.unique(answers.codes[tested])) < 2:
        raise DoesNotApply(f"fewer than two classes have {FEWEST_OF_CLASS} labels")
    codes = answers.codes[tested]
    tests = [
        contradicted_labels(blended[tested], codes),
        random_labels(take(features, tested), codes, np.random.default_rng(0)),
    ]
    chance, _, share, wrong = min(tests, key=lambda test: test.chance)
    rows = np.flatnonzero(wrong > 0.5)
    if len(rows) < FEWEST or chance * len(tests) >= LEVEL:
        return []
    first = answers.rows[tested][rows[np.argsort(-wrong[rows], kind="stable")]]
    problem = (
        f"about {share * n:.0f} of {n:,} labels are probably wrong, {len(rows):,} of them in rows that can be named"
    )
    remedy = "look at these rows first, as in foldless app; correct their labels"
    return [Diagnosis(Finding("FL012", problem, rows=data.numbers(first), remedy=remedy), Variant(rows=first))]


def _tested(codes: Array, units: Array) -> Array:
    """Positions of the labels that are tested: of copies one, as it says the label of the others, and no rare class."""
    first = np.sort(np.unique(units, return_index=True)[1])
    return np.asarray(first[np.bincount(codes[first])[codes[first]] >= FEWEST_OF_CLASS])
