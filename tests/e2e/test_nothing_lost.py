"""What must hold whatever happens to files, processes, memory and time; each test writes its figure."""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.app_server import STARTED, app_server, write_files

pytestmark = pytest.mark.nightly

LABELING = ("train.csv", "--label", "label", "--unlabeled", "pool.csv", "--model", "naive-bayes")
REPLACED, TABS, KILLS = 50, 50, 50
GIGABYTE = 2**30
LEVELS = (GIGABYTE // 2, GIGABYTE, 2 * GIGABYTE, 4 * GIGABYTE, 8 * GIGABYTE)
SEARCH = ("t.csv", "--label", "y", "--unlabeled", "pool.csv")
MODELS = ("--model", "naive-bayes,linear-svc")
COMMANDS = {
    "select": ("select", *SEARCH, *MODELS),
    "portfolio": ("select", *SEARCH, "--time-budget", "5"),
    "compare": ("compare", *SEARCH, *MODELS, "--criteria", "k-fold,hold-out"),
    "certify": ("certify", *SEARCH, *MODELS),
    "quantify": ("quantify", *SEARCH),
    "suggest": ("suggest", *SEARCH, *MODELS, "--output", "s.csv"),
    "predict": ("predict", "m.skops", "pool.csv"),
    "evaluate": ("evaluate", "m.skops", "t.csv"),
    "estimate": ("estimate", "m.skops", "t.csv", "--unlabeled", "pool.csv"),
    "check": ("check", "t.csv", "--label", "y", "--unlabeled", "pool.csv", "--time-budget", "20"),
    "report": ("select", *SEARCH, *MODELS, "--report", "r.html", "--save", "n.skops", "--predict", "p.csv"),
    "two workers": ("select", *SEARCH, *MODELS, "--n-jobs", "2"),
    "stream train": ("stream", "train", "t.csv", "--label", "y", "--save", "u.skops"),
    "stream shares": ("stream", "shares", "pool.csv", "--model", "s.skops"),
    "doctor": ("doctor",),
    "completion": ("completion", "bash"),
    "app": ("app", *SEARCH, *MODELS, "--no-browser"),
}
SERVED = "Ctrl-C ends it."  # the page is there


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Write a figure to the terminal."""

    def shown(figure: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{figure}\n")

    return shown


def command(*words: str, cwd: Path, limit: int | None = None, seconds: float = 600) -> subprocess.CompletedProcess[str]:
    def limited() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with subprocess.Popen(
        [sys.executable, "-c", STARTED, *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=limited,
    ) as process:  # fmt: skip
        if words[0] == "app":
            _end_when_served(process)
        try:
            out, error = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return subprocess.CompletedProcess(words, process.returncode, out, error)


def _end_when_served(process: "subprocess.Popen[str]") -> None:
    """A page is ended as a user ends it."""
    assert process.stdout is not None
    for line in process.stdout:
        if SERVED in line:
            break
    else:
        return
    process.send_signal(signal.SIGINT)  # one is enough from the moment on that the address is shown


def write_tables(folder: Path, n: int = 60, m: int = 200, d: int = 5) -> None:
    rng = np.random.default_rng(0)
    codes = np.arange(n + m) % 3
    frame = pd.DataFrame(rng.normal(size=(n + m, d)) + codes[:, None], columns=[f"x{at}" for at in range(d)]).round(3)
    frame[:n].assign(y=np.array(["a", "b", "c"])[codes[:n]]).to_csv(folder / "t.csv", index=False)
    frame[n:].to_csv(folder / "pool.csv", index=False)


def test_acknowledged_labels_survive_files_that_are_replaced(tmp_path: Path, show: Callable[[str], None]) -> None:
    write_files(tmp_path, n_pool=1000)
    rng, journal = random.Random(0), tmp_path / "train.foldless" / "labels.jsonl"
    acknowledged: dict[int, int] = {}
    with app_server(*LABELING, cwd=tmp_path) as server:
        for at in range(REPLACED):
            if at % 3 == 0:
                copy = shutil.copy(journal, tmp_path / "copy")
            for row in range(at * 6, at * 6 + rng.randrange(1, 6)):
                code = rng.randrange(2)
                if server.label(row, code):
                    acknowledged[row] = code
            if at % 3 == 0:
                os.replace(copy, journal)  # as sync tools do, with what was there a moment ago
            elif at % 3 == 1:
                journal.unlink()
            else:
                os.replace(shutil.copy(journal, tmp_path / "copy"), journal)
        time.sleep(3)  # longer than the server looks away
        server.kill()
    with app_server(*LABELING, cwd=tmp_path) as server:
        given = {int(row): code for row, code in server.sections()["labels"]["given"].items()}
    lost = {row for row in acknowledged if given.get(row) != acknowledged[row]}
    show(f"{len(acknowledged)} acknowledged labels, {REPLACED} replaced files: {len(lost)} lost")
    assert lost == set()


def test_no_tab_undoes_what_another_gave(tmp_path: Path, show: Callable[[str], None]) -> None:
    write_files(tmp_path)
    rng, undone, refused = random.Random(0), 0, 0
    with app_server(*LABELING, cwd=tmp_path) as server:
        for _ in range(TABS):
            past: dict[int, list[tuple[str, int, int]]] = {}
            for _ in range(12):
                tab, row = rng.choice("xy"), rng.randrange(5)
                mine = [each for each in past.get(row, []) if each[0] == tab]
                if mine and rng.random() < 0.4:
                    last = past[row][-1] == mine[-1]
                    status, _ = server.ask("/do/undo", {"row": row, "entry": mine[-1][1], "tab": tab})
                    assert (status == 200) == last
                    undone, refused = undone + last, refused + (not last)
                    if last:
                        past[row].pop()
                else:
                    code = rng.randrange(2)
                    answer = server.ask("/do/label", {"row": row, "code": code, "tab": tab})[1]
                    past.setdefault(row, []).append((tab, answer["entry"], code))
            given = {int(row): code for row, code in server.sections()["labels"]["given"].items()}
            assert {row: entries[-1][2] for row, entries in past.items() if entries}.items() <= given.items()
            for row, entries in past.items():
                for tab, entry, _ in reversed(entries):
                    assert server.ask("/do/undo", {"row": row, "entry": entry, "tab": tab})[0] == 200
            assert server.sections()["labels"]["given"] == {}
    show(f"{TABS} runs of two tabs: {undone} undone, {refused} refused, 0 of another tab lost")
    assert refused


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are other ones there")
def test_a_limit_of_memory_is_one_sentence(tmp_path: Path, show: Callable[[str], None]) -> None:
    write_tables(tmp_path)
    assert command("select", *SEARCH, "--model", "naive-bayes", "--save", "m.skops", cwd=tmp_path).returncode == 0
    assert command("stream", "train", "t.csv", "--label", "y", "--save", "s.skops", cwd=tmp_path).returncode == 0
    wrong, refused = [], 0
    for limit in LEVELS:
        for name, words in COMMANDS.items():
            ended = command(*words, cwd=tmp_path, limit=limit)
            last = (ended.stderr.splitlines() or [""])[-1]
            sentence = last.startswith("Error: ") and "Traceback" not in ended.stderr
            refused += ended.returncode == 2
            if ended.returncode not in (0, 2) or (ended.returncode == 2 and not sentence):
                wrong.append((name, limit, ended.returncode, ended.stderr[-500:]))
    show(f"{len(LEVELS)} limits × {len(COMMANDS)} commands: {refused} refused, {len(wrong)} without a sentence")
    assert wrong == []


def write_large(folder: Path, kind: str) -> None:
    """Tables for which a few seconds are short: many classes, columns, rows or words."""
    if kind == "texts":
        rng = np.random.default_rng(0)
        words = np.array([f"word{at}" for at in range(5000)])
        texts = [" ".join(rng.choice(words, 200)) for _ in range(10_000)]
        frame = pd.DataFrame({"text": texts, "y": [f"c{at % 5}" for at in range(len(texts))]})
        frame[:5000].to_csv(folder / "t.csv", index=False)
        frame[5000:].drop(columns="y").to_csv(folder / "pool.csv", index=False)
        return
    n, m, d, k = {
        "classes": (20_000, 2000, 20, 10_000),
        "columns": (200, 200, 5000, 3),
        "rows": (100_000, 5000, 20, 3),
    }[kind]
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n + m, d)).round(3), columns=[f"x{at}" for at in range(d)])
    frame[:n].assign(y=[f"c{at % k}" for at in range(n)]).to_csv(folder / "t.csv", index=False)
    frame[n:].to_csv(folder / "pool.csv", index=False)


@pytest.mark.parametrize("kind", ["classes", "columns", "rows", "texts"])
def test_a_command_ends_with_its_budget(tmp_path: Path, show: Callable[[str], None], kind: str) -> None:
    """The whole command, on a machine that does nothing else: imports, reading, fits, the answer and the end."""
    write_large(tmp_path, kind)
    late = []
    for name in ("portfolio", "select", "compare", "certify", "suggest", "check"):
        for seconds in (2, 5, 10) if name == "portfolio" else (5,):
            words = [word for word in COMMANDS[name] if word not in ("--time-budget", "5", "20")]
            start = time.monotonic()
            ended = command(*words, "--time-budget", str(seconds), cwd=tmp_path)
            took = time.monotonic() - start
            show(f"{name} of many {kind}, --time-budget {seconds}: {took:.1f} s, status {ended.returncode}")
            assert ended.returncode in (0, 2)
            if took > max(seconds + 5, 2 * seconds):
                late.append((name, seconds, took))
    assert late == []


SHARING = """
import sys, time
import numpy as np
from sklearn.naive_bayes import GaussianNB
from foldless import FoldlessSearch

class Slow(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        time.sleep(0.05)
        return super().fit(X, y)

X = np.random.default_rng(0).normal(size=(20_000, 20))
print("started", flush=True)
FoldlessSearch(Slow(), {"var_smoothing": np.logspace(-9, -1, 50)}, criterion="k_fold", n_jobs=2).fit(
    X[:2000], np.arange(2000) % 2, X_unlabeled=X[2000:])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked up in another way")
def test_kills_leave_nothing_behind(tmp_path: Path, show: Callable[[str], None]) -> None:
    import psutil

    rng, children = random.Random(0), list[psutil.Process]()
    shared = {path.name for path in Path("/dev/shm").iterdir()}
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    for _ in range(KILLS):
        process = subprocess.Popen([sys.executable, "-c", SHARING], stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.uniform(0, 4))
        with_children = psutil.Process(process.pid)
        children += with_children.children(recursive=True)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    time.sleep(10)
    alive = [each for each in children if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
    left = {path.name for path in Path("/dev/shm").iterdir() if "foldless" in path.name} - shared
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    show(f"{KILLS} kills, {len(children)} processes: {len(alive)} alive, {len(left)} in /dev/shm, {len(files)} files")
    assert (alive, left, files) == ([], set(), [])
