"""The page is served until Ctrl-C, which ends it from the moment on that its address is shown."""

import signal

import pytest

from foldless.app import _routes as routes
from foldless.app import serving
from foldless.app.app_setup import Setup

pytest.importorskip("uvicorn")
DONE: list[str] = []


class Session:
    """Remembers what was done with it."""

    people = ("",)

    def __init__(self, setup, ended=None):
        pass

    def start(self):
        DONE.append("started")

    def open(self):
        DONE.append("opened")

    def close(self):
        DONE.append("closed")


def test_ctrl_c_while_the_address_is_shown_ends_it(tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "LabelingSession", Session)
    monkeypatch.setattr(routes, "application", lambda session: session)
    DONE.clear()

    def interrupted(address):
        DONE.append("shown")
        signal.raise_signal(signal.SIGINT)
        DONE.append("not interrupted")  # it ends the server, which may not have begun, and no line on the way to it

    before = signal.getsignal(signal.SIGINT)
    serving.serve(Setup("train.csv", "topic", tmp_path), shown=interrupted)
    assert DONE == ["started", "opened", "shown", "not interrupted", "closed"]
    assert signal.getsignal(signal.SIGINT) is before
