"""In a real pseudo-terminal of 60 to 200 columns no number is cut and no line is too long."""

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.cells import cell_len
from tests.helpers.command import run

from foldless.cli.terminal._layout import fitted, lines, wrapped
from foldless.core.certificate import raised

pytestmark = pytest.mark.slow  # a terminal for each case

WIDTHS = (60, 80, 100, 120, 200)
RUNS = {"select": WIDTHS, "compare": WIDTHS, "certify": WIDTHS, "predict": (60, 80), "stream shares": (60,)}
# Starting is most of a command, so that one process starts for all and imports what each needs; a copy of it runs each.
COPIES = """
import fcntl, json, os, struct, sys, termios
from click.testing import CliRunner
from foldless.cli import main
runs = json.loads(sys.argv.pop())
for words in {tuple(words) for _, words in runs}:
    CliRunner().invoke(main, words)
for width, words in runs:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    child = os.fork()
    if not child:
        sys.argv[1:] = words
        main()
    assert os.waitpid(child, 0)[1] == 0, words
    os.write(1, b"\\0")
"""
TASK = ("train.csv", "--label", "kind", "--unlabeled", "pool.csv", "--test", "test.csv")
GRID = ("--model", "linear-svc", "--model", "naive-bayes", "--grid", "linear-svc.C=0.00123456,1")
CRITERIA = "auto,k-fold,semi-supervised-cv,quantification-bound,similar-data:3+ada"
COMMANDS: dict[str, tuple[str, ...]] = {
    "select": ("select", *TASK, *GRID, "--journal", "select.journal", "--verbose"),
    "compare": ("compare", *TASK, *GRID, "--criteria", CRITERIA, "--journal", "compare.journal"),
    "certify": ("certify", *TASK, *GRID, "--journal", "certify.journal"),
    "predict": ("predict", "model.skops", "test.csv", "--output", "labeled.csv"),
    "stream shares": ("stream", "shares", "pool.csv", "--model", "model.skops", "--window", "100"),
}
LONG = [f"a class with quite a long name {number}" for number in range(7)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Seven classes with long names in five columns; a model is saved."""
    path = tmp_path_factory.mktemp("terminals")
    rng = np.random.default_rng(0)
    codes = np.arange(500) % 7
    X = rng.normal(size=(500, 5)) + 2 * rng.normal(size=(7, 5))[codes]
    frame = pd.DataFrame(X, columns=list("abcde")).assign(kind=np.array(LONG)[codes])
    frame[:70].to_csv(path / "train.csv", index=False)
    frame[70:400].drop(columns="kind").to_csv(path / "pool.csv", index=False)
    frame[400:].to_csv(path / "test.csv", index=False)
    with contextlib.chdir(path) if sys.version_info >= (3, 11) else _chdir(path):
        run(*COMMANDS["select"], "--save", "model.skops")
        yield path


@contextlib.contextmanager
def _chdir(path: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(path)
    yield
    os.chdir(before)


@pytest.fixture(scope="module")
def seen(folder: Path) -> dict[tuple[str, int], list[str]]:
    """The lines that a terminal gets, without colors, by command and width."""
    runs = [(name, width) for name, widths in RUNS.items() for width in widths]
    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-c", COPIES, json.dumps([(width, COMMANDS[name]) for name, width in runs])],
        stdout=theirs, stderr=subprocess.PIPE, env=environment | {"TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    output = b""
    with contextlib.suppress(OSError):  # Linux says so when the other side is closed
        while block := os.read(ours, 65536):
            output += block
    os.close(ours)
    errors = process.communicate()[1].decode()
    assert process.returncode == 0, errors
    plain = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", output.decode()).replace("\r\n", "\n")
    return {key: shown.splitlines() for key, shown in zip(runs, plain.split("\0"), strict=False)}


@cache
def document(name: str) -> Any:
    """What ``--json`` prints, from the same journal."""
    return json.loads(run(*COMMANDS[name], "--json").stdout)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["select", "compare", "certify"])
def test_every_score_is_whole(seen: Any, name: str, width: int) -> None:
    shown = seen[name, width]
    text = " ".join(shown)
    assert all(cell_len(line) <= width for line in shown), [line for line in shown if cell_len(line) > width]
    assert "…" not in text
    found = document(name)
    rows = found["criteria"] if name == "compare" else found["ranking"]
    for row in (row for row in rows if row["score"] is not None):
        accuracy = row["test_accuracy"]
        figures = [row["upper"] if name == "certify" else row["score"]]
        if accuracy is not None:  # where labels are held out, that of the chosen model alone is known
            figures.append(1 - accuracy if name == "certify" else accuracy)
        figures += [row["regret"]] if name == "compare" else []
        for figure in figures:  # bounds are rounded up
            either = "|".join(map(re.escape, (f"{figure:.4f}", raised(figure))))
            assert re.search(rf"(?<![\d.])({either})(?!\d)", text), (figure, shown)
    assert name == "compare" or "C=0.00123456" in text  # a comparison shows the chosen candidates only


@pytest.mark.parametrize("width", RUNS["predict"])
def test_predicted_shares_are_whole(seen: Any, width: int) -> None:
    shown = seen["predict", width]
    labeled = pd.read_csv("labeled.csv")["predicted_kind"].value_counts(normalize=True)
    text = " ".join(" ".join(shown).split())
    assert all(cell_len(line) <= width for line in shown)
    for kind in LONG:
        assert kind in text
        assert f"{labeled[kind]:.3f}" in text


def test_shares_of_a_stream_are_lines_of_csv_on_a_narrow_terminal(seen: Any) -> None:
    assert seen["stream shares", 60] == run(*COMMANDS["stream shares"]).stdout.splitlines()


COLUMNS = {
    "criterion": ["quantification-bound", "k-fold"],
    "choice": ["linear-svc C=0.00123456", "svc C=1, gamma=0.0333"],
    "score": ["0.9995", "0.8090"],
    "test accuracy": ["0.1234", "0.5678"],
    "regret": ["0.0011", "0.0022"],
    "seconds": ["1.25", "0.75"],
    "notes": ["a note of several words " * 5, ""],
}


@pytest.mark.parametrize("width", range(24, 200))
def test_a_table_of_any_width_keeps_its_words(width: int) -> None:
    layout = fitted(COLUMNS, width)
    shown = [line.text for line in lines(layout, width)]
    words = " ".join(shown).replace(",", " ").split()
    kept = [title for title in COLUMNS if title not in layout.left_out]
    for title in kept:
        for cell in COLUMNS[title]:
            assert set(cell.replace(",", " ").split()) <= set(words)
    assert max(map(cell_len, shown)) <= width
    assert {"score", "regret", "criterion"} <= set(kept)


def test_columns_go_before_words_and_words_before_second_lines() -> None:
    assert fitted(COLUMNS, 300).below == ()
    wide, narrow, least = fitted(COLUMNS, 106), fitted(COLUMNS, 80), fitted(COLUMNS, 40)
    assert (wide.below, wide.left_out) == (COLUMNS["notes"], ())
    assert (list(narrow.columns)[3], narrow.left_out) == ("test acc.", ("seconds",))
    assert not narrow.stacked
    assert least.stacked


def test_a_list_keeps_its_indent() -> None:
    assert list(wrapped("  - one two three", 11)) == ["  - one two", "    three"]
