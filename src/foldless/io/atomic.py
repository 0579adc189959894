"""Files in their place, whole or not at all: written beside it, then moved there in one step."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from foldless.errors import BadInput


def check_place(path: Any) -> Path:
    """Whether a file can be put there, as far as one can know before."""
    try:
        place = Path(os.fsdecode(path))
    except TypeError as error:
        raise BadInput(f"the path of a file must be a string or a Path, got {path!r}") from error
    if "\0" in str(place):
        raise BadInput(f"the path of a file cannot hold a NUL character, got {str(place)!r}")
    folder = place.resolve().parent
    if not folder.is_dir():
        raise BadInput(f"the folder of {place} does not exist: make {folder} first")
    if place.is_dir():
        raise BadInput(f"{place} is a folder: name a file in it")
    if not os.access(folder, os.W_OK):
        raise BadInput(f"{place} cannot be written: you have no permission to write in {folder}")
    return place


@contextmanager
def placed(path: Any) -> Iterator[Path]:
    """A path to write to; what is there at the end takes the place, with the mode of the file it replaces."""
    place = check_place(path).resolve()
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        yield beside
        if place.exists():
            shutil.copymode(place, beside)
        os.replace(beside, place)
    except OSError as error:
        raise BadInput(f"{path} cannot be written ({reason(error)}): name another file") from error
    finally:
        beside.unlink(missing_ok=True)


def reason(error: Exception) -> str:
    """The first line of the message of another library, without its full stop."""
    message = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(message).splitlines()[0].rstrip(". ")[:200]
