"""Ctrl-C while packages are imported ends the process with one line."""

import os
import signal
import threading

import pytest

from foldless.cli.terminal._interrupts import INTERRUPTED, ends_quietly


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process")
def test_one_line_and_no_traceback() -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 2)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with ends_quietly():
            os.kill(os.getpid(), signal.SIGINT)
            os._exit(1)
    os.close(writer)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == INTERRUPTED
    with os.fdopen(reader) as said:
        assert said.read() == "Error: interrupted\n"


def test_the_handler_of_before_comes_back() -> None:
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with ends_quietly():
            assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the background of a shell
        with ends_quietly():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, inherited)


def test_other_threads_do_without() -> None:
    done = []

    def work() -> None:
        with ends_quietly():
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
