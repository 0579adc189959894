"""Labels that models which were not trained on them find unlikely: those to look at again first."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from foldless.data._features import take
from foldless.selection._cheap_fits import CheapFits

MAX_TWO_MODELS = 1000  # labels above which one cheap model answers instead of two


class LabelDoubt(NamedTuple):
    """How models judge a label that they were not trained on: the class they predict, and how likely the label is."""

    row: int
    predicted: Any
    probability: float


def unlikely_labels(
    X: Any, y: Any, *, groups: Any = None, seconds: float = math.inf, random_state: int = 0
) -> Sequence[LabelDoubt]:
    """How likely two cheap models find each label, out of fold; the least likely label comes first.

    Parameters
    ----------
    X, y : rows and their labels; where a row has several, as a tuple, they are as likely as one of them is
    groups : array, optional
        Rows of a group are left out of a fit together.
    seconds : float
        What is not answered by then is left out.
    random_state : int
        The seed of the folds.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.labeling import unlikely_labels
    >>> X = np.arange(60.0)[:, None]
    >>> y = np.where(X[:, 0] < 30, "low", "high")
    >>> y[5] = "high"
    >>> first = unlikely_labels(X, y)[0]
    >>> first.row, str(first.predicted)
    (5, 'low')
    """
    sets = [label if isinstance(label, tuple | list) else (label,) for label in y]
    rows = np.repeat(np.arange(len(sets)), [len(labels) for labels in sets])
    classes, codes = np.unique([label for labels in sets for label in labels], return_inverse=True)
    if len(rows) > len(sets):  # a copy of a row for each of its labels
        X, groups = take(X, rows), rows if groups is None else np.asarray(groups)[rows]
    many = len(codes) > MAX_TWO_MODELS
    fits = CheapFits(X, codes, len(classes), groups=groups, seed=random_state, seconds=seconds, fast=many)
    answers = fits.answers()
    if answers is None:
        return []
    shares = answers.probabilities
    doubts: dict[int, LabelDoubt] = {}
    for place, (copy, at) in enumerate(zip(answers.rows, shares.argmax(axis=1), strict=True)):
        row = int(rows[copy])
        of_row = codes[np.searchsorted(rows, row) : np.searchsorted(rows, row, side="right")]
        doubts.setdefault(row, LabelDoubt(row, classes[at], min(1.0, float(shares[place, of_row].sum()))))
    return sorted(doubts.values(), key=lambda doubt: doubt.probability)
