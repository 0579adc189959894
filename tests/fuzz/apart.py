"""Many small runs in a process apart: a death by a signal, a run without end or too much memory is an answer too."""

import json
import os
import resource
import signal
import warnings
from collections.abc import Callable
from pathlib import Path

SECONDS, MEMORY = 60, 2**30  # of processor time of one run, and beyond what the process has
WAIT = 20 * SECONDS  # for a run that sleeps, or for other work on the machine


def each_apart(work: Callable[[int], str], n: int) -> list[str]:
    """What ``work`` says of 0, …, n − 1, or ``signal 11``; a process is replaced by another where it dies."""
    said: list[str] = []
    while len(said) < n:
        said += _until_death(work, len(said), n)
    return said


def _until_death(work: Callable[[int], str], first: int, n: int) -> list[str]:
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads of this process have no part in it
        child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            _limit()
            with os.fdopen(writer, "w") as out:
                for at in range(first, n):
                    signal.alarm(WAIT)
                    signal.setitimer(signal.ITIMER_PROF, SECONDS)
                    out.write(json.dumps(work(at)) + "\n")
                    out.flush()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as lines:
        said = [json.loads(line) for line in lines]
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return said if first + len(said) == n else [*said, f"ended by signal {-status}" if status < 0 else "ended"]


def _limit() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else None
    if pages is not None:
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
