"""Who may send requests to the server: its own pages, opened by somebody who has the token.

The token is in the address that the terminal shows. It becomes a cookie, which no script can read and no other site can
make a browser send, and leaves the address. The Host must be this machine's by number or ``localhost``: a name that an
attacker's DNS points here is refused. Requests that change something must come from the page itself. No other site may
read an answer, show the page in a frame, or give it a script.
"""

import hmac
from collections.abc import Collection, Mapping

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
        app: ASGIApp,
        tokens: str | Mapping[str, str],
        port: int,
        *,
        hosts: Collection[str] = (),
        secure: bool = False,
    ):
        self._app = app
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
        request, answer = Request(scope), self._app
        why = self._refusal(request)
        if why is not None:
            status, sentence = why
            answer = PlainTextResponse(sentence, status)
        elif (first := self._first(request)) is not None:
            only = "; Secure" if self._scheme == "https" else ""
            cookie = f"{self.cookie}={first}; Path=/; HttpOnly; SameSite=Strict{only}"
            answer = PlainTextResponse("", 303, {"Location": "/", "Set-Cookie": cookie})
        elif (token := self._token(request.cookies.get(self.cookie, ""))) is None:
            answer = PlainTextResponse("Open the address that the terminal shows: it has the token.", 401)
        else:
            scope["person"] = next(name for name, theirs in self._people.items() if theirs == token)
        await answer(scope, receive, _with_headers(send))

    def _refusal(self, request: Request) -> tuple[int, str] | None:
        """Why a request is refused whoever sends it."""
        headers = request.headers
        if headers.get("host", "").lower() not in self._hosts:
            return 421, "This server answers to 127.0.0.1 and localhost, and to the names that it was started with."
        if not request.scope["query_string"].isascii() or not request.scope["path"].isprintable():
            return 400, "The address holds characters that no page sends."
        if request.method not in ("GET", "POST"):
            return 405, "This server supports GET and POST only."
        if request.method == "GET":
            return None
        origin = headers.get("origin")
        is_foreign = origin is not None and origin.lower().removeprefix(f"{self._scheme}://") not in self._hosts
        if is_foreign or headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return 403, "Requests of other sites are refused."
        if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return 415, "The body must be JSON."
        return None

    def _first(self, request: Request) -> str | None:
        """The token that the address has."""
        is_first = request.method == "GET" and request.scope["path"] == "/"
        return self._token(request.query_params.get("token", "")) if is_first else None

    def _token(self, text: str) -> str | None:
        """The token that a text is; all are compared, so that the time says nothing."""
        same = [hmac.compare_digest(text.encode("utf-8", "replace"), each.encode()) for each in self._people.values()]
        return next((each for each, is_same in zip(self._people.values(), same, strict=True) if is_same), None)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
