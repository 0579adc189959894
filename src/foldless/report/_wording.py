"""Strings from users, fit to be read: labels, names and messages may hold anything and stay text.

Nothing here escapes; the template and the SVG writer do. Here characters that no document may hold become visible
signs, and what is too long to read is shortened in the middle, where names differ least.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from foldless.errors import counted as counted  # reports say it as all messages do

ELLIPSIS = "…"
_SIGNS: dict[int, int | str] = {
    **{code: 0x2400 + code for code in range(0x20)},  # ␀, ␁, …: the pictures of the control characters
    0x7F: 0x2421,
    **dict.fromkeys([*range(0x80, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF], "\ufffd"),
    **dict.fromkeys(map(ord, "\t\n\r\v\f\x85\u2028\u2029"), " "),
}
_SIGNS_BUT_NEWLINES = {**_SIGNS, ord("\n"): "\n", ord("\t"): "    "}


def clean(value: object, *, lines: bool = False) -> str:
    """Any object as text that HTML, SVG and UTF-8 can hold; ``lines`` keeps its line breaks."""
    return str(value).translate(_SIGNS_BUT_NEWLINES if lines else _SIGNS)


def shorten(value: object, length: int) -> str:
    """At most so many characters, the beginning and the end kept."""
    text = clean(value)
    if len(text) <= length:
        return text
    tail = length // 3
    return text[: length - tail - 1].rstrip() + ELLIPSIS + text[len(text) - tail :].lstrip()


def inner(names: Sequence[str]) -> list[str]:
    """What tells names apart: ``C=1`` and ``C=10``, if they are ``svm(C=1)`` and ``svm(C=10)``."""
    parts = [name.partition("(") for name in names]
    whose = {first for first, _, _ in parts}
    if len(names) < 2 or len(whose) > 1 or not all(last.endswith(")") and len(last) > 1 for _, _, last in parts):
        return list(names)
    return [last[:-1] for _, _, last in parts]


def cut(value: object, length: int) -> str:
    """The beginning of a text, and how much was left out."""
    text = clean(value)
    return text if len(text) <= length else f"{text[:length]}{ELLIPSIS} ({len(text) - length:,} more characters)"


def value_text(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return f"{value:g}"
    return clean(value if isinstance(value, str) else repr(value))


def number(value: float) -> str:
    """A score with as many digits as can be compared."""
    if not np.isfinite(value):
        return "–" if np.isnan(value) else f"{value:+}".replace("inf", "∞")
    plain = value == 0 or 1e-3 <= abs(value) < 1e4
    return (f"{value:.4f}" if plain else f"{value:.4g}").replace("-", "−")
