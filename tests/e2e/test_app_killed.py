"""``kill -9`` of the server while somebody labels: every label that was acknowledged is there afterwards."""

import http.client
import json
import sys
import threading
import time

import numpy as np
import pytest
from helpers.app_server import app_server, write_files

OPTIONS = ("train.csv", "--label", "label", "--unlabeled", "pool.csv", "--model", "naive-bayes")
ROWS = 4000


def labels_until_killed(server, first, acknowledged, rng, racing):
    """Label rows one after the other; what the server acknowledges is noted. It is killed at some moment."""
    if racing:
        server.ask("/do/go", {"models": ["naive-bayes"], "criterion": "auto", "rows": "leaders"})
    killer = threading.Timer(float(rng.uniform(0.02, 0.6)), server.kill)
    killer.start()
    for row in range(first, ROWS):
        code = int(rng.integers(2))
        try:
            if server.label(row, code):
                acknowledged[row] = code
        except (OSError, http.client.HTTPException):
            break
    killer.join()
    return row + 1


def killed(folder, times):
    """Kill the server so often; after each start the labels are those that were acknowledged, and at most one more."""
    write_files(folder, n_pool=ROWS)
    rng, first, acknowledged = np.random.default_rng(0), 0, dict[int, int]()
    for at in range(times):
        with app_server(*OPTIONS, cwd=folder) as server:
            _compare(server, acknowledged, first)
            first = labels_until_killed(server, first, acknowledged, rng, racing=at % 2 == 1)
    with app_server(*OPTIONS, cwd=folder) as server:
        _compare(server, acknowledged, first)
        server.end()
    return acknowledged


def _compare(server, acknowledged, first):
    given = {int(row): code for row, code in server.sections()["labels"]["given"].items()}
    assert {row: given.get(row) for row in acknowledged} == acknowledged
    extra = set(given) - set(acknowledged)
    assert extra <= {first - 1}  # on the disk, and killed before it could be said
    acknowledged |= given


@pytest.mark.nightly
def test_two_hundred_kills_lose_no_acknowledged_label(tmp_path, capsys):
    acknowledged = killed(tmp_path, 200)
    with capsys.disabled():
        sys.stdout.write(f"\n200 kills, {len(acknowledged)} acknowledged labels: 0 lost\n")
    assert len(acknowledged) > 100


@pytest.mark.nightly
def test_the_process_that_trains_ends_with_the_server(tmp_path):
    import psutil

    write_files(tmp_path)
    with app_server(*OPTIONS, cwd=tmp_path) as server:
        workers = psutil.Process(server.process.pid).children(recursive=True)
        assert workers
        server.ask("/do/go", {"models": ["naive-bayes"], "criterion": "auto", "rows": "leaders"})
        server.kill()
        gone, alive = psutil.wait_procs(workers, timeout=20)
    assert alive == []


@pytest.mark.nightly
def test_a_process_that_trains_and_dies_is_replaced(tmp_path):
    import psutil

    write_files(tmp_path)
    with app_server(*OPTIONS, cwd=tmp_path) as server:
        assert server.label(3, 1)
        (worker,) = [
            each
            for each in psutil.Process(server.process.pid).children()
            if "resource_tracker" not in " ".join(each.cmdline())
        ]
        worker.kill()
        end = time.monotonic() + 60
        while "process died" not in str(server.sections()["work"]["problem"]):
            assert time.monotonic() < end
            time.sleep(0.1)
        assert server.label(4, 0)  # labels need no process that trains
        assert server.ask("/do/go", {"models": ["naive-bayes"], "criterion": "auto", "rows": "leaders"})[0] == 200
        while not server.sections().get("result"):
            assert time.monotonic() < end
            time.sleep(0.2)
        assert server.sections()["result"]["given"] == 2


@pytest.mark.nightly
def test_the_same_files_go_on_and_others_are_refused(tmp_path):
    write_files(tmp_path)
    with app_server(*OPTIONS, cwd=tmp_path) as server:
        assert server.label(0, 1)
        with pytest.raises(AssertionError), app_server(*OPTIONS, cwd=tmp_path):
            pass  # the folder is in use
    pool = (tmp_path / "pool.csv").read_text().splitlines()
    (tmp_path / "pool.csv").write_text("\n".join([pool[0], *pool[:0:-1]]) + "\n")
    with pytest.raises(AssertionError), app_server(*OPTIONS, cwd=tmp_path):
        pass
    lines = (tmp_path / "train.foldless" / "labels.jsonl").read_text().splitlines()
    assert [(entry["row"], entry["label"]) for entry in map(json.loads, lines[1:])] == [(0, "spam")]
