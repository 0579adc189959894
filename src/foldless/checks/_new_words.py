"""FL023: words in texts of the pool, or of test rows, that no labeled text has, in more texts than chance allows."""

import re
from collections import Counter

from foldless.checks._check import Diagnosis, check
from foldless.checks._checked_data import CheckedData
from foldless.checks._new_categories import UNTOLD
from foldless.checks._unseen import columns_of_texts, unexpected
from foldless.checks._wording import listed, shown
from foldless.results.finding import Finding

CHARACTERS = 5000  # of a text
WORD = re.compile(r"(?u)\b\w\w+\b")  # as scikit-learn cuts texts
NAMED = 5


@check("FL023", "words that the labels never had", kind="tip")
def new_words(data: CheckedData) -> list[Diagnosis]:
    diagnoses = []
    for part, name, labeled, others in columns_of_texts(data):
        counts = Counter(word for words in map(_words, others) for word in words)
        seen = {word for text in labeled for word in _words(text)}
        rare = sorted(unexpected(counts, seen, len(labeled), len(others)), key=lambda word: -counts[word])
        if rare:
            said = listed([f"{word!r} ({counts[word]:,})" for word in rare], NAMED)
            problem = f"texts of {part} have words that no labeled text has (column {shown(name)}): {said}"
            finding = Finding("FL023", problem, columns=[name], remedy="label some texts with these words")
            diagnoses.append(Diagnosis(finding, untold=UNTOLD))
    return diagnoses


def _words(text: str) -> set[str]:
    return set(WORD.findall(text[:CHARACTERS].lower()))
