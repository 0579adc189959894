"""Who may send requests to the server: its own pages, opened by somebody who has the token.

The token is in the address that the terminal shows. It becomes a cookie, which no script can read and no other site can
make a browser send, and leaves the address. The Host must be this machine's by number or ``localhost``: a name that an
attacker's DNS points here is refused. Requests that change something must come from the page itself. No other site may
read an answer, show the page in a frame, or give it a script.
"""

import hmac
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
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
    """An ASGI application behind tokens, for one port of this machine.

    Parameters
    ----------
    app : the application
    tokens : the token, or for each person the token; who has it is ``scope["person"]`` of a request
    port : the port that is served
    hosts : other names under which browsers ask, with their ports where those are not the scheme's own
    secure : whether browsers ask with https
    """

    def __init__(
        self,
        app: App,
        tokens: str | Mapping[str, str],
        port: int,
        *,
        hosts: Collection[str] = (),
        secure: bool = False,
    ):
        self._app, self._port = app, port
        self._people: dict[str | None, str] = {None: tokens} if isinstance(tokens, str) else dict(tokens.items())
        self._scheme = "https" if secure else "http"
        usual = 443 if secure else 80
        self._hosts = {f"{name}:{port}" for name in LOCAL} | (set(LOCAL) if port == usual else set())
        self._hosts |= {name.lower() for name in hosts}
        self.cookie = f"foldless-{port}"  # cookies of a machine are not told apart by port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it; every answer has the headers."""
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        why = self._refusal(scope, headers)
        if why is not None:
            await _answer(send, *why)
        elif (first := self._first(scope)) is not None:
            only = "; Secure" if self._scheme == "https" else ""
            cookie = f"{self.cookie}={first}; Path=/; HttpOnly; SameSite=Strict{only}"
            await _answer(send, 303, "", {"Location": "/", "Set-Cookie": cookie})
        elif (token := self._known(headers)) is None:
            await _answer(send, 401, "Open the address that the terminal shows: it has the token.")
        else:
            scope["person"] = next(name for name, theirs in self._people.items() if theirs == token)
            await self._app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: MutableMapping[str, str]) -> tuple[int, str] | None:
        """Why a request is refused whoever sends it."""
        if headers.get("host", "").lower() not in self._hosts:
            return 421, "This server answers to 127.0.0.1 and localhost, and to the names that it was started with."
        if not scope["query_string"].isascii() or not scope["path"].isprintable():
            return 400, "The address holds characters that no page sends."
        if scope["method"] not in ("GET", "POST"):
            return 405, "This server supports GET and POST only."
        if scope["method"] == "GET":
            return None
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
        if origin is not None and origin.lower().removeprefix(f"{self._scheme}://") not in self._hosts:
            return 403, "Requests of other sites are refused."
        if site != "same-origin":
            return 403, "Requests of other sites are refused."
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "The body must be JSON."
        return None

    def _first(self, scope: Scope) -> str | None:
        """The token that the address has."""
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return self._token(token) if scope["method"] == "GET" and scope["path"] == "/" else None

    def _known(self, headers: MutableMapping[str, str]) -> str | None:
        """The token that the cookie has."""
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return None
        return None if morsel is None else self._token(morsel.value)

    def _token(self, text: str) -> str | None:
        """The token that a text is; all are compared, so that the time says nothing."""
        same = [hmac.compare_digest(text.encode("utf-8", "replace"), each.encode()) for each in self._people.values()]
        return next((each for each, is_same in zip(self._people.values(), same, strict=True) if is_same), None)


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
