"""Models on disk: written and read without pickle, by types that are trusted under their public names.

Classes that are parts of models and in no other public package have their public name here, such as
``foldless.saving.Points``. Everything is looked up when it is asked for, so that importing this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from foldless.saving._names import find

if TYPE_CHECKING:
    from foldless.saving.model_files import Kept, Schema, load, save

__all__ = ["Kept", "Schema", "load", "save"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("foldless.saving.model_files"), name)
    part = find(f"{__name__}.{name}") if name[:1].isupper() else None  # no module: a search imports every learner
    if part is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return part
