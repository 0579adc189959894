"""Who may ask the server: pages that it sent itself, to somebody who has seen the token.

The token is in the address that the terminal shows. It becomes a cookie, which no script can read and no other site can
make a browser send, and leaves the address. The Host must be this machine's by number or ``localhost``: a name that an
attacker's DNS points here is refused. Requests that change something must come from the page itself. No other site may
read an answer, show the page in a frame, or give it a script.
"""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
LOCAL = ("127.0.0.1", "localhost", "[::1]")


class Guarded:
    """An ASGI application behind a token, for one port of this machine."""

    def __init__(self, app: App, token: str, port: int):
        self._app, self._token, self._port = app, token, port
        self._hosts = {f"{name}:{port}" for name in LOCAL} | (set(LOCAL) if port == 80 else set())
        self.cookie = f"foldless-{port}"  # cookies of a machine are not told apart by port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it; every answer has the headers."""
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        why = self._refusal(scope, headers)
        if why is not None:
            await _answer(send, *why)
        elif self._is_first(scope):
            cookie = f"{self.cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
            await _answer(send, 303, "", {"Location": "/", "Set-Cookie": cookie})
        elif not self._knows(headers):
            await _answer(send, 401, "Open the address that the terminal shows: it has the token.")
        else:
            await self._app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: MutableMapping[str, str]) -> tuple[int, str] | None:
        """Why a request is refused whoever sends it."""
        if headers.get("host", "").lower() not in self._hosts:
            return 421, "This server answers to 127.0.0.1 and localhost only."
        if not scope["query_string"].isascii() or not scope["path"].isprintable():
            return 400, "The address holds characters that no page sends."
        if scope["method"] not in ("GET", "POST"):
            return 405, "This server supports GET and POST only."
        if scope["method"] == "GET":
            return None
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        if origin is not None and origin.lower().removeprefix("http://") not in self._hosts:
            return 403, "Requests of other sites are refused."
        if site != "same-origin":
            return 403, "Requests of other sites are refused."
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "The body must be JSON."
        return None

    def _is_first(self, scope: Scope) -> bool:
        """Whether the address has the token."""
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return scope["method"] == "GET" and scope["path"] == "/" and self._is_token(token)

    def _knows(self, headers: MutableMapping[str, str]) -> bool:
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        return morsel is not None and self._is_token(morsel.value)

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode("utf-8", "replace"), self._token.encode())


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message.get("headers", [])}
            ours = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message = {
                **message,
                "headers": [*message.get("headers", []), *(pair for pair in ours if pair[0] not in present)],
            }
        await send(message)

    return sending


async def _answer(send: Send, status: int, text: str, more: MutableMapping[str, str] | None = None) -> None:
    body = text.encode()
    headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body)), **HEADERS, **(more or {})}
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
