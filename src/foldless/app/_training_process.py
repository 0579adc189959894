"""The process that trains: the server's line to it, and what it does at the other end.

Fits hold Python's global lock for long, so they run in a process of their own. It takes one order after the other and
reports progress. It ends when the server is gone.
"""

import atexit
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from types import ModuleType
from typing import Any

from foldless.app.app_setup import Setup

PATIENCE = 3.0  # seconds that a process has to end by itself
NICE = 5  # a server that shares the cores with this process answers first


class TrainingProcess:
    """Starts the process that trains, passes orders to it, and calls ``hear`` with what it says.

    A process that dies is reported as ``("died", None)``; `start` starts another, and so does an order where none runs.
    """

    def __init__(self, setup: Setup, hear: Callable[[str, Any], None]):
        self._setup, self._hear = setup, hear
        self._process: Any = None
        self._line: Any = None
        self._lock = threading.Lock()
        self._closing = False

    def start(self) -> None:
        """Start a process, which reads the files and says ``opened`` or ``refused``; one that runs is enough."""
        with self._lock:
            if not self._closing and not self._runs():
                self._start()

    def _runs(self) -> bool:
        return self._process is not None and self._process.is_alive()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")  # forked threads and locks would be in an unknown state
        self._line, other = context.Pipe()
        self._process = context.Process(target=work, args=(self._setup, other), name="foldless-app-worker")
        with nullcontext() if b"__main__" in pickle.dumps(self._setup) else _without_main():
            self._process.start()
        atexit.register(self.close)  # Python would wait for it where an error or Ctrl-C leaves no one to close it
        other.close()
        threading.Thread(target=self._listen, args=(self._line,), name="worker", daemon=True).start()

    def order(self, name: str, **arguments: Any) -> None:
        """Ask for something; it waits until what was asked before is done."""
        with self._lock:
            if self._closing:
                return
            if not self._runs():  # it has died more often than it is replaced without being asked
                self._start()
            try:
                self._line.send((name, arguments))
            except OSError:
                return  # it has died, which is heard too

    def close(self) -> None:
        self._closing = True
        atexit.unregister(self.close)
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
                if not self._closing and line is self._line:  # else another was started since
                    self._hear("died", None)
                return
            self._hear(kind, value)


@contextmanager
def _without_main() -> Iterator[None]:
    """A new process runs the script of its parent again, which would start a page too; here it needs nothing of it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def work(setup: Setup, line: Any) -> None:
    """Serve one end of a pipe until the other is closed."""
    # Ctrl-C of a terminal is the server's; a run hears what asks it to stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sending = threading.Lock()

    def tell(kind: str, value: Any) -> None:
        try:
            with sending:
                line.send((kind, value))
        except OSError:
            os._exit(1)  # nobody is there any more

    orders: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
    aside: dict[str, Callable[..., None]] = {}
    threading.Thread(target=_listen, args=(line, orders, aside), name="orders", daemon=True).start()
    with ExitStack() as opened:
        try:
            from foldless.app._app_trainer import AppTrainer  # imports what trains

            opened.enter_context(setup.around())
            trainer = AppTrainer(setup, tell)
            tell("opened", trainer.opened())
            aside["search"] = trainer.search  # which reads only what never changes, so that a race goes on meanwhile
        except Exception as error:
            tell("refused", error)
            return
        with suppress(AttributeError, OSError):
            os.nice(NICE)
        _obey(trainer, orders, tell, setup.word)


def _obey(trainer: Any, orders: "queue.Queue[tuple[str, dict[str, Any]]]", tell: Any, word: Any) -> None:
    """Do what is ordered, forever; what fails is said in one sentence."""
    while True:
        order, arguments = orders.get()
        tell("busy", order)
        try:
            getattr(trainer, order)(**arguments)
        except Exception as error:
            tell("problem", word(error) if hasattr(error, "remedies") else f"{type(error).__name__}: {error}")
        tell("done", order)


def _listen(
    line: Any, orders: "queue.Queue[tuple[str, dict[str, Any]]]", aside: Mapping[str, Callable[..., None]]
) -> None:
    """Put orders into the queue, but for the one to stop what runs, and those that are done ``aside``."""
    while True:
        try:
            order, arguments = line.recv()
        except (EOFError, OSError):
            os._exit(1)
        if order == "stop":
            signal.raise_signal(signal.SIGINT)  # no further fit starts; ignored where none runs
        elif order in aside:
            threading.Thread(target=aside[order], kwargs=arguments, name=order, daemon=True).start()
        else:
            orders.put((order, arguments))
