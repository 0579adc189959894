"""The only door for user data: what is labeled, what is the pool, and which rows are for tests.

Features stay what the user passed (array, sparse matrix, pandas or polars frame, list): they are sliced, never
converted, so a candidate sees the type it would see without foldless. Labels become class codes or values; targets that
are `Opaque` are cut by rows, and never read.

What −1 means is decided in `foldless.data._minus_one`.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array, Classes, Opaque, Target, Values
from foldless.data._class_labels import ClassLabels, read_classes
from foldless.data._features import n_rows
from foldless.data._group_columns import group_notes
from foldless.data._id_columns import id_columns, id_findings
from foldless.data._label_spelling import near_equal, spelling_findings
from foldless.data._metadata import Metadata
from foldless.data._minus_one import ASSUMED, marks_pool
from foldless.data._parts import Parts, RowsForTests, checked_groups, checked_pool, checked_test
from foldless.data._sample import Sample
from foldless.data._single_precision import checked_features
from foldless.data._stored_pool import StoredPool
from foldless.data._targets import plain_label
from foldless.data._value_labels import ValueLabels, read_values
from foldless.data.pools import opened_pool
from foldless.errors import BadInput, SetArgument
from foldless.results.finding import Finding

NO_METADATA = Metadata()


def open_sample(
    X: Any,
    y: Any,
    X_unlabeled: Any = None,
    *,
    kind: type[Target] = Classes,
    X_test: Any = None,
    y_test: Any = None,
    groups: Any = None,
    metadata: Metadata = NO_METADATA,
    unlabeled: Any = ASSUMED,
    random_state: Any = None,
) -> Sample:
    """Check what the user passed, and number its rows.

    ``kind`` says what labels are to be read as. ``unlabeled`` is the label of rows without one: −1, or None where −1
    is a class; if that is assumed, with a warning. ``random_state`` is the seed of the sample of a pool that stays in
    its files.
    """
    if kind is Opaque and metadata.draws is not None and any(values is not None for values in metadata.draws):
        raise BadInput("label_probabilities are those of single labels, which y does not hold: leave them out")
    if kind is Opaque and X_test is not None:
        raise BadInput("X_test is measured by single labels, which y does not hold: call score(X_test, y_test) instead")
    metadata = metadata.checked(X)
    pool, about_pool = opened_pool(X_unlabeled, X, random_state)
    if kind is Opaque:
        return replace(_opaque(X, y, groups, metadata), notes=about_pool)
    marked = kind is Classes and marks_pool(X_unlabeled, unlabeled)
    X = checked_features(X, "X")
    labels: ClassLabels | ValueLabels
    if kind is Values:
        labels = read_values(y, n_rows(X))
    else:
        labels = read_classes(y, n_rows(X), marked=marked, unlabeled=unlabeled)
    groups = checked_groups(groups, n_rows(X))
    numbers = np.arange(n_rows(X))
    parts = labels.sort(Parts(X, labels.y, metadata, groups, *checked_pool(X, groups, pool), numbers=numbers))
    target = labels.target(parts)
    if kind is Classes and isinstance(target, Classes) and len(target.classes) < 2:
        problem = f"y holds one class only, {plain_label(target.classes[0])!r}"
        raise BadInput(problem, place="y", remedy="pass labeled rows of at least two classes")
    test = checked_test(parts.X, X_test, y_test)
    tested = RowsForTests() if test is None else labels.test(test, y_test, target)
    pool_rows = None if parts.pool is None else parts.pool.sample
    about_columns = _findings(parts.X, target, pool_rows, parts.groups)
    return Sample(
        parts.X, target, pool_rows, tested.X, tested.y, parts.groups,
        parts.pool_groups, parts.metadata, parts.pool if isinstance(parts.pool, StoredPool) else None,
        (*parts.notes, *tested.notes, *about_pool, *about_columns), labels.replicated, parts.numbers,
        parts.joined,
    )  # fmt: skip


def _opaque(X: Any, y: Any, groups: Any, metadata: Metadata) -> Sample:
    """Rows whose targets are no single labels: none at all, or anything that has rows."""
    X = checked_features(X, "X")
    n = n_rows(X)
    if not n:
        raise BadInput("X has no rows (0 samples): pass at least two")
    for name, values in (("y", y), ("groups", groups)):
        if values is not None and n_rows(values) != n:
            raise BadInput(f"X has {n} rows and {name} has {n_rows(values)}: they must be of equal length")
    return Sample(X, Opaque.of(y, n), groups=None if groups is None else np.asarray(groups), metadata=metadata)


def _findings(X: Any, target: Target, pool: Any, groups: Array | None) -> tuple[Finding, ...]:
    """Findings about the labels, and about the columns of a data frame with names; files have options for them."""
    findings: list[Finding] = []
    if isinstance(target, Classes):
        counts = dict(zip(target.classes.tolist(), np.bincount(target.y).tolist(), strict=True))
        findings += spelling_findings(near_equal(counts), None, remedy="spell them one way")
    if not isinstance(X, pd.DataFrame) or not X.columns.is_unique or X.columns.inferred_type != "string":
        return tuple(findings)
    tables = [X, pool] if isinstance(pool, pd.DataFrame) and pool.columns.is_unique and len(pool) else [X]
    labeled = np.arange(len(X))
    ids = id_columns(tables, labeled, target.y) if X.shape[1] > 1 else {}
    findings += id_findings(ids, left_out=False)
    if groups is None:
        others = [name for name in X.columns if name not in ids]
        remedy = SetArgument("groups", to="keep them together")
        findings += group_notes(tables, labeled, target.y, others, lambda _: remedy)
    return tuple(findings)
