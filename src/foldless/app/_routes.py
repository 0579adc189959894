"""What a browser can ask for: the page, what has changed, and the few things a user can do."""

import json
from collections.abc import Callable
from importlib import resources
from pathlib import PurePosixPath

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from foldless.app._labeling_session import LabelingSession
from foldless.errors import FoldlessError

LARGEST = 65_536  # bytes of a request
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript"}
SANDBOX = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
)
"""A report is a page of its own, without the rights of this one."""


def application(session: LabelingSession) -> Starlette:
    """The routes of one session; `foldless.app._access.Guarded` says who may take them."""
    doing: dict[str, tuple[Callable[..., None], tuple[str, ...]]] = {
        "label": (session.label, ("row", "code")),
        "new": (session.new_class, ("row", "name")),
        "skip": (session.skip, ("row",)),
        "undo": (session.undo, ("row",)),
        "go": (session.go_on, ("models", "criterion", "rows")),
        "stop": (session.stop, ()),
        "more": (session.more, ()),
        "save": (session.save, ()),
    }
    files = _page_files()

    async def page(request: Request) -> Response:
        content, media_type = files[request.url.path]
        return Response(content, media_type=media_type)

    async def state(request: Request) -> Response:
        since = request.query_params.get("since", "0")
        changed = session.sections.since(int(since) if since.isdecimal() and len(since) < 16 else 0)
        return JSONResponse(changed)

    async def do(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LARGEST:
                return _problem(413, "the request is too long")
        method, names = doing.get(request.path_params["what"], (None, ()))
        try:
            values = json.loads(body or b"{}")
        except ValueError:
            values = None
        if method is None or not isinstance(values, dict) or set(values) != set(names):
            return _problem(400, "the server does not know this request: load the page again")
        try:
            method(**values)  # takes as long as the disk; to pass it to a thread and back takes longer
        except FoldlessError as error:
            return _problem(409, session.setup.word(error))
        except OSError as error:
            return _problem(
                507, f"the labels cannot be written ({error.strerror}): free some space, and label the row again"
            )
        return JSONResponse({"ok": True, "version": session.sections.since(0)["version"]})

    async def report(_: Request) -> Response:
        place = session.setup.places["report"]
        if not place.is_file():
            return _problem(404, "no report is saved yet: save first")
        content = await run_in_threadpool(place.read_bytes)
        return Response(content, media_type="text/html", headers={"Content-Security-Policy": SANDBOX})

    routes = [Route(path, page) for path in files]
    routes += [Route("/state", state), Route("/report", report), Route("/do/{what}", do, methods=["POST"])]
    return Starlette(routes=routes)


def _page_files() -> dict[str, tuple[bytes, str]]:
    """Content and media type of the page, its style and its modules, by path; all of them are small."""
    folder = resources.files("foldless.app") / "page"
    files = {"/": ((folder / "page.html").read_bytes(), "text/html")}
    for place, entries in (("/", folder), ("/drawing/", folder / "drawing")):
        for entry in entries.iterdir():
            media_type = MEDIA_TYPES.get(PurePosixPath(entry.name).suffix)
            if media_type is not None:
                files[f"{place}{entry.name}"] = entry.read_bytes(), media_type
    return files


def _problem(status: int, text: str) -> Response:
    return JSONResponse({"problem": text}, status_code=status)
