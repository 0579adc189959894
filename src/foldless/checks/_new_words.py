"""FL023: words in texts of the pool, or of test rows, that no labeled text has, in more texts than chance allows."""

import re
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._new_categories import UNTOLD
from foldless.checks._tables import some_rows
from foldless.checks._unseen import never_labeled
from foldless.checks._wording import listed, shown
from foldless.results.finding import Finding

LEVEL = 0.001
READ = 5000  # texts of each part that are read
CHARACTERS = 5000  # of a text
WORD = re.compile(r"(?u)\b\w\w+\b")  # as scikit-learn cuts texts
MOST = 5


@check("FL023", "words that the labels never had", kind="tip")
def new_words(data: CheckedData) -> list[Diagnosis]:
    """Frequent words of another part that are in no labeled text."""
    texts = data.of("text")
    if not texts or not data.others:
        raise DoesNotApply("there is no column of texts" if not texts else "there are no rows beside the labels")
    assert data.labeled is not None
    diagnoses = []
    for part, frame in data.others.items():
        for name in (name for name in texts if name in frame):
            known, others = _words(data.labeled[name]), _words(some_rows(frame, READ)[name])
            seen = {word for words in known for word in words}
            counts = Counter(word for words in others for word in words)
            new = [word for word in counts if word not in seen]
            if not new:
                continue
            chance = never_labeled(np.array([counts[word] for word in new]), len(known), len(others)) * len(counts)
            rare = sorted(
                (word for word, p in zip(new, chance, strict=True) if p < LEVEL), key=lambda word: -counts[word]
            )
            if rare:
                said = listed([f"{word!r} ({counts[word]:,})" for word in rare], MOST)
                problem = f"texts of {part} have words that no labeled text has (column {shown(name)}): {said}"
                finding = Finding("FL023", problem, columns=[name], remedy="label some texts with these words")
                diagnoses.append(Diagnosis(finding, untold=UNTOLD))
    return diagnoses


def _words(values: "pd.Series[Any]") -> list[set[str]]:
    texts = some_rows(values.dropna().map(str), READ)
    return [set(WORD.findall(text[:CHARACTERS].lower())) for text in texts]
