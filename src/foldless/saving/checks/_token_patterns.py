"""Regular expressions that cut a text into words in time that is at most quadratic in its length.

Python's ``re`` tries one way after the other. Something that is repeated inside a repetition, as in ``(a+)+$``, has
exponentially many ways, and k repetitions in a row a power of the length. So an alternative of a pattern may repeat one
character class, such as ``\\w+``; groups may be optional, not repeated, and nothing refers back.
"""

import re

ONE = re.compile(r"\\[^\d]|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)  # what stands for one character
REFUSED = re.compile(r"\\|\)[*+{]|\(\?P=|\(\?\(")  # references, repeated groups, conditions
REPEATED = re.compile(r"[*+{]")
OPTIONAL = re.compile(r"(?<!\()\?")
MAX_OPTIONAL = 8  # each may double the ways


def is_quick(pattern: str) -> bool:
    """Whether a pattern is one of those that are quick on every text.

    Examples
    --------
    >>> is_quick(r"(?u)\\b\\w\\w+\\b"), is_quick(r"[a-z]+|\\d+"), is_quick(r"(a+)+$")
    (True, True, False)
    """
    plain = ONE.sub("x", pattern)
    if REFUSED.search(plain) or len(OPTIONAL.findall(plain)) > MAX_OPTIONAL:
        return False
    return all(len(REPEATED.findall(part)) <= 1 for part in _alternatives(plain))


def _alternatives(pattern: str) -> list[str]:
    """What lies between the bars that are in no group."""
    parts, depth = [""], 0
    for sign in pattern:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
