"""A report on disk: written beside its place and moved there, so that a reader never sees half of one."""

import os
import tempfile
from pathlib import Path
from typing import Any

from foldless.errors import BadInput


def write(page: str, path: Any) -> Path:
    """Write a page; nothing is left behind where that fails."""
    target = _checked(path)
    try:
        number, name = tempfile.mkstemp(dir=target.parent, prefix=".foldless-", suffix=".part")
    except OSError as error:
        raise BadInput(f"cannot write into the folder {str(target.parent)!r}: {error.strerror}") from error
    part = Path(name)
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            file.write(page)
        part.chmod(0o666 & ~_umask())
        os.replace(part, target)
    except OSError as error:
        raise BadInput(f"cannot write the report {str(target)!r}: {error.strerror}; choose another path") from error
    finally:
        part.unlink(missing_ok=True)
    return target


def _checked(path: Any) -> Path:
    try:
        target = Path(os.fsdecode(path))
    except TypeError as error:
        raise BadInput(f"the path of a report must be a string or a Path, got {path!r}") from error
    if "\0" in str(target):
        raise BadInput(f"the path of a report cannot hold a NUL character, got {str(target)!r}")
    if target.is_dir():
        raise BadInput(f"{str(target)!r} is a folder: name a file in it, for example {str(target / 'report.html')!r}")
    if not target.parent.is_dir():
        raise BadInput(f"the folder {str(target.parent)!r} of the report does not exist: make it, or choose another")
    return target


def _umask() -> int:
    """What the user lets others do; there is no way to read it but to set it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
