"""The modules of the package as trees; several tests read all of them, and parsing them takes seconds."""

import ast
from functools import cache
from pathlib import Path


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
