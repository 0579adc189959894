"""What a browser can ask for: the page, what has changed, and the few things a user can do."""

import errno
import json
from collections.abc import Callable, Mapping
from importlib import resources
from inspect import Parameter, signature
from pathlib import PurePosixPath
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from foldless.app._label_review import ORDERS, Asked
from foldless.app._labeling_session import LabelingSession
from foldless.app._pictures import picture_folder, read_picture
from foldless.app._row_searches import MAX_SEARCH
from foldless.errors import FoldlessError
from foldless.io import parse_json

LARGEST, MAX_DEPTH = 65_536, 8  # bytes of a request, and how deep it is nested
DOWNLOADS = ("labels", "parquet", "jsonl", "model", "report", "predictions")
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript"}
SANDBOX = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
)
"""A report is a page of its own, without the rights of this one."""


def application(session: LabelingSession) -> Starlette:
    """The routes of one session; `foldless.app._access.Guarded` says who may take them."""
    doing: dict[str, Callable[..., int | None]] = {
        "label": session.label, "new": session.new_class, "skip": session.skip, "settle": session.settle,
        "undo": session.undo, "go": session.go_on, "stop": session.stop, "more": session.more, "aim": session.aim,
        "hints": session.hints, "save": session.save, "end": session.end, "final": session.train_final,
    }  # fmt: skip
    files = _page_files()

    async def page(request: Request) -> Response:
        content, media_type = files[request.url.path]
        return Response(content, media_type=media_type)

    async def state(request: Request) -> Response:
        since = request.query_params.get("since", "0")
        version = int(since) if since.isdecimal() and len(since) < 16 else 0
        return _Json(session.sections.since(version, request.scope.get("person")))

    async def do(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            return _problem(413, "the request is too long")
        method = doing.get(request.path_params["what"])
        values = None if method is None else _values(body, method, request.scope.get("person"))
        if method is None or values is None:
            return _problem(400, "the server does not know this request: load the page again")
        try:
            entry = method(**values)  # takes as long as the disk; to pass it to a thread and back takes longer
        except FoldlessError as error:
            return _problem(409, session.setup.word(error))
        except OSError as error:
            remedy = "free some space" if error.errno == errno.ENOSPC else f"check the folder {session.setup.folder}"
            return _problem(507, f"the labels cannot be written ({error.strerror}): {remedy}, and label the row again")
        done: dict[str, Any] = {"ok": True, "version": session.sections.since(0)["version"]}
        if entry is not None:
            done |= {"entry": entry, **session.remark(values["row"], values.get("by", ""))}
        return _Json(done)

    async def report(_: Request) -> Response:
        place = session.setup.places["report"]
        if not place.is_file():
            return _problem(404, "no report is saved yet: save first")
        content = await run_in_threadpool(place.read_bytes)
        return Response(content, media_type="text/html", headers={"Content-Security-Policy": SANDBOX})

    routes = [Route(path, page) for path in files]
    routes += [Route("/state", state), Route("/report", report), Route("/do/{what}", do, methods=["POST"])]
    return Starlette(routes=[*routes, *_list_routes(session)])


async def _body(request: Request) -> bytes | None:
    """What a request holds; None where that is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            return None
    return body


def _values(body: bytes, method: Callable[..., Any], person: str | None) -> dict[str, Any] | None:
    """The values that a request names for a method, and who asks; None where they are not those that it takes."""
    takes = dict(signature(method).parameters)
    by = {"by": person} if takes.pop("by", None) is not None and person is not None else {}
    try:
        values: dict[str, Any] = parse_json(body or b"{}", dict, max_depth=MAX_DEPTH)
    except ValueError:
        return None
    needed = {name for name, each in takes.items() if each.default is Parameter.empty}
    return {**values, **by} if needed <= values.keys() <= takes.keys() else None


def _list_routes(session: LabelingSession) -> list[Route]:
    """Looking back, how far people agree, pictures and files."""
    folder = picture_folder(session.setup)

    async def review(request: Request) -> Response:
        asked = _asked(request.query_params)
        if asked is None:
            return _problem(400, "the server does not know this request: load the page again")
        return _Json(await run_in_threadpool(session.look_back, asked))

    async def search(request: Request) -> Response:
        words, offset = request.query_params.get("words", ""), request.query_params.get("offset", "0")
        if len(words) > MAX_SEARCH or not offset.isdecimal() or len(offset) >= 10:
            return _problem(400, "the server does not know this request: load the page again")
        try:
            return _Json(await run_in_threadpool(session.search, words, int(offset)))
        except FoldlessError as error:
            return _problem(409, session.setup.word(error))

    async def agreed(_: Request) -> Response:
        return _Json(await run_in_threadpool(session.agreement))

    async def download(request: Request) -> Response:
        what = request.path_params["what"]
        place = session.setup.places.get(what) if what in DOWNLOADS else None
        if place is None or not place.is_file():
            return _problem(404, "this file is not saved yet: save first")
        content = await run_in_threadpool(place.read_bytes)
        headers = {"Content-Disposition": f'attachment; filename="{place.name}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    async def picture(request: Request) -> Response:
        content = await run_in_threadpool(read_picture, folder, request.query_params.get("path", ""))
        if content is None:
            return _problem(404, "there is no such picture in the folder of the pool")
        return Response(content[0], media_type=content[1], headers={"Content-Security-Policy": "sandbox"})

    pages = [Route("/review", review), Route("/search", search), Route("/agreement", agreed)]
    return [*pages, Route("/picture", picture), Route("/download/{what}", download)]


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


def _asked(query: Mapping[str, str]) -> Asked | None:
    """What a page asks the list of labels for; None where it asks for what is not there."""
    numbers = {name: query[name] for name in ("label", "offset", "limit") if query.get(name)}
    if not all(value.isdecimal() and len(value) < 10 for value in numbers.values()):
        return None
    order = query.get("order", ORDERS[0])
    if order not in ORDERS:
        return None
    words, state, by, day = (query.get(name, "")[:MAX_SEARCH] for name in ("words", "state", "by", "day"))
    label, offset, limit = (int(numbers[name]) if name in numbers else None for name in ("label", "offset", "limit"))
    return Asked(words, label, state, by, day, order, offset or 0, limit or Asked.limit)


class _Json(JSONResponse):
    """JSON of ASCII letters alone: names of files may hold bytes that are no text, and UTF-8 has no room for them."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def _problem(status: int, text: str) -> Response:
    return _Json({"problem": text}, status_code=status)
