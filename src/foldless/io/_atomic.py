"""Atomic writes: a file is written beside its place, then moved there in one step, whole or not at all."""

import glob
import hashlib
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from foldless.errors import BadInput

SUFFIX, PROCESS = ".unfinished", re.compile(r"([1-9]\d{0,8})-[0-9a-f]{8}\.unfinished")
WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
LONGEST = 180  # bytes of a name that is used in whole


def check_place(path: Any) -> Path:
    """Refuse a place where no file can be written, as far as this is known before."""
    try:
        place = Path(os.fsdecode(path))
    except TypeError as error:
        raise BadInput(f"the path of a file must be a string or a Path, got {path!r}") from error
    if "\0" in str(place):
        raise BadInput(f"the path of a file cannot hold a NUL character, got {str(place)!r}")
    try:
        folder, mode = place.resolve().parent, _mode(place)
        folder_is_there = folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, a loop of links
        raise BadInput(f"{place} cannot be written ({reason(error)}): name another file") from error
    if not folder_is_there:
        raise BadInput(f"the folder of {place} does not exist: create {folder} first")
    if stat.S_ISDIR(mode):
        raise BadInput(f"{place} is a folder: name a file in it")
    if mode and (not os.access(place, os.W_OK) or not mode & WRITABLE):
        raise BadInput(f"{place} is read-only: name another file, or allow writing to it")
    if stat.S_ISSOCK(mode) or stat.S_ISBLK(mode):
        raise BadInput(f"{place} is not a regular file: name another file")
    if not _is_written_into(mode) and not os.access(folder, os.W_OK):
        raise BadInput(f"{place} cannot be written: you have no permission to write in {folder}")
    return place


def resolved(path: Any) -> Path:
    """Where links lead; a loop of links is an error when the file is opened, not here."""
    return Path(os.path.realpath(path))


def check_name(path: Path) -> None:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return  # said where the file is opened
    except (OSError, ValueError) as error:
        raise BadInput(f"there is no file {str(path)!r} ({reason(error)}): check the name and the folder") from error


def check_readable(path: Path) -> None:
    """Refuse a path that never ends when it is read: a disk, or a device such as /dev/zero."""
    mode = path.stat().st_mode
    if stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not _is_terminal(path)):
        raise BadInput(f"{path} is a device: name a file")


def _is_terminal(path: Path) -> bool:
    with path.open("rb", buffering=0) as file:
        return file.isatty()


@contextmanager
def placed(path: Any, *, private: bool = False) -> Iterator[Path]:
    """A temporary path to write to; at the end that file is moved to its place, with the mode of the file it replaces.

    While it is written only its owner reads it, and afterwards too where it is ``private`` and replaces nothing. A
    named pipe or a device is no file to replace: what is written goes into it at the end.
    """
    place = check_place(path).resolve()
    if _is_written_into(_mode(place)):
        with _poured(place) as elsewhere:
            yield elsewhere
        return
    beside = place.with_name(f"{_prefix(place)}{os.getpid()}-{secrets.token_hex(4)}{SUFFIX}")
    try:
        usual = _created(beside)
        yield beside
        if place.exists():
            shutil.copymode(place, beside)
        elif not private:
            beside.chmod(usual)
        os.replace(beside, place)
        sweep(place)
    except OSError as error:
        raise BadInput(f"{path} cannot be written ({reason(error)}): name another file") from error
    finally:
        beside.unlink(missing_ok=True)


def _created(beside: Path) -> int:
    """Make a file that only its owner reads; the mode that files of this user have."""
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        mode = stat.S_IMODE(os.fstat(file).st_mode)
        if hasattr(os, "fchmod"):
            os.fchmod(file, mode & 0o600)
        return mode
    finally:
        os.close(file)


@contextmanager
def _poured(place: Path) -> Iterator[Path]:
    """A path to write to in a folder of its own; what is there at the end is copied into a pipe or a device."""
    with tempfile.TemporaryDirectory() as folder:
        elsewhere = Path(folder) / place.name
        try:
            yield elsewhere
            with elsewhere.open("rb") as source, place.open("wb", buffering=0) as target:
                shutil.copyfileobj(source, target)
        except BrokenPipeError as error:
            raise BadInput(f"{place} cannot be written: its reader has closed it") from error
        except OSError as error:
            raise BadInput(f"{place} cannot be written ({reason(error)}): name another file") from error


def flush_folder(path: Path) -> None:
    """The new name of the file is on the disk too."""
    if os.name == "nt":  # folders cannot be opened there
        return
    folder = os.open(path.resolve().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError:  # some file systems flush no folders
        pass
    finally:
        os.close(folder)


def _mode(place: Path) -> int:
    """The mode of what is there; 0 for nothing."""
    try:
        return place.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _is_written_into(mode: int) -> bool:
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def sweep(place: Path) -> None:
    """Remove what runs that were killed left half written beside a file."""
    place = place.resolve()
    for path in place.parent.glob(f"{glob.escape(_prefix(place))}*{SUFFIX}"):
        match = PROCESS.fullmatch(path.name.removeprefix(_prefix(place)))
        if match is not None and path.is_file() and not path.is_symlink() and not runs(int(match[1])):
            path.unlink(missing_ok=True)


def runs(process: int) -> bool:
    """Whether a process runs, or may run: on Windows this cannot be asked, because signal 0 would end the process."""
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is another user's
        return True
    return True


def _prefix(place: Path) -> str:
    """How the names of unfinished files begin; a long name is cut, for names of files have at most 255 bytes."""
    name = place.name.encode(errors="surrogateescape")
    cut = place.name if len(name) <= LONGEST else f"{place.name[:20]}-{hashlib.sha256(name).hexdigest()[:16]}"
    return f".{cut}.foldless-"


def reason(error: Exception) -> str:
    """The first line of the message of another library, without its full stop."""
    message = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(message).splitlines()[0].rstrip(". ")[:200]
