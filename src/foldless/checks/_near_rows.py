"""FL005: labeled rows that are nearly equal to another one (`foldless.checks._nearness`)."""

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._equal_texts import text_sets
from foldless.checks._nearness import RARE
from foldless.checks._repeated_rows import copies_found
from foldless.checks._together import spanning


@check("FL005", "labeled rows that are nearly equal to another one", kind="issue", level=RARE)
def near_rows(data: CheckedData) -> list[Diagnosis]:
    """Near copies; those that FL004 and FL009 name are not named again."""
    if data.units.notes:
        raise DoesNotApply(data.units.notes[0])
    known = spanning(data.units.equal, data.sample.groups)
    if (texts := text_sets(data)) is not None:
        known = known | spanning(texts, data.sample.groups)
    problem = "{n:,} of {rows:,} labeled rows are nearly equal to another one"
    return copies_found("FL005", problem, data, data.units.alike, known)
