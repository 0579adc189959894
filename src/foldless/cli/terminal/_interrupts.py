"""Ctrl-C while packages are imported: one line, not a traceback through the files of others.

An import that is broken off may leave half a package or turn the interrupt into another error, so the process ends at
once; nothing has been read or written by then.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130


@contextmanager
def ends_quietly() -> Iterator[None]:
    """Ctrl-C ends the process with one line until the end of the block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # another program is around this one, or Ctrl-C is ignored
        yield
        return
    signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (Python's signature)
    os.write(2, b"Error: interrupted\n")
    os._exit(INTERRUPTED)
