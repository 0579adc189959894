"""``foldless app`` in a process of its own, and somebody who labels without a browser."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

STARTED = "from foldless.cli import main; main()"


class AppServer:
    """A server that runs: its address, those of people by their names, and what a page would ask it."""

    def __init__(self, process: "subprocess.Popen[str]", address: str, addresses: dict[str, str] | None = None):
        self.process, self.address, self.addresses = process, address, addresses or {}
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", address)
        assert found is not None, address
        self.port, self.token = int(found[1]), found[2]
        self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def as_person(self, name: str) -> "AppServer":
        """The same server, asked by somebody else."""
        return AppServer(self.process, self.addresses[name], self.addresses)

    def ask(self, path: str, body: Any = None, *, raw: bool = False, **headers: str) -> tuple[int, Any]:
        """The status and the content of an answer, which is bytes if it is ``raw``."""
        known = {"Cookie": f"foldless-{self.port}={self.token}", "Content-Type": "application/json", **headers}
        content = None if body is None else json.dumps(body)
        self._line.request("GET" if body is None else "POST", path, content, known)
        answer = self._line.getresponse()
        content_read = answer.read()
        if raw:
            return answer.status, content_read
        text = content_read.decode()
        return answer.status, json.loads(text) if "json" in (answer.getheader("Content-Type") or "") else text

    def sections(self) -> dict[str, Any]:
        """What the page shows."""
        return dict(self.ask("/state?since=0")[1]["sections"])

    def label(self, row: int, code: int) -> bool:
        """Give a label; whether the server said that it is saved."""
        return self.ask("/do/label", {"row": row, "code": code})[0] == 200

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def kill(self) -> None:
        """End it as a power failure would."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(30)

    def end(self) -> str:
        """End it as a user would; what it printed."""
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=30)[0]


@contextmanager
def app_server(*arguments: str, cwd: Path) -> Iterator[AppServer]:
    """Start ``foldless app`` with these arguments, and wait until its page can be opened."""
    command = [sys.executable, "-c", STARTED, "app", *arguments, "--no-browser"]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, text=True, env={**os.environ})
    try:
        assert process.stdout is not None
        addresses = _addresses(process.stdout, arguments)
        server = AppServer(process, next(iter(addresses.values())), addresses)
        try:
            yield server
        finally:
            server.close()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
        elif process.stdout is not None:
            process.stdout.close()


def _addresses(output: Any, arguments: tuple[str, ...]) -> dict[str, str]:
    """The addresses that are printed, by the names of people."""
    people = arguments[arguments.index("--people") + 1].split(",") if "--people" in arguments else [""]
    return {name: output.readline().rpartition(" ")[2].strip() for name in people}


def write_files(
    folder: Path, *, n_pool: int = 60, column: str = "text", classes: tuple[str, ...] = ("ham", "spam")
) -> None:
    """A training file of 24 labeled texts and a pool, whose words tell the class."""
    rng = np.random.default_rng(0)
    words = [[f"{name}{at}" for at in range(8)] for name in ("green", "red", "blue")]
    codes = rng.integers(len(classes), size=24 + n_pool)
    codes[: 2 * len(classes)] = np.tile(np.arange(len(classes)), 2)
    texts = [
        " ".join(rng.choice(words[code % 3] + ["and", "the", "of"], 6)) + f" number {at}"
        for at, code in enumerate(codes)
    ]
    frame = pd.DataFrame({column: texts, "count": codes + rng.normal(size=len(codes)).round(2)})
    frame[:24].assign(label=[classes[code] for code in codes[:24]]).to_csv(folder / "train.csv", index=False)
    frame[24:].to_csv(folder / "pool.csv", index=False)
    (folder / "truth.json").write_text(json.dumps(codes[24:].tolist()))


def write_topics(folder: Path, kind: str = "csv") -> list[tuple[str, ...]]:
    """A training file of 40 texts with one or both of two topics, and a pool of 80; the topics of the pool."""
    rng = np.random.default_rng(0)
    codes = rng.integers(3, size=120)
    topics = [[("news",), ("sport",), ("news", "sport")][code] for code in codes]
    words = {"news": [f"green{at}" for at in range(8)], "sport": [f"red{at}" for at in range(8)]}
    texts = [
        " ".join(word for name in names for word in rng.choice(words[name], 4)) + f" number {at}"
        for at, names in enumerate(topics)
    ]
    pd.DataFrame({"text": texts[40:]}).to_csv(folder / "pool.csv", index=False)
    frame = pd.DataFrame({"text": texts[:40], "topics": pd.Series([list(names) for names in topics[:40]])})
    if kind == "parquet":
        frame.to_parquet(folder / "train.parquet", index=False)
    elif kind == "jsonl":
        frame.to_json(folder / "train.jsonl", orient="records", lines=True)
    else:
        frame.assign(topics=frame["topics"].map(";".join)).to_csv(folder / "train.csv", index=False)
    return topics[40:]
