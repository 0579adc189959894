"""When this process began: a time budget is of the whole command, the start of Python and all imports included."""

import os
import time
from pathlib import Path

STAT = Path("/proc/self/stat")
AFTER_NAME = 19  # the place of the start among the fields that follow the name of the process, see proc(5)
OLDEST = 60.0  # seconds: an older process has done something else before, and is not that of one command


def process_start(stat: Path = STAT) -> float:
    """The moment as `time.monotonic` counts; that of this call where it is not known.

    Examples
    --------
    >>> process_start() <= time.monotonic()
    True
    """
    now = time.monotonic()
    try:
        ticks = int(stat.read_text().rpartition(")")[2].split()[AFTER_NAME])  # the name may hold anything
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return now
    return now - age if 0 <= age <= OLDEST else now
