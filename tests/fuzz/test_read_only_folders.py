"""A folder where an ordinary user may not write: commands that read answer, others are refused in a sentence."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fuzz.apart import each_apart
from fuzz.whole_commands import READS, WRITES, ended_badly, table, words_of, write_models

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "setuid"), reason="has no users of this kind")]

NOBODY = 65534
EVERY = [*(("reads", name) for name in READS), *(("writes", name) for name in WRITES)]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def work_in(folder: Path) -> Callable[[int], str]:
    names = {"train": "t.csv", "pool": "pool.csv", "model": "model.skops", "stream": "stream.skops", "output": "out"}
    before = contents(folder)

    def work(at: int) -> str:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        os.chdir(folder)
        try:
            (folder / "probe").touch()
            return f"{folder} can be written"
        except PermissionError:
            pass
        kind, name = EVERY[at % len(EVERY)]
        words = words_of((READS if kind == "reads" else WRITES)[name], names)
        if random.Random(at).random() < 0.3:  # from another folder, which cannot be written either
            os.chdir("/")
            words = [str(folder / word) if word in names.values() or word.startswith("out") else word for word in words]
        wrong = ended_badly(words)
        if wrong:
            return wrong
        return "" if contents(folder) == before else f"{words}: a file has changed"

    return work


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files in a folder without permission to write, below folders that all may enter."""
    monkeypatch.chdir(tmp_path)
    models = write_models(tmp_path)
    place = Path("/tmp") / f"foldless-read-only-{os.getpid()}"
    place.mkdir()
    for name, content in {"t.csv": table(), "pool.csv": table(40, 50, label=False)}.items():
        (place / name).write_bytes(content)
    for name, content in models.items():
        (place / f"{name}.skops").write_bytes(content)
    for path in place.iterdir():
        path.chmod(0o444)
    place.chmod(0o555)
    yield place
    place.chmod(0o755)
    shutil.rmtree(place)


def test_commands_in_a_folder_that_cannot_be_written(folder: Path) -> None:
    said = each_apart(work_in(folder), 2 * len(EVERY))
    assert [wrong for wrong in said if wrong] == []
