"""Labels, file names and models with terminal escapes: none reaches the terminal."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command import run

from foldless.cli.terminal._printable import printable

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def harmless(text: str) -> bool:
    return not any(sign in text for sign in ("\x1b]", "\x1b[2J", "\x07", "\x9b", "\u202e"))


def test_control_characters_are_spelled_out() -> None:
    assert printable(EVIL) == "\\x1b]0;owned\\x07\\x1b[2J\\x9b31m\\u202e"
    assert printable("tabs\tand\nlines, naïve − 漢字 👍") == "tabs\tand\nlines, naïve − 漢字 👍"


def files() -> str:
    name = f"{EVIL}.csv"
    lines = "".join(f"{at % 2 * 9 + at % 5},{'ab'[at % 2]}{EVIL}\n" for at in range(60))
    Path(name).write_text(f"x,y{EVIL}\n" + lines, encoding="utf-8")
    return name


def test_labels_and_file_names_in_commands() -> None:
    name, label = files(), f"y{EVIL}"
    given = ("--label", label, "--grid", "C=1", "--criterion", "k-fold")
    assert harmless(run("select", name, *given, "--save", "m.skops").output)
    assert harmless(run("compare", name, "--label", label, "--grid", "C=1").output)
    assert harmless(run("select", name, "--label", "z", status=2).output)
    assert harmless(run("select", EVIL, "--label", "z", status=2).output)
    assert harmless(run("predict", "m.skops", name, "--output", "out.csv").output)
    assert harmless(run("predict", EVIL, name, status=2).output)
    assert harmless(run("stream", "train", name, "--label", label, "--batch", "20", "--save", "s.skops").output)
    assert harmless(run("stream", "train", name, "--label", "z", "--save", "t.skops", status=2).output)
    assert harmless(run("predict", "m.skops", name, "--json").output)
    assert json.loads(run("predict", "m.skops", name, "--json").stdout)["labels"][0] == f"a{EVIL}"


def on_terminal(*args: str) -> str:
    ours, theirs = pty.openpty()
    code = "from foldless.cli import main; main()"
    with subprocess.Popen([sys.executable, "-c", code, *args], stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 2**16)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    assert process.returncode == 0, shown
    return shown.decode(errors="replace")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="terminals of Unix")
def test_rows_that_are_printed_on_a_terminal() -> None:
    name, label = files(), f"y{EVIL}"
    run("stream", "train", name, "--label", label, "--batch", "20", "--save", "m.skops")
    assert EVIL in run("predict", "m.skops", name).stdout  # a pipe or a file has what the table has
    for args in (("predict", "m.skops", name), ("stream", "shares", name, "--model", "m.skops", "--window", "20")):
        shown = on_terminal(*args)
        assert "owned" in shown
        assert harmless(shown)
