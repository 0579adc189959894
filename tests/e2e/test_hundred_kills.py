"""kill -9 a hundred times over select, compare, certify and a stream: at last comes out what came out undisturbed.

A run is killed at a random step of its work or up to a twentieth of a second after it, the same command is run again,
and so on, until one comes to its end; then all begins anew.
"""

import json
import random
import signal
from pathlib import Path
from typing import Any

import pytest
from helpers.fork_server import ForkServer
from helpers.stream_files import rows

KILLS = 25  # of each command
MODELS = ["--model", "naive-bayes", "--model", "linear-svc", "--grid", "linear-svc.C=0.1,1", "--seed", "3"]
SEARCH = ["a.csv", "--label", "topic", "--unlabeled", "pool.csv", *MODELS, "--journal", "j", "--json"]
COMMANDS = {
    "select": ["select", *SEARCH, "--save", "m.skops", "--predict", "out.csv"],
    "compare": ["compare", *SEARCH, "--criteria", "k-fold,quantification-bound,semi-supervised-cv"],
    "certify": ["certify", *SEARCH, "--save", "m.skops", "--predict", "out.csv"],
    "stream": ["stream", "train", "s.csv", "--label", "topic", "--batch", "50", "--hold", "60", "--every", "50",
               "--save", "m.skops", "--json"],
}  # fmt: skip
STEPS = {"stream": 40}
OUTPUTS = ("out.csv", "m.skops", "j", "m.skops.checkpoint")
CHANGES = {"seconds", "n_fits", "fits", "rows_per_second", "notes", "timings", "resumed"}  # of a run that goes on

pytestmark = pytest.mark.nightly


def lasting(value: Any) -> Any:
    """What does not depend on how often a run was stopped."""
    if isinstance(value, dict):
        return {key: lasting(part) for key, part in value.items() if key not in CHANGES}
    return [lasting(part) for part in value] if isinstance(value, list) else value


def outcome(printed: str, folder: Path) -> tuple[Any, bytes]:
    """What a command printed and the table that it wrote; afterwards nothing is left of it."""
    table = (folder / "out.csv").read_bytes() if (folder / "out.csv").exists() else b""
    for name in OUTPUTS:
        (folder / name).unlink(missing_ok=True)
    left = {path.name for path in folder.iterdir()}
    assert left == {"a.csv", "pool.csv", "s.csv"}
    return lasting(json.loads(printed)), table


@pytest.mark.parametrize("command", COMMANDS)
def test_the_result_of_a_run_that_was_killed(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, draw = tmp_path / "work", random.Random(command)
    folder.mkdir()
    monkeypatch.chdir(folder)
    rows(60).to_csv("a.csv", index=False)
    rows(300, seed=1).to_csv("pool.csv", index=False)
    rows(1000, seed=2).to_csv("s.csv", index=False)
    outside = tmp_path / "server"
    outside.mkdir()
    server = ForkServer(outside)
    try:
        ended = server.run(*COMMANDS[command])
        assert ended.status == 0, ended.err
        whole, kills, ends = outcome(ended.out, folder), 0, 0
        while kills < KILLS or not ends:
            delay = draw.choice([0.0, draw.uniform(0, 0.05)])
            more = {"signal": signal.SIGKILL, "step": draw.randint(1, STEPS.get(command, 12)), "delay": delay}
            ended = server.run(*COMMANDS[command], **(more if kills < KILLS else {}))
            if ended.status == -signal.SIGKILL:
                kills += 1
                continue
            assert ended.status == 0, ended.err
            assert outcome(ended.out, folder) == whole
            ends += 1
    finally:
        server.close()
