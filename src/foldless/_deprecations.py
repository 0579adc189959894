"""Deprecated names: they work for one release and warn at the line of the user; the next release removes them.

A function or class that will be removed has a decorator. A name that moved is looked up by the ``__getattr__`` of its
old module.

>>> import warnings
>>> @deprecated(removed_in="0.5", instead="foldless.saving.save")
... def keep():
...     return "kept"
>>> with warnings.catch_warnings(record=True) as caught:
...     warnings.simplefilter("always")
...     keep()
'kept'
>>> print(caught[0].message)
keep is deprecated and is removed in foldless 0.5: use foldless.saving.save
"""

from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from foldless.errors import warn_user

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def deprecated(
    *, removed_in: str, instead: str
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Decorate a function that a release removes; of a class, decorate ``__init__``."""

    def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        name = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def warned(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            warn_deprecated(name, removed_in=removed_in, remedy=f"use {instead}")
            return function(*args, **kwargs)

        return warned

    return decorate


def moved(module: str, homes: Mapping[str, str], *, removed_in: str) -> Callable[[str], Any]:
    """``__getattr__`` of an old module: a name is looked up in the module where it is now, with a warning."""

    def look_up(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_deprecated(f"{module}.{name}", removed_in=removed_in, remedy=f"import it from {homes[name]}")
        return getattr(import_module(homes[name]), name)

    return look_up


def warn_deprecated(name: str, *, removed_in: str, remedy: str) -> None:
    """Warn that something goes: for arguments and attributes, which neither of the others can see."""
    warn_user(f"{name} is deprecated and is removed in foldless {removed_in}: {remedy}", DeprecationWarning)
