"""Where Numba keeps compiled code, a folder that can be written, or none; and a clock that stops while it compiles.

Numba tries ``NUMBA_CACHE_DIR``, then the folders of the sources, then the cache of the user, and gives up where an
installation is read-only and there is no home, as in many containers. Then compiled code goes to a temporary folder
that belongs to this user alone, which worker processes share; where there is none either, each process compiles.

The first run on a machine compiles for half a minute. A clock that counted it would end a default search half way.
"""

import atexit
import os
import stat
import sys
import tempfile
import time
from pathlib import Path

SETTING = "NUMBA_CACHE_DIR"
SOURCES = Path(__file__).parents[1] / "solvers" / "linear"


def ensure_place() -> None:
    """See to it that compiled code has a place; to be called before the first kernel is declared."""
    if os.environ.get(SETTING) or any(map(can_be_written, usual_places())):
        return
    folder = _temporary()
    if folder is None:
        _compile_always()
        return
    os.environ[SETTING] = str(folder)  # workers inherit it
    if "numba" in sys.modules:  # it has read its settings already
        sys.modules["numba"].config.CACHE_DIR = str(folder)


def usual_places() -> list[Path]:
    """Where Numba keeps compiled code without a setting: beside the sources, or in the cache of the user."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return [SOURCES / "__pycache__", Path(cache) / "numba"]


def can_be_written(folder: Path) -> bool:
    """Whether a folder is there and can be written, or can be made."""
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def is_temporary(folder: str) -> bool:
    """Whether a folder is one that `ensure_place` makes."""
    return Path(folder).name == _name()


def watch() -> None:
    """Count the seconds in which this process compiles; to be called before the first kernel is declared.

    The process ends when no thread compiles any more, and none begins to: the end of LLVM under a thread, such as that
    of a fit that a time budget left behind, is a segmentation fault.
    """
    from numba.core import event
    from numba.core.compiler_lock import global_compiler_lock

    class Watch(event.Listener):
        def on_start(self, _: object) -> None:
            _COMPILING.begin()

        def on_end(self, _: object) -> None:
            _COMPILING.end()

    event.register("numba:compile", Watch())
    atexit.register(global_compiler_lock.acquire)


def is_compiling() -> bool:
    """Whether some thread compiles a kernel, which happens once on a machine."""
    return _COMPILING.over[1] is not None


def working_time() -> float:
    """Seconds on a clock like `time.perf_counter`, which stands still while this process compiles."""
    seconds, since = _COMPILING.over
    return (time.perf_counter() if since is None else since) - seconds


class _Compiling:
    """The seconds of compiling that are over, and the moment since which it goes on; one thread compiles at a time.

    ``depth`` counts kernels that are compiled for others.
    """

    def __init__(self) -> None:
        self.over: tuple[float, float | None] = 0.0, None  # replaced at once, as other threads read it
        self.depth = 0

    def begin(self) -> None:
        self.depth += 1
        if self.depth == 1:
            self.over = self.over[0], time.perf_counter()

    def end(self) -> None:
        self.depth -= 1
        seconds, since = self.over
        if not self.depth and since is not None:
            self.over = seconds + time.perf_counter() - since, None


_COMPILING = _Compiling()


def _temporary() -> Path | None:
    """A folder that nobody else can write to: what lies in it is run."""
    try:
        folder = Path(tempfile.gettempdir()) / _name()
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return None
    owner = getattr(os, "getuid", lambda: status.st_uid)()
    alone = stat.S_ISDIR(status.st_mode) and status.st_uid == owner and not (os.name != "nt" and status.st_mode & 0o022)
    return folder if alone and can_be_written(folder) else None


def _name() -> str:
    return f"foldless-numba-{getattr(os, 'getuid', lambda: 0)()}"


def _compile_always() -> None:
    """Let kernels be declared as ever, and keep nothing of them."""
    from numba.core.ccallback import CFunc
    from numba.core.dispatcher import Dispatcher

    for kind in (CFunc, Dispatcher):
        kind.enable_caching = lambda *_: None  # type: ignore[method-assign]  # numba has no switch for it
