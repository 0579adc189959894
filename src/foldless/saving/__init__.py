"""Models on disk: the public names of classes that files hold, and the names they had in earlier releases.

Classes that are parts of models and in no other public package have their public name here, such as
``foldless.saving.Points``. They are looked up when they are asked for, so that importing this package costs nothing.
"""

from foldless.saving.names import find


def __getattr__(name: str) -> type:
    found = None if name.startswith("_") else find(f"{__name__}.{name}")
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found
