"""Runs of the command line as processes of their own that cost no start: forked from one that has imported everything.

A run may send itself a signal at its n-th step of work, or some seconds after it. A step is a batch about to be learned
or half learned, answers about to be journaled, or a file that is written but not flushed, or flushed but not yet in its
place.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any, NamedTuple

from helpers.stream_files import rows

CODE = "from helpers import fork_server; fork_server.serve()"


class Ended(NamedTuple):
    """How a process ended: its status, or minus the signal that killed it."""

    status: int
    out: str
    err: str


class Run:
    """A process that may still be at work."""

    def __init__(self, server: subprocess.Popen[str], folder: Path):
        self._server, self.folder = server, folder
        self.process = json.loads(_line(server))

    def end(self) -> Ended:
        """Wait for it."""
        status = json.loads(_line(self._server))
        return Ended(status, *((self.folder / name).read_text() for name in ("out", "err")))


class ForkServer:
    """Starts runs, one after the other."""

    def __init__(self, folder: Path):
        self._folder = folder
        paths = [str(Path(__file__).parents[1]), *sys.path]
        self._server = subprocess.Popen(
            [sys.executable, "-c", CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )  # fmt: skip

    def start(
        self, *args: Any, stdin: Path | str = os.devnull, signal: int = 0, step: int = 0, delay: float = 0.0
    ) -> Run:
        """A run of ``foldless``; it sends itself a signal at that step, or as many seconds after it."""
        job = {"args": [*map(str, args)], "stdin": str(stdin), "signal": signal, "step": step, "delay": delay}
        assert self._server.stdin is not None
        for name in ("out", "err"):  # nobody takes what an earlier run has said for that of this one
            (self._folder / name).write_text("")
        print(json.dumps({**job, "folder": str(self._folder)}), file=self._server.stdin, flush=True)
        return Run(self._server, self._folder)

    def run(self, *args: Any, **more: Any) -> Ended:
        """A run to its end."""
        return self.start(*args, **more).end()

    def close(self) -> None:
        """No more runs."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.wait(timeout=60)
        self._server.stdout.close()


def _line(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    return server.stdout.readline()


def serve() -> None:
    """In the process that is forked: a job on each line of standard input, and what became of it."""
    from foldless.cli import main

    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        for name in ("csv", "parquet"):  # what is imported and compiled on the way is there for all runs
            path = Path(folder) / f"a.{name}"
            table = rows(100)
            table.to_csv(path, index=False) if name == "csv" else table.to_parquet(path)
            with suppress(SystemExit):
                main(["stream", "train", str(path), "--label", "topic", "--batch", "50", "--save", f"{path}.skops"])
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if child == 0:
            for number, name in enumerate((job["stdin"], "out", "err")):
                flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                os.dup2(os.open(os.path.join(job["folder"], name), flags, 0o600), number)
            if job["signal"]:
                _arm(job["signal"], job["step"], job["delay"])
            main(job["args"])
        _tell(child)
        _tell(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _arm(signal: int, step: int, delay: float) -> None:
    """Send this process a signal at a step of its work, or some time later."""
    from foldless.engine._journal import Journal
    from foldless.streams._reservoir import ReservoirRows
    from foldless.streams._trainer import State

    left = step

    def stepped(function: Any) -> Any:
        def called(*args: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                _send(signal, delay)
            return function(*args)

        return called

    State.learn, ReservoirRows.draw = stepped(State.learn), stepped(ReservoirRows.draw)
    Journal.write = stepped(Journal.write)
    os.fsync, os.replace = stepped(os.fsync), stepped(os.replace)


def _send(signal: int, delay: float) -> None:
    """A signal to this process; if it is to come later, from another one that is nobody's to wait for."""
    target = os.getpid()
    if not delay:
        os.kill(target, signal)
    elif (child := os.fork()) == 0:
        if os.fork() == 0:
            time.sleep(delay)
            with suppress(ProcessLookupError):
                os.kill(target, signal)
        os._exit(0)
    else:
        os.waitpid(child, 0)
