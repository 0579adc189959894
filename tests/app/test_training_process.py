"""A process that has died is replaced by the next order."""

import subprocess
import sys
from multiprocessing import Pipe
from pathlib import Path

import pytest

from foldless.app import _training_process as training_process
from foldless.app._training_process import TrainingProcess
from foldless.app.app_setup import Setup


class FakeProcess:
    def __init__(self, target, args, name):
        self.line, self.alive = args[1], False

    def start(self):
        self.alive = True
        STARTED.append(self)

    def is_alive(self):
        return self.alive

    def terminate(self):
        self.alive = False

    def join(self, seconds):
        pass


class FakeContext:
    Pipe, Process = staticmethod(Pipe), FakeProcess


STARTED: list[FakeProcess] = []


@pytest.fixture
def training(monkeypatch):
    STARTED.clear()
    monkeypatch.setattr(training_process.multiprocessing, "get_context", lambda _: FakeContext)
    monkeypatch.setattr(training_process.threading, "Thread", lambda **_: FakeThread())
    return TrainingProcess(Setup("train.csv", "y", Path("s")), lambda *_: None)


class FakeThread:
    def start(self):
        pass


@pytest.mark.parametrize("order", ["choose", "save", "batch", "stop"])
def test_an_order_starts_a_process_where_none_runs(training, order):
    training.start()
    training.start()
    assert len(STARTED) == 1
    STARTED[0].alive = False  # and nobody has replaced it
    training.order(order, x=1)
    training.order("batch")
    assert len(STARTED) == 2
    training.close()
    training.order(order)
    assert len(STARTED) == 2


@pytest.mark.slow
def test_it_ends_with_a_program_that_has_not_closed_it(tmp_path):
    (tmp_path / "train.csv").write_text("x,y\n" + "1,a\n2,b\n" * 20 + "3,\n" * 20)
    (tmp_path / "script.py").write_text(
        "import threading\n"
        "from pathlib import Path\n"
        "from foldless.app._training_process import TrainingProcess\n"
        "from foldless.app.app_setup import Setup\n"
        "said = threading.Event()\n"
        "setup = Setup('train.csv', 'y', Path('folder'), {}, {'portfolio': None}, settings={'verbose': 0})\n"
        "TrainingProcess(setup, lambda kind, _: kind == 'opened' and said.set()).start()\n"
        "said.wait()\n"
        "raise KeyboardInterrupt\n"
    )
    ended = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert ended.stderr.splitlines()[-1] == "KeyboardInterrupt", ended.stderr
