"""Workers without foldless, or with another version, end a command with one sentence and status 2."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.command import run

pytestmark = pytest.mark.nightly
pytest.importorskip("distributed")
WORKER = """
import sys
sys.path[:0] = {path!r}
{change}
from distributed.cli.dask_worker import main
if __name__ == "__main__":
    main(["--scheduler-file", {file!r}, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--death-timeout", "30"])
"""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("sys.modules['foldless'] = None", "lacks foldless: install foldless"),
        ("import foldless; foldless.__version__ = '0.0.1'", "has foldless 0.0.1, and this process has"),
        ("import sklearn; sklearn.__version__ = '1.0'", "has scikit-learn 1.0, and this process has"),
    ],
)
def test_one_sentence_and_nothing_lost(tmp_path: Path, change: str, said: str) -> None:
    file, train, journal = tmp_path / "scheduler.json", tmp_path / "train.csv", tmp_path / "journal"
    rows = [f"{at % 7},{at % 5 - at % 2},{'yes' if at % 2 else 'no'}" for at in range(60)]
    train.write_text("\n".join(["a,b,kind", *rows]) + "\n", encoding="utf-8")
    script = tmp_path / "worker.py"
    script.write_text(WORKER.format(path=sys.path, change=change, file=str(file)), encoding="utf-8")
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", str(file), "--port", "0",
               "--host", "127.0.0.1", "--no-dashboard"]  # fmt: skip
    scheduler = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    worker = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.DEVNULL, env=dict(os.environ))
    try:
        while not file.exists():
            time.sleep(0.1)
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        typed = ["select", str(train), "--label", "kind", "--model", "naive-bayes", "--journal", str(journal)]
        ended = run(*typed, "--cluster", address, status=2)
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    assert said in ended.stderr
    assert address in ended.stderr
    assert ended.stderr.count("\n") == 1
    run(*typed)
