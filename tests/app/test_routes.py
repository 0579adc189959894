"""What a browser can ask for, and how the server answers what it cannot do."""

import asyncio
import json
from functools import partial
from importlib import resources
from inspect import signature
from pathlib import Path

import pytest

from foldless.app._label_review import Asked
from foldless.app._labeling_session import LabelingSession
from foldless.app._page_sections import PageSections
from foldless.app._routes import LARGEST, application
from foldless.app.app_setup import Setup
from foldless.errors import BadInput, SetArgument


class FakeSession:
    """Remembers what was done; its methods take what those of a session take."""

    def __init__(self, folder):
        self.setup, self.sections, self.done = (
            Setup("train.csv", "y", folder, word=lambda error: f"said: {error.problem}"),
            PageSections(),
            [],
        )
        self.sections.put("labels", {"given": {}})
        self.fails = None

    def __getattr__(self, name):
        def do(*asked, **given):
            given |= {"asked": asked[0]} if asked else {}
            if self.fails is not None:
                raise self.fails
            self.done.append((name, given))

        if hasattr(LabelingSession, name):
            do.__signature__ = signature(partial(getattr(LabelingSession, name), self))
        return do


@pytest.fixture
def session(tmp_path):
    return FakeSession(tmp_path)


def ask(session, path, body=None, query="", person=None):
    """The status, the headers and the content of an answer."""
    sent, parts = [], [body[at : at + 4096] for at in range(0, len(body), 4096)] if body else [b""]

    async def receive():
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http", "method": "GET" if body is None else "POST", "path": path, "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1")], "scheme": "http", "server": ("127.0.0.1", 80), "root_path": "",
        "person": person,
    }  # fmt: skip
    asyncio.run(application(session)(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html"),
        ("/page.css", "text/css"),
        ("/page.js", "text/javascript"),
        ("/drawing/race.js", "text/javascript"),
    ],
)
def test_the_page_and_its_parts(session, path, kind):
    status, headers, content = ask(session, path)
    assert (status, headers["content-type"]) == (200, f"{kind}; charset=utf-8")
    assert content


def test_every_module_of_the_page_is_served(session):
    folder = Path(str(resources.files("foldless.app") / "page"))
    modules = sorted(folder.rglob("*.js"))
    assert len(modules) > 10
    for module in modules:
        status, headers, content = ask(session, f"/{module.relative_to(folder).as_posix()}")
        assert (status, headers["content-type"]) == (200, "text/javascript; charset=utf-8")
        assert content == module.read_bytes()


@pytest.mark.parametrize(
    ("query", "sections"), [("", 1), ("since=0", 1), ("since=1", 0), ("since=x", 1), ("since=9" * 9, 1)]
)
def test_what_has_changed(session, query, sections):
    status, _, content = ask(session, "/state", query=query)
    assert (status, len(json.loads(content)["sections"])) == (200, sections)


@pytest.mark.parametrize(
    ("what", "given", "method"),
    [
        ("label", {"row": 1, "code": 0}, "label"),
        ("new", {"row": 1, "name": "x"}, "new_class"),
        ("skip", {"row": 1}, "skip"),
        ("undo", {"row": 1, "entry": 3, "tab": "a"}, "undo"),
        ("go", {"models": ["svc"], "criterion": "auto", "rows": "leaders"}, "go_on"),
        ("stop", {}, "stop"),
        ("more", {}, "more"),
        ("save", {}, "save"),
        ("final", {}, "train_final"),
        ("skip", {"row": 1, "state": "flag", "note": "odd"}, "skip"),
        ("settle", {"row": 1, "code": 0, "tab": "a"}, "settle"),
        ("label", {"row": 1, "code": 0, "picked": True}, "label"),
    ],
)
def test_what_a_user_can_do(session, what, given, method):
    status, _, content = ask(session, f"/do/{what}", json.dumps(given).encode())
    assert (status, json.loads(content)) == (200, {"ok": True, "version": 1})
    assert session.done == [(method, given)]


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("label", b'{"row": 1}'),
        ("label", b'{"row": 1, "code": 0, "path": "/etc/passwd"}'),
        ("label", b"[1, 0]"),
        ("label", b"no json"),
        ("label", b"\xff\xfe"),
        ("label", b'{"row":' * 2000 + b"1" + b"}" * 2000),
        ("label", b"[" * 60_000),
        ("label", b'{"row": 1e400, "code": 0}'),
        ("undo", b'{"row": 1}'),
        ("save", b'{"tab": "a"}'),
        ("__init__", b"{}"),
        ("save", b'{"path": "elsewhere"}'),
    ],
)
def test_what_is_not_known_is_not_done(session, what, body):
    status, _, content = ask(session, f"/do/{what}", body)
    assert (status, session.done) == (400, [])
    assert "load the page again" in json.loads(content)["problem"]


def test_a_person_is_named_by_the_guard_and_by_nobody_else(session):
    assert ask(session, "/do/label", b'{"row": 1, "code": 0}', person="anna")[0] == 200
    assert session.done == [("label", {"row": 1, "code": 0, "by": "anna"})]
    assert ask(session, "/do/label", b'{"row": 1, "code": 0, "by": "ben"}', person="anna")[0] == 400
    assert ask(session, "/do/save", b"{}", person="anna")[0] == 200
    session.sections.put("batch", [1], "anna")
    session.sections.put("batch", [2], "ben")
    assert json.loads(ask(session, "/state", person="ben")[2])["sections"]["batch"] == [2]


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("", Asked(order="unlikely")),
        (
            "words=red+apple&label=3&order=newest&offset=20&limit=5",
            Asked("red apple", 3, order="newest", offset=20, limit=5),
        ),
        ("state=flag&by=anna&day=2026-11-18", Asked("", None, "flag", "anna", "2026-11-18", "unlikely")),
    ],
)
def test_looking_back_is_asked_for_in_words(session, query, asked):
    assert ask(session, "/review", query=query)[0] == 200
    assert session.done == [("look_back", {"asked": asked})]


@pytest.mark.parametrize("query", ["label=x", "offset=-1", "limit=1e3", "order=random", "offset=99999999999"])
def test_looking_back_elsewhere_is_refused(session, query):
    assert ask(session, "/review", query=query)[0] == 400
    assert session.done == []


def test_saved_files_can_be_downloaded_and_no_others(session, tmp_path):
    assert ask(session, "/download/labels")[0] == 404
    (tmp_path / "labeled.csv").write_text("x,y\n")
    (tmp_path / "labels.jsonl").write_text("{}\n")
    status, headers, content = ask(session, "/download/labels")
    assert (status, content) == (200, b"x,y\n")
    assert headers["content-disposition"] == 'attachment; filename="labeled.csv"'
    for what in ("journal", "labeled.csv", "..%2fx", "__init__"):
        assert ask(session, f"/download/{what}")[0] == 404


def test_a_request_that_is_too_long_is_not_read(session):
    assert ask(session, "/do/label", b" " * (LARGEST + 1))[0] == 413
    assert session.done == []


@pytest.mark.parametrize(
    "path",
    ["/page.html", "/drawing/", "/drawing/../page.html", "/../pyproject.toml", "/do", "/static/x", "/labels.jsonl"],
)
def test_no_other_file_is_there(session, path):
    assert ask(session, path)[0] == 404


def test_a_problem_is_said_in_the_words_of_the_front_end(session):
    session.fails = BadInput("there is no row 7", remedy=SetArgument("row"))
    status, _, content = ask(session, "/do/skip", b'{"row": 7}')
    assert (status, json.loads(content)["problem"]) == (409, "said: there is no row 7")


def test_a_full_disk_is_no_saved_label(session):
    session.fails = OSError(28, "No space left on device")
    status, _, content = ask(session, "/do/label", b'{"row": 7, "code": 0}')
    assert status == 507
    assert json.loads(content)["problem"].startswith("the labels cannot be written (No space left on device)")


def test_the_report_is_a_page_without_rights(session, tmp_path):
    assert ask(session, "/report")[0] == 404
    (tmp_path / "report.html").write_text("<h1>chosen</h1>")
    status, headers, content = ask(session, "/report")
    assert (status, content) == (200, b"<h1>chosen</h1>")
    assert headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
