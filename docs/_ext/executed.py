"""The examples of pages that GitHub shows as they are written: run, and compared with what the page shows.

A block of ``bash`` holds commands, and a block of ``text`` right below it what they print. Blocks of ``python`` and
``pycon`` of a page share their names. Comments, which no reader sees, say the rest:

``<!-- before: COMMAND -->``     a command that makes the files of the page
``<!-- not run: REASON -->``     above a block that is not run, and why

``python docs/_ext/executed.py PAGE ...`` writes what the commands of pages print now.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
FENCE = re.compile(r"^```(\{?[\w-]*\}?)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!-- (before|not run): ((?:(?!-->).)*) -->\s*\Z", re.DOTALL)
TIME = re.compile(r"\d[\d.]* (?:seconds?|minutes?|hours?)")
SHELL = re.compile(r"[|><;&$`*]")  # more than a command with its arguments
NAMES = """
import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.utils import shuffle
from foldless import FoldlessSearch
X, y = shuffle(*load_digits(return_X_y=True), random_state=0)
X = X / 16
X, y, pool, X_new, y_new = X[:60], y[:60], X[60:400], X[1000:1200], y[1000:1200]
search = FoldlessSearch(LogisticRegression(max_iter=500), {"C": [0.1, 1]}, random_state=0)
"""
"""What blocks of Python may use without saying where it comes from: 60 labeled digits, a pool, and other rows."""


@dataclass(frozen=True)
class Block:
    """A block of a page: where its output is in the text, if any, why it is not run, and what is run before it."""

    language: str
    code: str
    line: int
    printed: str | None = None
    at: tuple[int, int] | None = None
    reason: str | None = None
    before: str | None = None


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a page that are code; those that look like commands count, whatever they say they are."""
    fences = list(FENCE.finditer(text))
    for at, fence in enumerate(fences):
        language, code = fence[1], fence[2]
        if language in ("", "text") and re.search(r"^(foldless|python -m foldless) ", code, re.MULTILINE):
            language = "bash"
        if language not in ("bash", "python", "pycon"):
            continue
        block = Block(language, code, text[: fence.start()].count("\n") + 1)
        comment = COMMENT.search(text, 0, fence.start())
        if comment is not None:
            block = replace(block, **{"before" if comment[1] == "before" else "reason": comment[2]})
        below = fences[at + 1] if at + 1 < len(fences) else None
        if language == "bash" and below and below[1] == "text" and not text[fence.end() : below.start()].strip():
            block = replace(block, printed=below[2], at=below.span(2))
        yield block


Command = Callable[[list[str]], tuple[int, str, str]]


def in_process(arguments: list[str]) -> tuple[int, str, str]:
    """What a command of foldless ends with and prints."""
    from click.testing import CliRunner

    from foldless.cli import main

    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.stdout, done.stderr


def printed_by(code: str, command: Command = in_process) -> str:
    """What commands print in the folder we are in; the message of one that fails, which must be the last."""
    lines = [line.partition("  # ")[0].strip() for line in code.replace("\\\n", " ").splitlines()]
    lines = [line for line in lines if line]
    if not all(line.startswith("foldless ") for line in lines) or any(SHELL.search(_bare(line)) for line in lines):
        return _by_shell(code)
    shown = ""
    for at, line in enumerate(lines):
        status, out, err = command(shlex.split(line)[1:])
        if status not in (0, 2) or (status == 2 and at + 1 < len(lines)):
            raise RuntimeError(f"exit status {status} of {line}\n{out}{err}")
        shown += err.splitlines()[-1] if status else out
    return shown


def _bare(line: str) -> str:
    """A command without what is in quotes."""
    return re.sub(r"'[^']*'|\"[^\"]*\"", "", line)


def _by_shell(code: str) -> str:
    if "pip install" in code:
        raise RuntimeError(f"a page must not change the environment, mark it as not run: {code}")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "EXAMPLES": str(EXAMPLES)}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    if done.returncode:
        raise RuntimeError(f"exit status {done.returncode} of {code}\n{done.stdout}{done.stderr}")
    return done.stdout


def prepare(block: Block) -> None:
    """Run what makes the files of a block."""
    if block.before:
        _by_shell(block.before)


def run_python(block: Block, names: dict[str, Any]) -> str:
    """Run a block of Python with the names of its page; what differs from the page, empty if nothing does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if block.language == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block.code, f"block at line {block.line}", "exec"), names)
            return ""
        differs = io.StringIO()
        test = doctest.DocTestParser().get_doctest(block.code, names, f"line {block.line}", None, block.line)
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=differs.write, clear_globs=False)
        names.update(test.globs)
        return differs.getvalue()


def alike(shown: str, printed: str) -> bool:
    """Whether a page shows what is printed; ``...`` stands for anything, and times for other times."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    wanted, printed = (f"{TIME.sub('a while', text.strip())}\n" for text in (shown, printed))
    return doctest.OutputChecker().check_output(wanted, printed, flags)


def write(page: Path) -> None:
    """Put what the commands of a page print into it."""
    text = page.read_text(encoding="utf-8")
    changes: list[tuple[tuple[int, int], str]] = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        _by_shell('python "$EXAMPLES/digits.py" .')
        for block in blocks(text):
            prepare(block)
            if block.language != "bash" or block.reason or block.printed is None or block.at is None:
                continue
            printed = "".join(f"{line.rstrip()}\n" for line in printed_by(block.code).strip("\n").splitlines())
            if not alike(block.printed, printed):
                changes.append((block.at, printed))
        os.chdir(ROOT)
    for (start, end), printed in reversed(changes):
        text = text[:start] + printed + text[end:]
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name).resolve())
