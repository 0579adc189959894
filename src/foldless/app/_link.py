"""The server's end of the line to the process that trains."""

import multiprocessing
import threading
from collections.abc import Callable
from typing import Any

from foldless.app._worker import work
from foldless.app.app_setup import Setup

PATIENCE = 3.0  # seconds that a process has to end by itself


class Link:
    """Starts the process that trains, passes orders to it, and calls ``hear`` with what it says.

    A process that dies is reported as ``("died", None)``; `start` starts another.
    """

    def __init__(self, setup: Setup, hear: Callable[[str, Any], None]):
        self._setup, self._hear = setup, hear
        self._process: Any = None
        self._line: Any = None
        self._closing = False

    def start(self) -> None:
        """Start a process, which reads the files and says ``opened`` or ``refused``."""
        context = multiprocessing.get_context("spawn")  # forked threads and locks would be in an unknown state
        self._line, other = context.Pipe()
        self._process = context.Process(target=work, args=(self._setup, other), name="foldless-app-worker")
        self._process.start()
        other.close()
        threading.Thread(target=self._listen, args=(self._line,), name="worker", daemon=True).start()

    def order(self, name: str, **arguments: Any) -> None:
        """Ask for something; it waits until what was asked before is done."""
        try:
            self._line.send((name, arguments))
        except OSError:
            return  # it has died, which is heard too

    def close(self) -> None:
        """End the process."""
        self._closing = True
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
            self._process.join(PATIENCE)
            if self._process.is_alive():
                self._process.kill()
                self._process.join(PATIENCE)

    def _listen(self, line: Any) -> None:
        while True:
            try:
                kind, value = line.recv()
            except (EOFError, OSError):
                if not self._closing:
                    self._hear("died", None)
                return
            self._hear(kind, value)
