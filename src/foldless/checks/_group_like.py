"""FL008: columns whose values look like groups of rows that belong together (`foldless.data._group_columns`)."""

import pandas as pd

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._wording import shown, table_of
from foldless.errors import SetArgument
from foldless.results.finding import Finding

MOST = 3  # columns with a finding: where more look like groups, labels and pool differ in everything
BY_NAME = "as its name says"
COLUMNS_AT_ONCE = 50  # for which the level below holds, at 10⁻⁴ for each
PROBLEM = "column {name} looks like groups of rows ({values:,} values with {rows:.3g} labeled rows each; {why})"


@check("FL008", "columns that look like groups of rows", kind="issue", level=1e-4 * COLUMNS_AT_ONCE)
def group_like(data: CheckedData) -> list[Diagnosis]:
    """Columns of groups; where only the name says so, it is a tip."""
    labeled = table_of(data)
    if data.sample.groups is not None:
        raise DoesNotApply("groups are given")
    diagnoses = []
    for name, verdict in list(data.group_like.items())[:MOST]:
        problem = PROBLEM.format(name=shown(name), **verdict._asdict())
        finding = Finding("FL008", problem, columns=[name], remedy=SetArgument("groups", name, "keep them together"))
        groups = pd.factorize(labeled[name], use_na_sentinel=False)[0]
        variant = Variant(columns=(name,), together=groups, words="with groups kept together")
        diagnoses.append(Diagnosis(finding, variant, kind="tip" if verdict.why == BY_NAME else None))
    return diagnoses
