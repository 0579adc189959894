"""FL009: labeled rows whose texts are equal but for case, spaces, punctuation and Unicode form.

Texts are brought into one form, and equal rows are judged as FL004 judges them: short values of a few categories are
equal by chance.
"""

import numpy as np

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._coincidence import RARE
from foldless.checks._copies import copies
from foldless.checks._repeated_rows import copies_found
from foldless.checks._tables import are_texts, plain_text
from foldless.checks._together import spanning
from foldless.core import Array
from foldless.data._overlap import hashes


@check("FL009", "texts that are equal but for case, punctuation and Unicode form", kind="issue", level=RARE)
def equal_texts(data: CheckedData) -> list[Diagnosis]:
    sets = text_sets(data)
    if sets is None:
        raise DoesNotApply("there is no column of texts")
    problem = "{n:,} of {rows:,} labeled rows are equal but for case, spaces and punctuation of texts"
    return copies_found("FL009", problem, data, sets, spanning(data.units.equal, data.sample.groups))


def text_sets(data: CheckedData) -> Array | None:
    """A number for each labeled row, equal for rows that are copies once texts are in one form; None without texts."""
    if data.labeled is None:
        return None
    frame = data.labeled[[name for name in data.labeled if name not in data.ids]].copy()
    texts = [name for name in data.of("text", "categorical") if name in frame and are_texts(frame[name])]
    if not texts:
        return None
    for name in texts:
        frame[name] = frame[name].fillna("").astype(str).map(plain_text).astype(object)
    rows = frame[texts[0]].tolist() if frame.shape[1] == 1 else frame
    return np.asarray(copies(rows, hashes(rows)))
