"""FL010: columns that identify rows and say nothing else: row numbers, ids, hashes (`foldless.data._id_columns`)."""

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._wording import shown, table_of
from foldless.errors import DropColumns, KeepColumns
from foldless.results.finding import Finding

MOST = 5  # columns with a finding


@check("FL010", "row numbers, ids and hashes", kind="tip")
def id_like(data: CheckedData) -> list[Diagnosis]:
    """Columns that identify rows; files are read without them."""
    table_of(data)
    if not any(isinstance(name, str) for name in data.read):
        raise DoesNotApply("columns have no names")
    diagnoses = []
    for name, verdict in list(data.ids.items())[:MOST]:
        depends_on = ", and labels depend on it" if verdict.related else ""
        problem = f"column {shown(name)} {verdict.why}{depends_on}"
        out = verdict.left_out
        remedy = KeepColumns((str(name),)) if out else DropColumns((str(name),), "if it only identifies the row, ")
        finding = Finding("FL010", problem, columns=[name], remedy=remedy)
        diagnoses.append(Diagnosis(finding, Variant(columns=(name,), words="without it")))
    return diagnoses
