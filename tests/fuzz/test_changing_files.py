"""Files that grow, shrink, are replaced or removed while a command reads them: an answer, or one sentence.

Rows that come out have the labels of their own values, whatever took the place of their file meanwhile. What a command
writes is disturbed as well: journals, checkpoints and models of streams.
"""

import gzip
import io
import os
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from fuzz.apart import each_apart
from fuzz.whole_commands import READS, WRITES, drawn, ended_badly, table, words_of, write_models

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="open files cannot be replaced there")]

FEW, MANY = 40, 500
MORE = b"1,2,2024-01-05,a\n"
ENDINGS = (".csv", ".parquet", ".csv.gz", ".jsonl")


OURS = ("out", "m.skops", "out.skops", "out.csv")  # a journal, a checkpoint, models and rows


def written(content: bytes, path: Path) -> None:
    """A table of these lines in the format of a path."""
    frame = pd.read_csv(io.BytesIO(content))
    if path.suffix == ".parquet":
        frame.to_parquet(path, index=False)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False)


def change(path: Path, how: str, rng: random.Random) -> None:
    """One accident of a file."""
    with suppress(OSError, EOFError, pa.ArrowException):  # what was changed before may be no table any more
        if how == "grow":
            with path.open("ab") as file:
                file.write(MORE * rng.choice([1, 50]))
        elif how == "shrink":
            os.truncate(path, rng.randrange(path.stat().st_size + 1))
        elif how == "replace":
            other = path.with_name("other" + path.suffix)
            other.write_bytes(table(rng.randrange(1, 60)) if rng.random() < 0.5 else path.read_bytes()[:-3])
            os.replace(other, path)
        elif how == "shuffle":
            other = path.with_name("other" + path.suffix)
            shuffled(path, other, rng)
            os.replace(other, path)
        elif how == "remove":
            path.unlink()
        elif how == "folder":
            path.unlink()
            path.mkdir()


def shuffled(path: Path, other: Path, rng: random.Random) -> None:
    """The same rows in another order."""
    if path.suffix == ".parquet":
        table = pa.parquet.read_table(path)
        pa.parquet.write_table(table.take(rng.sample(range(len(table)), len(table))), other)
        return
    content = path.read_bytes()
    lines = (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines(keepends=True)
    head = 0 if path.suffix == ".jsonl" else 1
    rows = lines[head:]
    content = b"".join([*lines[:head], *rng.sample(rows, len(rows))])
    other.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


class Changing(threading.Thread):
    """Changes files until it is told to end."""

    def __init__(self, paths: list[Path], seed: int):
        super().__init__(daemon=True)
        self._paths, self._rng, self.over = paths, random.Random(seed), threading.Event()

    def run(self) -> None:
        how = self._rng.choice(["grow", "shuffle", "shuffle", "shrink", "replace", "remove", "folder"])
        time.sleep(self._rng.uniform(0, 0.1))
        while not self.over.is_set():
            change(self._rng.choice(self._paths), how, self._rng)
            time.sleep(self._rng.uniform(0.0005, 0.02))


def work_in(root: Path, models: dict[str, bytes]) -> Callable[[int], str]:
    def work(seed: int) -> str:
        rng = random.Random(seed)
        folder = root / str(seed)
        folder.mkdir()
        os.chdir(folder)
        ending = rng.choice(ENDINGS)
        names = {"train": f"t{ending}", "pool": f"pool{ending}", "output": "out"}
        written(table(400), folder / names["train"])
        written(table(4000, 50, label=False), folder / names["pool"])
        for name, content in models.items():
            names[name] = f"{name}.skops"
            (folder / names[name]).write_bytes(content)
        words = words_of(drawn(rng, READS | {f"{name} writes": at for name, at in WRITES.items()}), names)
        disturbed = [*names.values(), *(name for name in OURS if name in words)]
        changing = Changing([folder / name for name in rng.sample(disturbed, rng.randint(1, 2))], seed)
        changing.start()
        try:
            wrong = ended_badly(words)
        finally:
            changing.over.set()
            changing.join(10)
        return wrong or (mislabeled(folder, models["model"]) if words[0] == "predict" else "")

    return work


def mislabeled(folder: Path, model: bytes) -> str:
    """How many rows of an output have labels that its model does not give them; empty where none has."""
    if not (folder / "out.csv").is_file():
        return ""
    (folder / "sound.skops").write_bytes(model)
    given = pd.read_csv(folder / "out.csv")
    given[["x", "z", "day"]].to_csv(folder / "rows.csv", index=False)
    wrong = ended_badly(["predict", "sound.skops", "rows.csv", "--output", "again.csv"])
    again = pd.read_csv(folder / "again.csv")
    others = int((given["predicted_y"] != again["predicted_y"]).sum())
    return wrong or (f"{others} of {len(given)} rows have labels of others" if others else "")


def faults(root: Path, n: int) -> list[tuple[int, str]]:
    models = write_models(root)
    return [(seed, wrong) for seed, wrong in enumerate(each_apart(work_in(root, models), n)) if wrong]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_that_changes_is_read_or_refused(root: Path) -> None:
    assert faults(root, FEW) == []


@pytest.mark.nightly
def test_hundreds_of_files_that_change_are_read_or_refused(root: Path) -> None:
    assert faults(root, MANY) == []
