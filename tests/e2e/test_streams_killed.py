"""Real processes on a stream: kill -9 twenty times in a row, Ctrl-C, and standard input that ends when one likes."""

import json
import os
import random
import signal
import time

import numpy as np
import pytest
from helpers.fork_server import ForkServer
from helpers.stream_files import rows

from foldless.saving import model_files

pytestmark = pytest.mark.slow  # processes that are killed

KILLS, BATCH = 20, 50
SMALL = ["--label", "topic", "--batch", BATCH, "--hold", 60, "--every", BATCH]


@pytest.fixture(scope="module")
def foldless(tmp_path_factory):
    server = ForkServer(tmp_path_factory.mktemp("server"))
    yield server
    server.close()


def weights(path):
    kept = model_files.load(path)
    return {**kept.model[-1]._state, "held": np.array(kept.selection["stream"]["held"]["table"])}


@pytest.mark.parametrize("file", ["a.csv", "a.parquet"])
def test_kill_nine_again_and_again(foldless, tmp_path, file):
    """A run is killed at a random step: before a batch, in the middle of one, or while a checkpoint is written."""
    table, path, draw = rows(2000), tmp_path / file, random.Random(file)
    table.to_csv(path, index=False) if file == "a.csv" else table.to_parquet(path, row_group_size=70)
    train = ["stream", "train", path, *SMALL, "--save"]
    assert foldless.run(*train, tmp_path / "whole.skops", "--every", 2000).status == 0
    begun = 0
    kills = KILLS if file == "a.csv" else KILLS // 4
    for _ in range(kills):
        ended = foldless.run(*train, tmp_path / "killed.skops", signal=signal.SIGKILL, step=draw.randint(1, 14))
        assert ended.status == -signal.SIGKILL, ended.err
        assert not (tmp_path / "killed.skops").exists()
        begun += (tmp_path / "killed.skops.checkpoint").exists()
    assert foldless.run(*train, tmp_path / "killed.skops").status == 0
    whole, killed = weights(tmp_path / "whole.skops"), weights(tmp_path / "killed.skops")
    assert all(np.array_equal(part, killed[name]) for name, part in whole.items())
    kept = [model_files.load(tmp_path / name).selection["stream"] for name in ("whole.skops", "killed.skops")]
    assert kept[0] == kept[1]
    assert kept[0]["rows"] == 2000
    assert begun >= kills // 2
    assert {left.name for left in tmp_path.iterdir()} == {file, "whole.skops", "killed.skops"}  # and no debris


def test_ctrl_c_leaves_a_checkpoint_and_says_how_to_go_on(foldless, tmp_path):
    rows(500).to_csv(tmp_path / "a.csv", index=False)
    save = tmp_path / "m.skops"
    train = ["stream", "train", tmp_path / "a.csv", *SMALL, "--save", save]
    stopped = foldless.run(*train, signal=signal.SIGINT, step=8)
    assert stopped.status == 130
    assert f"interrupted after 100 rows: run the same again to resume from {save}.checkpoint" in stopped.err
    assert not save.exists()
    document = json.loads(foldless.run(*train, "--json").out)
    assert document["stream"]["rows"] == 500
    assert document["notes"] == [f"it resumed from {save}.checkpoint, after 100 rows"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "m.skops"]


def test_ctrl_c_at_the_last_steps_changes_nothing(foldless, tmp_path):
    """The stream has come to its end: the model is kept, whatever is pressed while it is being written."""
    (tmp_path / "a.csv").write_text(rows(100).to_csv(index=False).rstrip("\n"))  # the last line has no end
    save = tmp_path / "m.skops"
    train = ["stream", "train", tmp_path / "a.csv", *SMALL, "--save", save]
    behind_the_last_row = foldless.run(*train, signal=signal.SIGINT, step=9)  # whether more follow is not known yet
    assert behind_the_last_row.status == 130
    for more in ({}, {"signal": signal.SIGINT, "step": 11}):  # the second while the model is written
        ended = foldless.run(*train, **more)
        assert ended.status == 0, ended.err
        assert model_files.load(save).selection["stream"]["rows"] == 100
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "m.skops"]


def test_ctrl_c_ends_standard_input_and_keeps_the_model(foldless, tmp_path):
    save, pipe = tmp_path / "m.skops", tmp_path / "pipe"
    os.mkfifo(pipe)
    run = foldless.start("stream", "train", "-", "--label", "topic", "--batch", "100", "--on-error", "skip", "--save",
                         save, "--json", stdin=pipe)  # fmt: skip
    table = rows(500)
    table.loc[450, "topic"] = None
    with pipe.open("wb", buffering=0) as writer:
        writer.write(table.to_csv(index=False).encode() + b"1.5,20,red")  # the last line has not come to its end
        while "row 451 (line 452) of standard input has no label" not in (run.folder / "err").read_text():
            time.sleep(0.01)
        os.kill(run.process, signal.SIGINT)
        ended = run.end()
    assert ended.status == 0, ended.err
    document = json.loads(ended.out)
    assert document["stream"]["rows"] == 499
    assert document["notes"] == ["it was interrupted: standard input ended after 499 rows, and cannot be resumed"]
    assert model_files.load(save).classes == ("a", "b")
