"""What a browser can ask for: the page, what has changed, and the few things a user can do."""

import errno
import json
from collections.abc import Callable
from importlib import resources
from pathlib import PurePosixPath
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from foldless.app._labeling_session import LabelingSession
from foldless.app._pictures import picture_folder, read_picture
from foldless.errors import FoldlessError
from foldless.io import parse_json

LARGEST, MAX_DEPTH = 65_536, 8  # bytes of a request, and how deep it is nested
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript"}
SANDBOX = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
)
"""A report is a page of its own, without the rights of this one."""


def application(session: LabelingSession) -> Starlette:
    """The routes of one session; `foldless.app._access.Guarded` says who may take them."""
    # what can be done, what must be said for it, and what may be
    doing: dict[str, tuple[Callable[..., int | None], set[str], set[str]]] = {
        "label": (session.label, {"row", "code"}, {"tab"}),
        "new": (session.new_class, {"row", "name"}, {"tab"}),
        "skip": (session.skip, {"row"}, {"tab"}),
        "undo": (session.undo, {"row", "entry", "tab"}, set()),
        "go": (session.go_on, {"models", "criterion", "rows"}, set()),
        "stop": (session.stop, set(), set()),
        "more": (session.more, set(), set()),
        "aim": (session.aim, {"accuracy", "confidence", "per_class"}, set()),
        "hints": (session.hints, {"likely", "words"}, set()),
        "save": (session.save, set(), set()),
    }
    files = _page_files()

    async def page(request: Request) -> Response:
        content, media_type = files[request.url.path]
        return Response(content, media_type=media_type)

    async def state(request: Request) -> Response:
        since = request.query_params.get("since", "0")
        changed = session.sections.since(int(since) if since.isdecimal() and len(since) < 16 else 0)
        return _Json(changed)

    async def do(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LARGEST:
                return _problem(413, "the request is too long")
        method, needed, optional = doing.get(request.path_params["what"], (None, set(), set()))
        try:
            values = parse_json(body or b"{}", dict, max_depth=MAX_DEPTH)
        except ValueError:
            values = None
        if method is None or values is None or not needed <= set(values) <= needed | optional:
            return _problem(400, "the server does not know this request: load the page again")
        try:
            entry = method(**values)  # takes as long as the disk; to pass it to a thread and back takes longer
        except FoldlessError as error:
            return _problem(409, session.setup.word(error))
        except OSError as error:
            remedy = "free some space" if error.errno == errno.ENOSPC else f"check the folder {session.setup.folder}"
            return _problem(507, f"the labels cannot be written ({error.strerror}): {remedy}, and label the row again")
        done = {"ok": True, "version": session.sections.since(0)["version"]}
        return _Json(done if entry is None else {**done, "entry": entry})

    async def report(_: Request) -> Response:
        place = session.setup.places["report"]
        if not place.is_file():
            return _problem(404, "no report is saved yet: save first")
        content = await run_in_threadpool(place.read_bytes)
        return Response(content, media_type="text/html", headers={"Content-Security-Policy": SANDBOX})

    routes = [Route("/picture", _pictures(session)), *(Route(path, page) for path in files)]
    routes += [Route("/state", state), Route("/report", report), Route("/do/{what}", do, methods=["POST"])]
    return Starlette(routes=routes)


def _pictures(session: LabelingSession) -> Callable[[Request], Any]:
    """Pictures inside the folder of the pool."""
    folder = picture_folder(session.setup)

    async def picture(request: Request) -> Response:
        content = await run_in_threadpool(read_picture, folder, request.query_params.get("path", ""))
        if content is None:
            return _problem(404, "there is no such picture in the folder of the pool")
        return Response(content[0], media_type=content[1], headers={"Content-Security-Policy": "sandbox"})

    return picture


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


class _Json(JSONResponse):
    """JSON of ASCII letters alone: names of files may hold bytes that are no text, and UTF-8 has no room for them."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def _problem(status: int, text: str) -> Response:
    return _Json({"problem": text}, status_code=status)
