"""Data that go to the worker processes of this machine once, and not again with every group of fits or every round.

joblib hands large arrays of numbers to its processes as files that all of them map, but writes them anew for each
round of fits, and pickles strings and objects again for every call. Here every part of the data is one file for the
whole search, written when it is first needed. A call names the files; a worker maps them, and keeps what it has
unpacked. Arrays that the user maps from a file are left to joblib, which passes the name of that file. Where the
processes are those of Ray, its object store takes the place of the files.
"""

import os
import pickle
import re
import shutil
import tempfile
import uuid
import weakref
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from foldless.data._sample import Sample
from foldless.io._atomic import runs
from foldless.io._our_files import AS_IT_IS, PRIVATE

LARGE = 2**20  # bytes, from which on joblib maps an array
SMALL = 2**16  # bytes that may go with every call
MAX_KEPT = 8  # parts that a worker keeps: those of two searches
ALIGNED = 64  # bytes
PROCESSES = ("LokyBackend", "MultiprocessingBackend")  # of this machine
RAY = "RayBackend"
NAMES = ("labeled", "pool", "test")
SHELL = "shell"  # the data without these parts

_unpacked: dict[str, Any] = {}


@dataclass(frozen=True)
class Filed:
    """An object in a file: the bytes of its pickle, and those of its arrays."""

    path: str
    spans: tuple[tuple[int, int], ...]

    def get(self) -> Any:
        """The object, unpacked once in each process."""
        return _once(self.path, self._read)

    def _read(self) -> Any:
        mapped = np.memmap(self.path, dtype=np.uint8, mode="r")
        body, *buffers = (mapped[start:stop] for start, stop in self.spans)
        return pickle.loads(body.data, buffers=buffers)


@dataclass(frozen=True)
class InStore:
    """An object in Ray's store, which moves it to a machine once."""

    reference: Any

    def get(self) -> Any:
        """The object, unpacked once in each process."""
        import ray

        return _once(self.reference.hex(), lambda: ray.get(self.reference))


@dataclass(frozen=True, eq=False)
class Carried:
    """Data by their parts, those in files and those that are passed as they are."""

    parts: Mapping[str, Any]

    def data(self) -> Sample:
        parts = {name: part.get() if isinstance(part, Filed | InStore) else part for name, part in self.parts.items()}
        return replace(parts.pop(SHELL), **parts)


class Carrier:
    """Keeps the files of one search; they go when it goes, also where its process is killed."""

    def __init__(self, data: Sample) -> None:
        self._data = data
        self._parts: dict[str, Any] = {}
        self._stored: dict[str, InStore] = {}
        self._whole: dict[frozenset[int], Sample] = {}
        self._files: list[str] = []
        weakref.finalize(self, _delete, self._files, os.getpid())

    def of(self, touched: frozenset[int], parallel: Any) -> Sample | Carried:
        """The parts that are touched, as a `joblib.Parallel` should hand them to its workers."""
        whole = self.here(touched)
        settings = getattr(parallel, "_backend_kwargs", None) or getattr(parallel, "_backend_args", None) or {}
        backend = type(getattr(parallel, "_backend", None)).__name__
        processes = backend in (*PROCESSES, RAY) and parallel.n_jobs != 1
        if not processes or settings.get("max_nbytes", LARGE) is None:
            return whole
        names = part_names(self._data, touched)
        if backend == RAY:
            return Carried({name: self._put(name) for name in names})
        parts = {name: self._part(name, settings.get("temp_folder")) for name in names}
        return Carried(parts) if any(isinstance(part, Filed) for part in parts.values()) else whole

    def here(self, touched: frozenset[int]) -> Sample:
        """The same for this process."""
        if touched not in self._whole:
            self._whole[touched] = self._data.only(touched)
        return self._whole[touched]

    def _part(self, name: str, folder: str | None) -> Any:
        if name not in self._parts:
            part = self._named(name)
            self._parts[name] = part if _is_mapped(part) else filed(part, self._files, folder)
        return self._parts[name]

    def _put(self, name: str) -> InStore:
        import ray

        if name not in self._stored:
            self._stored[name] = InStore(ray.put(self._named(name)))
        return self._stored[name]

    def _named(self, name: str) -> Any:
        return self._data.only(()) if name == SHELL else getattr(self._data, name)


def filed(part: Any, files: list[str], folder: str | None = None) -> Any:
    """An object in a new file, whose name is added to the files; itself where it is small, or cannot be written."""
    from joblib.externals.loky.backend import resource_tracker

    buffers: list[pickle.PickleBuffer] = []
    try:
        body = pickle.dumps(part, protocol=5, buffer_callback=buffers.append)
    except Exception:  # functions of a notebook, for example, which joblib can pickle
        return part
    spans: list[tuple[int, int]] = []
    size = len(body) + sum(buffer.raw().nbytes + ALIGNED for buffer in buffers)
    if size < SMALL:
        return part
    place = _place(size, folder)
    _sweep(place)
    path = str(Path(place) / f"{_prefix()}{os.getpid()}-{uuid.uuid4().hex}")
    try:
        resource_tracker.register(path, "file")  # joblib's watchman deletes it after the death of this process
        files.append(path)
        # only its owner reads it
        with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | AS_IT_IS, PRIVATE), "r+b") as file:
            for view in (memoryview(body), *(buffer.raw() for buffer in buffers)):
                file.seek(-(-file.tell() // ALIGNED) * ALIGNED)
                spans.append((file.tell(), file.tell() + view.nbytes))
                file.write(view)
    except OSError:  # no room
        return part
    return Filed(path, tuple(spans))


@cache
def _prefix() -> str:
    """How the names of these files begin: those of another container that shares the folder have other numbers."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino
    except OSError:  # no Linux
        space = 0
    return f"foldless-{space}-"


@cache  # once in each process
def _sweep(folder: str) -> None:
    """Remove what processes left that were killed together with joblib's watchman."""
    for path in Path(folder).glob(f"{_prefix()}*"):
        match = re.fullmatch(r"([1-9]\d{0,8})-[0-9a-f]{32}", path.name.removeprefix(_prefix()))
        if match is not None and not runs(int(match[1])):
            with suppress(OSError):  # of another user, or gone
                path.unlink()


def part_names(data: Sample, touched: Collection[int]) -> list[str]:
    """What parts of the data are called that are touched, and the rest of the data."""
    present = [name for name in NAMES if getattr(data, name) is not None]
    return [SHELL, *(present[at] for at in sorted(touched))]


def opened(data: Sample | Carried) -> Sample:
    """What a worker was handed, as data."""
    return data.data() if isinstance(data, Carried) else data


def _once(key: str, make: Callable[[], Any]) -> Any:
    """What is made once in each process, which keeps the last few."""
    if key not in _unpacked:
        while len(_unpacked) >= MAX_KEPT:
            del _unpacked[next(iter(_unpacked))]
        _unpacked[key] = make()
    return _unpacked[key]


def _is_mapped(part: Any) -> bool:
    """Whether an array lies in a file that is mapped already."""
    while isinstance(part, np.ndarray):
        if isinstance(part, np.memmap):
            return True
        part = part.base
    return False


def _place(size: int, folder: str | None) -> str:
    """Where joblib would write: the folder that the user names, memory that is a file system, or a temporary folder."""
    named = folder or os.environ.get("JOBLIB_TEMP_FOLDER")
    if named:
        return named
    shared = "/dev/shm"
    if os.path.isdir(shared) and os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 2 * size:
        return shared
    return tempfile.gettempdir()


def _delete(files: list[str], owner: int) -> None:
    """Delete files that this process wrote, and not one that it was forked from."""
    if os.getpid() != owner:
        return
    from joblib.externals.loky.backend import resource_tracker

    for path in files:
        Path(path).unlink(missing_ok=True)
        resource_tracker.unregister(path, "file")
