"""Classes whose names differ by case and spaces only: ``stays`` and ``STAYS `` are probably one class."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from unicodedata import normalize

from foldless.errors import Way
from foldless.results.finding import Finding

MAX_NAMED = 3  # groups of names in one sentence


def spelling_key(label: str) -> str:
    """What names have in common that differ by case, spaces and the Unicode form only.

    >>> spelling_key(" Not  Yet ") == spelling_key("not yet")
    True
    """
    return " ".join(normalize("NFKC", label).split()).casefold()


def near_equal(counts: Mapping[Any, int]) -> list[list[tuple[str, int]]]:
    """Names that differ by case and spaces only, with how often each occurs: the most frequent first."""
    by_key: dict[str, list[tuple[str, int]]] = {}
    for label, count in Counter(counts).most_common():
        if isinstance(label, str):
            by_key.setdefault(spelling_key(label), []).append((str(label), count))
    return [names for names in by_key.values() if len(names) > 1]


def one_spelling(labels: Iterable[Any], known: Iterable[Any] = ()) -> dict[str, str]:
    """The name of a class for each way to write it: that which is ``known``, or is the most frequent one."""
    exact = {label for label in known if isinstance(label, str)}
    names = {spelling_key(label): label for label in exact}
    counts = Counter(label for label in labels if isinstance(label, str))
    for label, _ in counts.most_common():
        names.setdefault(spelling_key(label), label)
    return {label: label if label in exact else names[spelling_key(label)] for label in counts}


def spelling_findings(
    groups: Sequence[Sequence[tuple[str, int]]], column: str | None, *, merged: bool = False, remedy: Way | None = None
) -> list[Finding]:
    """A note on classes that differ by case and spaces only, or that were ``merged``."""
    if not groups:
        return []
    first, *others = [_listed(names) for names in groups[:MAX_NAMED]]
    more = [f"and {len(groups) - MAX_NAMED} more"] if len(groups) > MAX_NAMED else []
    also = "".join(f", {each}" for each in (*(f"also {names}" for names in others), *more))
    problem = f"classes {first}{also}{',' * bool(also)} differ by case and spaces only"
    columns = () if column is None else (column,)
    if merged:
        return [Finding("FL002", f"{problem}, and are merged", columns=columns)]
    return [Finding("FL002", problem, columns=columns, remedy=() if remedy is None else remedy)]


def strange_spellings(labels: Iterable[Any], classes: Iterable[Any]) -> list[list[tuple[str, int]]]:
    """Labels that are no class but for case and spaces, each beside the class it is like; that is counted too."""
    exact = {name for name in classes if isinstance(name, str)}
    known = {spelling_key(name): name for name in exact}
    counts = Counter(label for label in labels if isinstance(label, str))
    groups: dict[str, list[tuple[str, int]]] = {}
    for label, count in counts.most_common():
        name = known.get(spelling_key(label))
        if name is not None and label not in exact:
            groups.setdefault(name, [(name, counts.get(name, 0))]).append((label, count))
    return list(groups.values())


def _listed(names: Sequence[tuple[str, int]]) -> str:
    shown = [f"{name!r} ({count:,})" for name, count in names]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
