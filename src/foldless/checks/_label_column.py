"""FL011 in every call: the label itself among the columns of X, where it was left by mistake.

It is all that a model needs, and no new row has it. Columns that are nearly as good are for `foldless.check`.
"""

import numpy as np
from scipy import sparse

from foldless.core import Opaque
from foldless.data._features import n_rows, take
from foldless.data._sample import Sample
from foldless.results.finding import Finding

FEWEST = 20  # labels, below which a column of two values may be equal to them by chance
EQUAL = "{name!r} has the value of the label in all {rows:,} labeled rows"
LEAVE_OUT = "train without this column"


def label_columns(sample: Sample) -> list[Finding]:
    """Columns of X that are equal to the labels, value for value."""
    X, target = sample.labeled, sample.target
    if isinstance(target, Opaque) or sample.replicated or sparse.issparse(X) or n_rows(X) < FEWEST:
        return []
    labels = np.asarray(sample.y if not len(sample.classes) else sample.classes[sample.y], dtype=object)
    others = np.flatnonzero(labels != labels[0])
    if labels.ndim != 1 or not len(others):
        return []
    probed = np.array([0, others[0]])
    values = np.asarray(take(X, probed), dtype=object)
    if values.ndim != 2:
        return []
    at = np.flatnonzero((values == labels[probed, None]).all(axis=0))
    names = getattr(X, "columns", range(values.shape[1]))
    return [
        Finding("FL011", EQUAL.format(name=names[i], rows=len(labels)), columns=[names[i]], remedy=LEAVE_OUT)
        for i in at.tolist()
        if bool((np.asarray(X.iloc[:, i] if hasattr(X, "iloc") else X[:, i], dtype=object) == labels).all())
    ]
