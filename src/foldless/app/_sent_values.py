"""What a page sends with an order: each value is checked, and what is wrong is said in one sentence."""

from collections.abc import Sequence
from typing import Any

from foldless.app._row_answers import HINTS, STATES
from foldless.errors import BadInput

LONGEST = 200  # letters of the name of a class
LONGEST_NOTE = 2000


def row_number(row: Any, n_rows: int) -> int:
    if not _is_number(row, n_rows):
        raise BadInput(f"there is no row {row!r}: the pool has {n_rows} rows, numbered from 0", value=row)
    return int(row)


def label_of(code: Any, labels: Sequence[Any], several: bool) -> Any:
    """The class with a number, or the list of those with several."""
    if not several:
        return class_of(code, labels)
    if not isinstance(code, list) or len(set(map(str, code))) < len(code):
        raise BadInput(f"a row has a list of different classes here, got {code!r:.50}: load the page again", value=code)
    return [class_of(each, labels) for each in code]


def class_of(code: Any, labels: Sequence[Any]) -> Any:
    if not _is_number(code, len(labels)):
        raise BadInput(f"there is no class {code!r}: there are {len(labels)} classes, numbered from 0", value=code)
    return labels[code]


def class_name(name: Any, separator: str | None = None) -> str:
    """The name of a new class, which has no separator of several classes."""
    if separator is not None and isinstance(name, str) and separator in name:
        raise BadInput(f"{separator!r} separates classes, so that no name has it: name them one by one", value=name)
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST or not name.isprintable():
        raise BadInput(f"a class name is one line of at most {LONGEST} characters", value=name)
    return name.strip()


def state_name(state: Any) -> str:
    """Why a row has no class."""
    if state not in STATES:
        raise BadInput(f"a row without a class is one of {', '.join(STATES)}, got {state!r}", value=state)
    return str(state)


def tab_name(name: Any) -> str | None:
    if name is not None and (not isinstance(name, str) or not 0 < len(name) <= LONGEST):
        raise BadInput(f"the name of a tab has 1 to {LONGEST} characters, got {name!r:.50}", value=name)
    return name


def hint_names(names: Any) -> dict[str, list[str]]:
    """What a person saw of the model's opinion, as an entry has it."""
    if names is None or names == []:
        return {}
    if not isinstance(names, list) or not all(name in HINTS for name in names):
        raise BadInput(f"hints are a list of {', '.join(HINTS)}, got {names!r:.50}", value=names)
    return {"hints": [name for name in HINTS if name in names]}


def note_text(text: Any) -> str:
    if not isinstance(text, str) or len(text) > LONGEST_NOTE:
        raise BadInput(f"a note is a text of at most {LONGEST_NOTE} characters", value=text)
    return text.strip()


def _is_number(value: Any, below: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below
