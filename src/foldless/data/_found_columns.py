"""What data frames have beside features, said and not changed: ids, groups, and classes that are spelled twice."""

from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array, Classes, Target
from foldless.data._group_columns import group_notes
from foldless.data._id_columns import id_columns, id_findings
from foldless.data._label_spelling import near_equal, spelling_findings
from foldless.errors import SetArgument
from foldless.results.finding import Finding


def found_in_frames(X: Any, target: Target, pool: Any, groups: Array | None) -> tuple[Finding, ...]:
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
