"""Lazy packages: a name is imported when it is first used, so that runs that do not need it do not wait for it."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def on_demand(package: str, homes: Mapping[str, Sequence[str]]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package with the names that its modules are the homes of."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def look_up(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return look_up, lambda: sorted({*vars(sys.modules[package]), *home_of})
