"""The process that trains: it does what it is asked, one thing after the other, and says how it goes.

Fits hold Python's lock for long, so that they run apart from the server. It ends when the other end of the line is
gone.
"""

import os
import queue
import signal
import threading
from contextlib import ExitStack, suppress
from typing import Any

from foldless.app.app_setup import Setup

NICE = 5  # a server that shares the cores with this process answers first


def work(setup: Setup, line: Any) -> None:
    """Serve one end of a pipe until the other is closed."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C of a terminal is the server's; a run hears what asks it to stop
    sending = threading.Lock()

    def tell(kind: str, value: Any) -> None:
        try:
            with sending:
                line.send((kind, value))
        except OSError:
            os._exit(1)  # nobody is there any more

    orders: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
    threading.Thread(target=_listen, args=(line, orders), name="orders", daemon=True).start()
    with ExitStack() as opened:
        try:
            from foldless.app._trainer import Trainer  # imports what trains

            opened.enter_context(setup.around())
            trainer = Trainer(setup, tell)
            tell("opened", trainer.opened())
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


def _listen(line: Any, orders: "queue.Queue[tuple[str, dict[str, Any]]]") -> None:
    """Put orders into the queue, but for the one to stop what runs."""
    while True:
        try:
            order, arguments = line.recv()
        except (EOFError, OSError):
            os._exit(1)
        if order == "stop":
            signal.raise_signal(signal.SIGINT)  # no further fit starts; ignored where none runs
        else:
            orders.put((order, arguments))
