"""A report on disk."""

from pathlib import Path
from typing import Any

from foldless.io.atomic import check_place, placed


def write(page: str, path: Any) -> Path:
    """Write a page; nothing is left behind where that fails."""
    with placed(path) as beside:
        beside.write_text(page, encoding="utf-8", newline="\n")
    return check_place(path)
