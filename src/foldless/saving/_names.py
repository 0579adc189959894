"""The public names under which classes are saved, whatever file they live in.

A class whose objects may be part of a saved model says so with ``@saved("foldless.learners")``: that package is its
``__module__`` from then on, in files, pickles and documentation, and the class may move between private files. It is
also trusted when a model is loaded: there is no other list.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TypeVar

Class = TypeVar("Class", bound=type)

MODULES = (
    "foldless.data._dates", "foldless.data._read_columns", "foldless.data._unit_distance", "foldless.engine._fits",
    "foldless.learners", "foldless.learners._discriminant", "foldless.measures", "foldless.online",
    "foldless.saving._words", "foldless.streams._mixed_training", "foldless.streams._preparation", "foldless.text",
)  # importing these makes every class of foldless known that may be saved  # fmt: skip

_classes: dict[str, type] = {}
_places: dict[str, str] = {}


def saved(home: str) -> Callable[[Class], Class]:
    """A class decorator: objects of this class may be saved, under the name that it has in a public package.

    That package must offer the class; ``foldless.saving`` offers every class that has its home there.
    """

    def register(cls: Class) -> Class:
        name, place = f"{home}.{cls.__qualname__}", cls.__module__
        if _places.setdefault(name, place) != place:
            raise TypeError(f"{name} is saved from {_places[name]} already: give the class of {place} another name")
        _classes[name] = cls
        cls.__module__ = home
        return cls

    return register


def find(name: str) -> type | None:
    if name not in _classes:
        _import_all()
    return _classes.get(name)


def names() -> list[str]:
    _import_all()
    return sorted(_classes)


def _import_all() -> None:
    for path in MODULES:
        module = import_module(path)
        for name in getattr(module, "__all__", ()):  # packages may import their classes on demand
            getattr(module, name)
