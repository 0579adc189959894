"""Real processes on a stream: kill -9 twenty times in a row, Ctrl-C, and standard input that ends when one likes.

The runs are forked from a process that has imported everything, which makes twenty of them affordable; each is a
process of its own that dies by SIGKILL.
"""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from stream_files import rows

from foldless import keeping

KILLS = 20
DRIVER = """
    import json, os, random, signal, sys, time
    from pathlib import Path
    import skops.io
    from foldless.cli import main
    from foldless.online import NEMSIS

    NEMSIS("bakld").fit([[0.0], [1.0]], [0, 1])
    command, checkpoint, kills = sys.argv[4:], Path(sys.argv[1]), int(sys.argv[2])
    draw = random.Random(int(sys.argv[3]))

    def start():
        child = os.fork()
        if child == 0:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            main(command)
        return child

    def changes(child, n):
        "Wait for some new checkpoints; False where the run ends before."
        seen = None
        while n:
            now = checkpoint.stat().st_mtime_ns if checkpoint.exists() else None
            n, seen = n - (now is not None and now != seen), now
            if os.waitpid(child, os.WNOHANG)[0]:
                return False
            time.sleep(0.001)
        return True

    told = []
    for _ in range(kills):
        child = start()
        if not changes(child, draw.randint(1, 3)):
            raise SystemExit("a run ended before it could be killed")
        time.sleep(draw.random() * 0.02)
        os.kill(child, signal.SIGKILL)
        told.append(os.WTERMSIG(os.waitpid(child, 0)[1]))
    told.append(os.WEXITSTATUS(os.waitpid(start(), 0)[1]))
    print(json.dumps(told))
"""


def killed(kills, seed, save, *command):
    """How the runs ended that were killed, and the last one, which was not."""
    typed = [sys.executable, "-c", textwrap.dedent(DRIVER), f"{save}.checkpoint", str(kills), str(seed), *command]
    done = subprocess.run([*typed, "--save", str(save)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def weights(path):
    kept = keeping.load(path)
    return {**kept.model[-1]._state, "held": np.array(kept.selection["stream"]["held"]["table"])}


@pytest.mark.parametrize("file", ["a.csv", "a.parquet"])
def test_kill_nine_again_and_again(tmp_path, file):
    kills = KILLS if file == "a.csv" else KILLS // 4
    table, path = rows(800 * kills), tmp_path / file
    table.to_csv(path, index=False) if file == "a.csv" else table.to_parquet(path, row_group_size=700)
    command = ["stream", "train", str(path), "--label", "topic", "--batch", "200", "--hold", "300"]
    assert killed(0, 0, tmp_path / "whole.skops", *command) == [0]
    ended = killed(kills, 1, tmp_path / "killed.skops", *command, "--every", "200")
    assert ended == [signal.SIGKILL] * kills + [0]
    one, other = weights(tmp_path / "whole.skops"), weights(tmp_path / "killed.skops")
    assert all(np.array_equal(part, other[name]) for name, part in one.items())
    kept = [keeping.load(tmp_path / name).selection["stream"] for name in ("whole.skops", "killed.skops")]
    assert kept[0] == kept[1]
    assert kept[0]["rows"] == 800 * kills
    assert not list(tmp_path.glob("*.checkpoint"))


def foldless(*args, **more):
    code = "from foldless.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


def test_ctrl_c_leaves_a_checkpoint_and_says_how_to_go_on(tmp_path):
    rows(20_000).to_csv(tmp_path / "a.csv", index=False)
    save = tmp_path / "m.skops"
    command = ["stream", "train", tmp_path / "a.csv", "--label", "topic", "--batch", "200", "--every", "200",
               "--save", save]  # fmt: skip
    run = foldless(*command)
    checkpoint = Path(f"{save}.checkpoint")
    while not checkpoint.exists() and run.poll() is None:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 130
    assert f"rows; the same command goes on from {checkpoint}" in told
    assert not save.exists()
    again = foldless(*command, "--json", "--every", "100000")
    document = json.loads(again.communicate(timeout=120)[0])
    assert document["stream"]["rows"] == 20_000
    assert document["notes"][0].startswith(f"it went on from {checkpoint}, behind ")
    assert not checkpoint.exists()


def test_ctrl_c_ends_standard_input_and_keeps_the_model(tmp_path):
    read, write = os.pipe()
    save = tmp_path / "m.skops"
    run = foldless("stream", "train", "-", "--label", "topic", "--batch", "100", "--on-error", "skip", "--save", save,
                   "--json", stdin=read)  # fmt: skip
    table = rows(500)
    table.loc[450, "topic"] = None
    os.write(write, table.to_csv(index=False).encode() + b"1.5,20,red")  # the last line has not come to its end
    assert "row 451 (line 452) of standard input has no label" in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    told, _ = run.communicate(timeout=60)
    os.close(read)
    os.close(write)
    assert run.returncode == 0
    document = json.loads(told)
    assert document["stream"]["rows"] == 499
    assert document["notes"] == ["it was interrupted: standard input ended behind 499 rows, and cannot be resumed"]
    assert keeping.load(save).classes == ("a", "b")
