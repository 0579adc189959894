"""``kill -9`` of the server while somebody labels: every label that was acknowledged is there afterwards."""

import http.client
import json
import os
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
    times = int(os.environ.get("FOLDLESS_KILLS", "200"))
    acknowledged = killed(tmp_path, times)
    with capsys.disabled():
        sys.stdout.write(f"\n{times} kills, {len(acknowledged)} acknowledged labels: 0 lost\n")
    assert len(acknowledged) > times / 2


PEOPLE = ("anna", "ben")


def two_people_until_killed(server, first, acknowledged, rng, racing):
    """Two people label at once, each their own rows and every fifth row both; where each got to."""
    if racing:
        server.ask("/do/go", {"models": ["naive-bayes"], "criterion": "auto", "rows": "leaders"})
    killer = threading.Timer(float(rng.uniform(0.02, 1.5)), server.kill)
    reached = dict(first)

    def label(name, seed):
        person, codes = server.as_person(name), np.random.default_rng(seed)
        for row in range(first[name], ROWS):
            if row % 5 and row % 2 != PEOPLE.index(name):
                continue
            reached[name] = row + 1
            code = int(codes.integers(2))
            try:
                if person.ask("/do/label", {"row": row, "code": code})[0] == 200:
                    acknowledged[name, row] = code
            except (OSError, http.client.HTTPException):
                break
        person.close()

    people = [threading.Thread(target=label, args=(name, int(rng.integers(1000)))) for name in PEOPLE]
    killer.start()
    for person in people:
        person.start()
    for person in people:
        person.join()
    killer.join()
    return reached


def _compare_people(folder, acknowledged, first):
    """The file has every answer that was acknowledged once, and at most one more of each person."""
    place = folder / "train.foldless" / "labels.jsonl"
    entries = [json.loads(line) for line in place.read_text().splitlines()[1:]] if place.exists() else []
    answers = [
        (entry["by"], entry["row"], ["ham", "spam"].index(entry["label"])) for entry in entries if "row" in entry
    ]
    given = {(name, row): code for name, row, code in answers}
    assert len(given) == len(answers), "an answer is there twice"
    assert {key: given.get(key) for key in acknowledged} == acknowledged
    assert set(given) - set(acknowledged) <= {(name, first[name] - 1) for name in PEOPLE}
    acknowledged |= given


def killed_with_two(folder, times):
    """Kill the server so often while two people label."""
    write_files(folder, n_pool=ROWS)
    rng, first, acknowledged = np.random.default_rng(1), dict.fromkeys(PEOPLE, 0), {}
    for at in range(times):
        with app_server(*OPTIONS, "--people", ",".join(PEOPLE), cwd=folder) as server:
            _compare_people(folder, acknowledged, first)
            first = two_people_until_killed(server, first, acknowledged, rng, racing=at % 4 == 3)
    with app_server(*OPTIONS, "--people", ",".join(PEOPLE), cwd=folder) as server:
        _compare_people(folder, acknowledged, first)
        both = {row for name, row in acknowledged if name == "anna"} & {
            row for name, row in acknowledged if name == "ben"
        }
        differ = {row for row in both if acknowledged["anna", row] != acknowledged["ben", row]}
        labels = server.sections()["labels"]
        assert labels["disputed"] == len(differ)
        assert labels["total"] == len({row for _, row in acknowledged}) - len(differ)
        server.end()
    return acknowledged


@pytest.mark.nightly
def test_a_hundred_kills_with_two_people_lose_no_answer_and_double_none(tmp_path, capsys):
    times = int(os.environ.get("FOLDLESS_KILLS", "100"))
    acknowledged = killed_with_two(tmp_path, times)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{times} kills with two people, {len(acknowledged)} acknowledged answers: 0 lost, 0 twice\n"
        )
    assert len(acknowledged) > times


@pytest.mark.nightly
def test_twenty_edits_of_the_file_while_two_people_label_lose_nothing(tmp_path, capsys):
    write_files(tmp_path, n_pool=ROWS)
    place, acknowledged, outside, done = tmp_path / "train.foldless" / "labels.jsonl", {}, {}, threading.Event()
    with app_server(*OPTIONS, "--people", ",".join(PEOPLE), cwd=tmp_path) as server:

        def label(name):
            person = server.as_person(name)
            for row in range(PEOPLE.index(name), ROWS, 2):
                if done.is_set():
                    break
                if person.ask("/do/label", {"row": row, "code": row % 2})[0] == 200:
                    acknowledged[row] = row % 2
            person.close()

        people = [threading.Thread(target=label, args=(name,)) for name in PEOPLE]
        for person in people:
            person.start()
        for at in range(20):
            content, row = place.read_bytes(), ROWS - 1 - at
            content = content[: content.rfind(b"\n") + 1] + json.dumps({"row": row, "label": "spam"}).encode() + b"\n"
            time.sleep(0.05)  # people label while somebody edits
            if at % 2:
                place.write_bytes(content)
            else:
                place.with_name("edited").write_bytes(content)
                os.replace(place.with_name("edited"), place)
            outside[row] = 1
            time.sleep(0.1)
        done.set()
        for person in people:
            person.join()
        server.end()
    entries = [json.loads(line) for line in place.read_text().splitlines()[1:]]
    labels = {entry["row"]: ["ham", "spam"].index(entry["label"]) for entry in entries if "row" in entry}
    assert {row: labels.get(row) for row in acknowledged | outside} == acknowledged | outside
    with capsys.disabled():
        sys.stdout.write(f"\n20 edits, {len(acknowledged)} acknowledged answers: 0 lost\n")


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
