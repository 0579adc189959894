"""Parts of a skops file that stand for others are few: reading and predicting take the time that its size tells.

A part with the ``__id__`` of an earlier one is that part again. skops writes almost everything out, however often it
occurs. A forged file may be short and stand for very much: a vote of two votes of two votes, thirty times, is asked
for 2³⁰ predictions, and skops walks through all of them before it loads one.
"""

import io
import json
import zipfile
from typing import Any

SCHEMA = "schema.json"  # where skops says what a file is made of
MAX_REPEATS = 4  # times as many parts as are written


def check_repeated(content: bytes) -> None:
    """Raise a ValueError where the parts of a skops file, written out, are many times those that are written."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        schema = json.loads(archive.read(SCHEMA))
    sizes: dict[Any, int | None] = {}
    n_written = 0

    def size(part: Any) -> int:
        nonlocal n_written
        if isinstance(part, list):
            return sum(map(size, part))
        if not isinstance(part, dict):
            return 0
        key = part.get("__id__")
        n_written += 1
        if key in sizes:
            known = sizes[key]
            if known is None:
                raise ValueError("a part of it contains itself")
            return known
        if key is not None:
            sizes[key] = None
        n_parts = 1 + sum(map(size, part.values()))
        if key is not None:
            sizes[key] = n_parts
        return n_parts

    if size(schema) > MAX_REPEATS * n_written:
        raise ValueError(f"its {n_written:,} parts stand for more than {MAX_REPEATS} times as many")
