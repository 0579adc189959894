"""Worker processes end with their parent: one that was killed cannot stop them, and they would wait for minutes.

It is the first that a worker imports, and so it imports nothing that takes long.
"""

import os
import threading
import time

WATCH, PULSE = "foldless-parent", 0.5  # a thread, and its seconds


def begin_for(parent: int) -> None:
    """The first that a worker process of joblib does: its parent may have been killed while it started."""
    if os.getppid() != parent:
        os._exit(1)
    watch(parent)


def watch(parent: int) -> None:
    """End with a parent, from now on; workers of Dask and others have parents of their own."""
    watched = any(thread.name == WATCH for thread in threading.enumerate())
    if os.getppid() == parent and not watched:
        threading.Thread(target=_end_with, args=(parent,), name=WATCH, daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PULSE)
    os._exit(1)
