"""Lazy packages: a name is imported when it is first used, so that runs that do not need it do not wait for it.

A package imports its names for type checkers only, below ``if TYPE_CHECKING``. This block is read from its source, and
says where each name is found.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def on_demand(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package with the names that it imports for type checkers."""
    module = sys.modules[package]
    source = module.__spec__.loader.get_source(package)  # type: ignore[union-attr]  # a package of ours has a source
    blocks = [node.body for node in ast.parse(source).body if isinstance(node, ast.If)]
    imports = [node for block in blocks for node in block if isinstance(node, ast.ImportFrom)]
    home_of = {alias.name: str(node.module) for node in imports for alias in node.names}

    def look_up(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home_of[name]), name)
        setattr(module, name, value)
        return value

    return look_up, lambda: sorted({*vars(module), *home_of})
