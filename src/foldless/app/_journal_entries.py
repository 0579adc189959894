"""The lines of a label journal: how an entry is written, and which are entries at all."""

import json
from collections.abc import Mapping
from typing import Any, TypeGuard

from foldless.app._row_answers import HINTS, STATES

TEXTS = {"by": 200, "at": 40, "note": 2000, "why": 2000}  # how many characters each may have


def entry_line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def is_entry(entry: Mapping[str, Any], n_rows: int | None, several: bool = False) -> bool:
    """Whether this is one of the entries that a `LabelJournal` has, with values that it can have.

    ``several`` says that a label is a list of classes.
    """
    if "round" in entry:
        return isinstance(entry["round"], dict)
    row = entry.get("row")
    if not _is_whole(row) or row < 0 or (n_rows is not None and row >= n_rows):
        return False
    if "batch" in entry and not ("p" in entry and _is_draw(entry["p"], entry["batch"], entry.get("of"))):
        return False
    if not all(isinstance(text := entry.get(key, ""), str) and len(text) <= most for key, most in TEXTS.items()):
        return False
    hints = entry.get("hints", [])
    if not isinstance(hints, list) or not all(name in HINTS for name in hints):
        return False
    if any(entry.get(key, True) is not True for key in ("undo", "skip", "settles", "repeat")):
        return False
    if "undo" in entry or "skip" in entry:
        return entry.get("state", "skip") in STATES
    label = entry.get("label")
    if not several:
        return isinstance(label, str | int | float)
    return isinstance(label, list) and bool(label) and all(isinstance(each, str | int | float) for each in label)


def _is_draw(p: Any, batch: Any, of: Any) -> bool:
    probability = p is None or (isinstance(p, int | float) and 0 <= p <= 1)
    return probability and _is_whole(batch) and batch >= 0 and _is_whole(of) and of >= 1


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
