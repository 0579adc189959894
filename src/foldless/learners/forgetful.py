"""Dataclasses that compute what they need when it is first asked for, and leave it behind when they are pickled."""

from dataclasses import fields
from typing import Any


class Forgetful:
    """Only fields travel; cached properties are computed again where they are needed."""

    def forget(self) -> None:
        """Give back the memory of what was computed."""
        for name in self.__dict__.keys() - {field.name for field in fields(self)}:  # type: ignore[arg-type]
            del self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
