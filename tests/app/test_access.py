"""Who may ask: nobody without the token, no other site, no other name of this machine."""

import asyncio

import pytest

from foldless.app import Reach
from foldless.app._access import Guarded
from foldless.errors import BadInput

TOKEN, PORT = "a-secret-token", 4711
COOKIE = f"foldless-{PORT}={TOKEN}"
SAME = {"host": f"127.0.0.1:{PORT}", "cookie": COOKIE}
JSON = {"content-type": "application/json"}


def ask(method="GET", path="/", query="", **headers):
    """The status, the headers, and whether the application was reached."""
    sent, reached = [], []

    async def app(scope, receive, send):
        reached.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()],
    }  # fmt: skip
    asyncio.run(Guarded(app, TOKEN, PORT)(scope, None, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, bool(reached)


def test_the_token_becomes_a_cookie_and_leaves_the_address():
    status, headers, reached = ask(query=f"token={TOKEN}", host=f"127.0.0.1:{PORT}")
    assert (status, headers["location"], reached) == (303, "/", False)
    assert headers["set-cookie"] == f"{COOKIE}; Path=/; HttpOnly; SameSite=Strict"
    assert ask(**SAME)[0] == 200


@pytest.mark.parametrize(
    "cookie", ["", "foldless-4711=", "foldless-4711=a-secret-tokeN", "other=a-secret-token", "\xff=;;="]
)
def test_without_the_token_nothing_is_answered(cookie):
    status, _, reached = ask(host=f"127.0.0.1:{PORT}", cookie=cookie)
    assert (status, reached) == (401, False)
    assert ask("GET", "/", "token=wrong", host=f"127.0.0.1:{PORT}")[0] == 401
    assert ask("GET", "/state", f"token={TOKEN}", host=f"127.0.0.1:{PORT}")[0] == 401  # only the page begins


@pytest.mark.parametrize("host", ["evil.example:4711", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:4711", ""])
def test_other_names_of_this_machine_are_refused(host):
    assert ask(host=host, cookie=COOKIE)[::2] == (421, False)
    assert ask(query=f"token={TOKEN}", host=host)[::2] == (421, False)


def test_localhost_is_this_machine():
    assert ask(host=f"localhost:{PORT}", cookie=COOKIE)[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": f"http://127.0.0.1:{PORT + 1}"},
        {"origin": f"https://127.0.0.1:{PORT}"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
    ],
)
def test_requests_of_other_sites_change_nothing(headers):
    assert ask("POST", "/do/label", **SAME, **JSON, **headers)[::2] == (403, False)


def test_the_page_itself_may_change_something():
    own = {"origin": f"http://127.0.0.1:{PORT}", "sec-fetch-site": "same-origin"}
    assert ask("POST", "/do/label", **SAME, **JSON, **own)[::2] == (200, True)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_a_form_of_another_site_could_send_is_refused(kind):
    assert ask("POST", "/do/label", **SAME, **{"content-type": kind})[::2] == (415, False)


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "HEAD"])
def test_no_other_method_is_known(method):
    status, headers, reached = ask(method, "/", **SAME, origin="https://evil.example")
    assert (status, reached) == (405, False)
    assert not any(name.startswith("access-control") for name in headers)


@pytest.mark.parametrize("headers", [SAME, {"host": "evil.example"}, {"host": f"127.0.0.1:{PORT}"}])
def test_every_answer_forbids_scripts_of_others_frames_and_guessing(headers):
    _, found, _ = ask(**headers)
    assert "default-src 'none'" in found["content-security-policy"]
    assert "frame-ancestors 'none'" in found["content-security-policy"]
    assert "unsafe" not in found["content-security-policy"]
    assert (found["x-content-type-options"], found["referrer-policy"]) == ("nosniff", "no-referrer")
    assert found["cache-control"] == "no-store"


PEOPLE = {"anna": "token-of-anna", "ben": "token-of-ben"}


def reached_by(cookie, **kinds):
    """Who asks, as the application is told."""
    people = []

    async def app(scope, receive, send):
        people.append(scope["person"])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        people.append(message["status"]) if message["type"] == "http.response.start" else None

    host = kinds.pop("host", f"127.0.0.1:{PORT}")
    headers = [(b"host", host.encode()), (b"cookie", f"foldless-{PORT}={cookie}".encode())]
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
    asyncio.run(Guarded(app, PEOPLE, PORT, **kinds)(scope, None, send))
    return people


def test_a_token_says_who_it_is():
    assert reached_by("token-of-anna") == ["anna", 200]
    assert reached_by("token-of-ben") == ["ben", 200]
    for cookie in ("anna", "", "token-of-cai"):
        assert reached_by(cookie) == [401]


def test_a_host_that_is_named_is_answered_and_no_other():
    assert reached_by("token-of-ben", host="labels.example", hosts=["labels.example"], secure=True) == ["ben", 200]
    assert reached_by("token-of-ben", host="evil.example", hosts=["labels.example"], secure=True) == [421]


@pytest.mark.parametrize(
    ("reach", "problem"),
    [
        (Reach("labels.example"), "everybody between could read the labels"),
        (Reach("labels.example", "a.pem"), "belong together"),
        (Reach(None, "a.pem", "b.pem"), "name the host"),
        (Reach(None, behind_proxy=True), "name the host"),
        (Reach("labels.example", "a.pem", "b.pem", behind_proxy=True), "could read"),
        (Reach("labels.example", "a.pem", "b.pem"), "there is no file a.pem"),
    ],
)
def test_other_machines_need_a_certificate_or_a_proxy(reach, problem):
    with pytest.raises(BadInput, match=problem):
        reach.check()


def test_without_a_host_only_this_machine_is_listened_to():
    assert (Reach().listens_on, Reach().address(80), Reach().names(80)) == ("127.0.0.1", "http://127.0.0.1:80", [])
    proxied = Reach("labels.example", behind_proxy=True)
    proxied.check()
    assert (proxied.listens_on, proxied.address(80)) == ("127.0.0.1", "https://labels.example")
    assert Reach("labels.example", "a", "b").address(8443) == "https://labels.example:8443"
