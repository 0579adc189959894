"""How much memory is free, checked before it is taken: a process that the system ends cannot say why."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from foldless.errors import BadInput

GIGABYTE = 1e9
CGROUP = Path("/sys/fs/cgroup")


def free_bytes() -> int:
    """The bytes that this process can still take: of the machine, of its container, and of its own limit."""
    return max(0, min(_of_machine(), _of_container(), _of_process()))


def check_room(needed: float, what: str, remedy: str) -> None:
    """Refuse what does not fit, with both numbers; the remedy says what takes less.

    >>> check_room(10, "a table of 1 row", "take fewer rows")
    """
    free = free_bytes()
    if needed > free:
        raise BadInput(
            f"{what} needs about {needed / GIGABYTE:,.1f} GB of memory, and {free / GIGABYTE:,.1f} GB are free: "
            f"{remedy}"
        )


def _of_machine() -> int:
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return sys.maxsize


def _of_container() -> int:
    with suppress(OSError, ValueError):
        limit = (CGROUP / "memory.max").read_text(encoding="ascii").strip()
        used = (CGROUP / "memory.current").read_text(encoding="ascii")
        if limit != "max":
            return int(limit) - int(used)
    return sys.maxsize


def _of_process() -> int:
    if sys.platform == "win32":
        return sys.maxsize
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return sys.maxsize
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return limit - pages * os.sysconf("SC_PAGE_SIZE")
    return limit
