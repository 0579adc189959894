"""Merge two versions of a journal: what this process wrote, and what another program has put into the file.

Nothing that is in the file is changed: the answer is what to append. Lines of this process that the other program never
saw, or removed, are appended again. A line that the other program changed counts as it is in the file. Where the two
have different answers for a row, the row becomes disputed: the other program's answer is appended once more under a
name of its own.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from foldless.app._row_answers import RowAnswers
from foldless.app.app_setup import ELSEWHERE

Entry = dict[str, Any]
VALUES = ("label", "skip", "state", "note")  # what an editor changes of an entry; the rest says which entry it is


def merge(
    known: Sequence[bytes], there: Sequence[bytes], parsed: Callable[[bytes], Entry]
) -> tuple[list[bytes], list[bytes], list[Entry]]:
    """Lines to append where ``known`` was written and ``there`` is found, lines that were changed, rows in conflict.

    Lines end with a newline, and do not include the header.

    >>> import json
    >>> ours, theirs = [b'{"row":1,"label":"a"}', b'{"row":2,"label":"b"}'], [b'{"row":1,"label":"c"}']
    >>> missing, changed, _ = merge(ours, theirs, json.loads)
    >>> missing, changed  # row 2 was not seen, row 1 was changed
    ([b'{"row":2,"label":"b"}'], [b'{"row":1,"label":"a"}'])
    """
    in_file, in_mind = Counter(there), Counter(known)
    added = list((in_file - in_mind).elements())
    left = in_mind - in_file
    if not left:
        return [], [], []
    lost = []
    for at in reversed(range(len(known))):  # of equal lines the last ones were not seen
        if left[known[at]] > 0:
            left[known[at]] -= 1
            lost.append(at)
    identities = Counter(_identity(parsed(line)) for line in added)
    missing, changed = [], []
    for at in reversed(lost):
        entry = parsed(known[at])
        identity = _identity(entry)
        is_same_place = at < len(there) and _identity(parsed(there[at])) == identity
        if identities[identity] > 0 and ("at" in entry or is_same_place):
            identities[identity] -= 1
            changed.append(known[at])
        else:
            missing.append(known[at])
    return missing, changed, _conflicts(known, there, missing, added, parsed)


def _identity(entry: Entry) -> str:
    return repr(sorted((key, value) for key, value in entry.items() if key not in VALUES))


def _conflicts(
    known: Sequence[bytes], there: Sequence[bytes], missing: Sequence[bytes], added: Sequence[bytes], parsed: Any
) -> list[Entry]:
    """What the other side says of rows of which this one says something else."""
    rows = {parsed(line).get("row") for line in missing} & {parsed(line).get("row") for line in added} - {None}
    if not rows:
        return []
    ours, theirs = RowAnswers(), RowAnswers()
    for answers, lines in ((ours, known), (theirs, there)):
        for line in lines:
            answers.apply(parsed(line))
    conflicts: list[Entry] = []
    for row in sorted(rows):
        value = theirs.value(row)
        if value is not None and value != ours.value(row):
            conflicts.append({"row": row, **value, "by": ELSEWHERE})
    return conflicts
