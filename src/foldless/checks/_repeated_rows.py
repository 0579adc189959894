"""FL004: labeled rows that appear more than once, beyond what chance explains (`foldless.checks._coincidence`)."""

import numpy as np

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._coincidence import RARE
from foldless.checks._together import joined, spanning
from foldless.core import Array
from foldless.results.finding import Finding

TOGETHER = "kept together in every fold; keep one of each if they are one observation"


@check("FL004", "labeled rows that appear more than once", kind="issue", level=RARE)
def repeated_rows(data: CheckedData) -> list[Diagnosis]:
    """Copies among the labeled rows; those of one group of the user are no surprise."""
    return copies_found("FL004", "{n:,} of {rows:,} labeled rows appear more than once", data, data.units.equal)


def copies_found(
    code: str, problem: str, data: CheckedData, sets: Array, known: Array | None = None
) -> list[Diagnosis]:
    """A finding about rows of which several are in one set, but for those that are ``known`` already."""
    rows = spanning(sets, data.sample.groups)
    if known is not None:
        rows = rows & ~known
    if not rows.any():
        return []
    first = np.zeros(len(sets), dtype=bool)
    first[np.unique(sets, return_index=True)[1]] = True
    at = data.numbers(np.flatnonzero(rows))
    finding = Finding(code, problem.format(n=int(rows.sum()), rows=data.n), rows=np.unique(at), remedy=TOGETHER)
    left_out, units = np.flatnonzero(rows & ~first), joined(sets, data.sample.groups)
    return [Diagnosis(finding, Variant(rows=left_out, units=units, words="with one of each"))]
