"""Whatever is typed: exit 0, or exit 2 and one sentence; no traceback, no escape, and no file changed."""

import json
import os
import warnings
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fuzz.odd_commands import Case, case
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foldless.cli import main

pytestmark = pytest.mark.slow  # hundreds of commands

LONGEST = 500
OPTIONS: dict[str, Any] = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


def fault(given_case: Case, result: Result, before: dict[str, bytes], after: dict[str, bytes]) -> str:
    """What is wrong with how a command ended; empty where nothing is."""
    if not isinstance(result.exception, SystemExit | type(None)):
        return f"{type(result.exception).__name__}: {result.exception}"
    if result.exit_code not in (0, 2):
        return f"status {result.exit_code}"
    rows = given_case.args[:1] == ("predict",) or given_case.args[:2] == ("stream", "shares")
    if "\x1b" in (result.stderr if rows else result.output):  # rows go into a pipe as they are
        return "an escape reaches the terminal"
    changed = {name for name, content in before.items() if after.get(name) != content}
    if changed - (given_case.outputs if result.exit_code == 0 else set()):
        return f"{sorted(changed)} changed"
    *notes, last = result.stderr.splitlines() or [""]
    if result.exit_code == 2 and not (last.startswith("Error: ") and len(last) < LONGEST):
        return f"no sentence: {last[:600]!r}"
    odd = [line for line in notes if "Warning" in line or "Traceback" in line]
    if odd:
        return f"printed {odd[0]!r}"
    if result.exit_code == 0 and "--json" in given_case.args and given_case.args[0] != "stream":
        json.loads(result.stdout)
    return ""


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Models to predict with."""
    folder = tmp_path_factory.mktemp("trained")
    table = folder / "t.csv"
    table.write_text("x,z,y\n" + "".join(f"{at % 2 * 3 + at % 5},{at % 7},{'ab'[at % 2]}\n" for at in range(24)))
    select = ["select", str(table), "--label", "y", "--model", "naive-bayes", "--criterion", "hold-out"]
    stream = ["stream", "train", str(table), "--label", "y", "--batch", "8"]
    made = {"model.skops": select, "stream.skops": stream}
    for name, args in made.items():
        result = CliRunner().invoke(main, [*args, "--save", str(folder / name)])
        assert result.exit_code == 0, result.output
    return {name: (folder / name).read_bytes() for name in made}


def run(given_case: Case, folder: Path, trained: dict[str, bytes]) -> str:
    """What is wrong with a case, run in an empty folder."""
    folder.mkdir()
    os.chdir(folder)
    (folder / "folder").mkdir()
    files = {**trained, "old.csv": b"an older result\n", **{file.name: file.content for file in given_case.files}}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    before = contents(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("always")  # as in a shell: they would be printed
        result = CliRunner().invoke(main, list(given_case.args))
    return fault(given_case, result, before, contents(folder))


def checked(seed: int, root: Path, trained: dict[str, bytes]) -> None:
    folder, made = root / str(len(list(root.iterdir()))), case(seed)
    wrong = run(made, folder, trained)
    assert not wrong, f"{wrong}\n{made.args}\n{[(file.name, file.content[:600]) for file in made.files]}"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # so that the folder of before comes back
    return tmp_path


@settings(max_examples=300, **OPTIONS)
@given(st.integers(0, 2**32 - 1))
def test_a_command_ends_well(root: Path, trained: dict[str, bytes], seed: int) -> None:
    checked(seed, root, trained)


@pytest.mark.nightly
@settings(max_examples=5000, **OPTIONS)
@given(st.integers(0, 2**64 - 1))
def test_thousands_of_commands_end_well(root: Path, trained: dict[str, bytes], seed: int) -> None:
    checked(seed, root, trained)
