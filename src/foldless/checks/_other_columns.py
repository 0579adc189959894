"""FL025: columns that a part lacks, has beside those of the labels, or has with values of another type."""

from typing import Any

from foldless.checks._check import Diagnosis, DoesNotApply, Kind, check
from foldless.checks._checked_data import CheckedData, types_apart
from foldless.checks._wording import columns_named, shown, table_of
from foldless.errors import DropColumns
from foldless.results.finding import Finding

UNTOLD = "no model reads such a column in both"


@check("FL025", "columns that are missing or of another type in one file", kind="issue")
def other_columns(data: CheckedData) -> list[Diagnosis]:
    labeled = table_of(data)
    if not data.parts:
        raise DoesNotApply("there are no rows beside the labels")
    diagnoses = []
    for part, frame in data.parts.items():
        lacks = [name for name in labeled.columns if name not in frame]
        extra = [name for name in frame.columns if name not in labeled]
        sides: list[tuple[list[Any], str, str, Kind]] = [
            (lacks, data.names.labeled, part, "issue"),
            (extra, part, data.names.labeled, "tip"),  # no model would have read what the labels lack
        ]
        for names, has, has_not, kind in sides:
            if names:
                is_ = "is" if len(names) == 1 else "are"
                problem = f"{columns_named(names)} of {has} {is_} not in {has_not}"
                remedy = (f"add {'it' if len(names) == 1 else 'them'}", DropColumns(tuple(map(str, names))))
                finding = Finding("FL025", problem, columns=names, remedy=remedy)
                diagnoses.append(Diagnosis(finding, untold=UNTOLD, kind=kind))
        for name in data.read:
            if name in frame and (types := types_apart(labeled[name], frame[name])):
                problem = f"column {shown(name)} holds {types[0]} in {data.names.labeled} and {types[1]} in {part}"
                remedy = ("give it the same type in both", DropColumns((str(name),)))
                diagnoses.append(Diagnosis(Finding("FL025", problem, columns=[name], remedy=remedy), untold=UNTOLD))
    return diagnoses
