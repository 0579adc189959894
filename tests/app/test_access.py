"""Who may ask: nobody without the token, no other site, no other name of this machine."""

import asyncio

import pytest

from foldless.app._access import Guarded

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
