"""Whatever is asked of the labeling page: an answer with a known status, and a journal that can be read again."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from foldless.app import _labeling_session as labeling_session
from foldless.app._access import Guarded
from foldless.app._label_journal import LabelJournal
from foldless.app._labeling_session import LabelingSession
from foldless.app._routes import application
from foldless.app.app_setup import Setup

pytestmark = pytest.mark.slow  # hundreds of requests

FEW, MANY, PORT, TOKEN = 300, 5000, 8765, "token"
STATUSES = {200, 303, 400, 401, 403, 404, 405, 409, 413, 415, 421}
SHOWN = {
    "label": "topic", "rows": {"labeled": 10, "pool": 40, "test": 0}, "classes": ["a", "b"], "labels": ["a", "b"],
    "open": True, "several": False, "separator": None, "columns": [], "about": [], "notes": [], "digest": "0f",
    "models": [{"name": "svc"}], "criteria": [{"name": "auto"}],
}  # fmt: skip
PATHS = (
    "label", "new", "skip", "undo", "go", "stop", "more", "save", "__init__", "label/..", "%00", "x" * 3000, "..%2f..",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    0, 1, 39, 40, -1, True, None, 1.5, 1e300, "a", "", "ä" * 300, "\ud800", "\n", [], [0], {}, {"row": 1}, "tab", "svc",
    ["svc"], "auto", "leaders", "valid", 10**30,
)  # fmt: skip
RAW = (
    b"", b"[]", b"null", b"{", b"\xff", b"[" * 60_000, b'{"row":' * 5000, b'{"row":1e999,"code":0}', b"1" * 70_000,
    b'{"row":NaN,"code":0}', b'{"row":1,"row":2,"code":0}',
)  # fmt: skip


class StillProcess:
    """A process that trains nothing."""

    def __init__(self, setup: Setup, hear: Any):
        self.hear = hear

    def start(self) -> None:
        self.hear("opened", {**SHOWN, "labels": list(SHOWN["labels"])})

    def order(self, name: str, **_: Any) -> None:
        if name == "batch":
            self.hear("batch", [{"row": row, "p": 0.5, "batch": 1, "of": 5} for row in range(5)])
        self.hear("done", name)

    def close(self) -> None:
        pass


def body_of(rng: random.Random, what: str) -> bytes:
    if rng.random() < 0.2:
        return rng.choice(RAW)
    names = {"label": ["row", "code", "tab"], "new": ["row", "name", "tab"], "skip": ["row", "tab"],
             "undo": ["row", "entry", "tab"], "go": ["models", "criterion", "rows"]}.get(what, [])  # fmt: skip
    if rng.random() < 0.1:
        names = rng.sample(["row", "code", "entry", "tab", "name", "path"], rng.randrange(4))
    proper = {"row": rng.randrange(40), "code": rng.randrange(2), "tab": rng.choice("xy"), "entry": rng.randrange(30),
              "name": rng.choice(["a", "new", "ä"]), "models": ["svc"], "criterion": "auto",
              "rows": "valid"}  # fmt: skip
    return json.dumps({n: rng.choice(VALUES) if rng.random() < 0.2 else proper.get(n) for n in names}).encode()


def request_of(rng: random.Random) -> tuple[dict[str, Any], bytes]:
    what = rng.choice(PATHS)
    post = rng.random() < 0.8
    headers = {"host": f"127.0.0.1:{PORT}", "cookie": f"foldless-{PORT}={TOKEN}", "content-type": "application/json"}
    while rng.random() < 0.15:
        odd = rng.choice(["", "evil.example", "\xff", "text/plain", "a=b; c", "http://evil.example", "x" * 9000])
        headers[rng.choice(["host", "cookie", "content-type", "origin", "sec-fetch-site"])] = odd
    path = f"/do/{what}" if post else rng.choice(["/", "/state", "/report", "/page.js", "/../x", f"/{what}"])
    scope = {
        "type": "http", "method": "POST" if post else rng.choice(["GET", "GET", "PUT", "HEAD"]), "path": path,
        "query_string": rng.choice([b"", b"since=1", b"since=" + b"9" * 40, b"since=\xff", b"token=" + b"x" * 99]),
        "headers": [(k.encode(), v.encode("latin-1")) for k, v in headers.items()], "scheme": "http",
        "server": ("127.0.0.1", PORT), "root_path": "",
    }  # fmt: skip
    return scope, body_of(rng, what) if post else b""


async def answered(app: Any, scope: dict[str, Any], body: bytes) -> tuple[int, bytes]:
    sent: list[dict[str, Any]] = []
    parts = [body[at : at + 5000] for at in range(0, len(body), 5000)] or [b""]

    async def receive() -> dict[str, Any]:
        part = parts.pop(0) if parts else b""
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def faults(folder: Path, n: int) -> list[str]:
    session = LabelingSession(Setup("train.csv", "topic", folder / "work", models={"svc": None}))
    session.start()
    session.open()
    app, rng, wrong = Guarded(application(session), TOKEN, PORT), random.Random(0), list[str]()
    for _ in range(n):
        scope, body = request_of(rng)
        try:
            status, content = asyncio.run(answered(app, scope, body))
        except Exception as error:
            wrong.append(f"{type(error).__name__}: {error}: {scope['path']} {body[:200]!r}")
            continue
        if status not in STATUSES:
            wrong.append(f"{status} {content[:200]!r}: {scope['path']} {body[:200]!r}")
    assert session.journal is not None
    labels = session.journal.state()
    session.close()
    again = LabelJournal(session.setup.places["journal"], {"label": "topic", "pool": "0f"}, 40)
    wrong += [] if again.state() == labels else ["the journal holds other labels"]
    again.close()
    return wrong


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labeling_session, "TrainingProcess", StillProcess)


def test_every_request_has_an_answer(tmp_path: Path) -> None:
    assert faults(tmp_path, FEW) == []


@pytest.mark.nightly
def test_five_thousand_requests_have_answers(tmp_path: Path) -> None:
    assert faults(tmp_path, MANY) == []
