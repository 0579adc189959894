"""Files that foldless appends to, such as journals: checked to be its own before a byte of them is changed."""

import os
import stat
from pathlib import Path

AS_IT_IS = getattr(os, "O_BINARY", 0)  # Windows would write other line ends
NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # a named pipe would wait for its other end
PRIVATE = 0o600  # only their owner reads what foldless keeps between two runs


def open_to_append(path: Path) -> int:
    """A descriptor to read and to append with; the file is made where there is none. Nothing is written yet.

    OSError where the path names no regular file.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | AS_IT_IS | NO_WAIT
    file = os.open(path, flags, PRIVATE)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(None, "it is not a regular file")
    return file


def is_still(path: Path, file: int) -> bool:
    """Whether a path names the file of a descriptor: editors and sync tools put another one in its place."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(file))
    except FileNotFoundError:
        return False


def kept_beside(path: Path, content: bytes, word: str) -> Path:
    """A new file beside another one that keeps what would be lost; its name is that file's name and a word."""
    for number in range(1, 10_000):
        place = path.with_name(f"{path.name}.{word}-{number}")
        try:
            file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | AS_IT_IS, PRIVATE)
        except FileExistsError:
            continue
        with open(file, "wb") as target:
            target.write(content)
            target.flush()
            os.fsync(target.fileno())
        return place
    raise OSError(None, f"there are too many files {path.name}.{word}-…")
