"""A private file that redirects the browser to the page.

All users of a machine can see the arguments of a process, so the token must not be in the address that a browser is
started with.
"""

import html
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from foldless.io import PRIVATE

DOOR = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>foldless</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url={address}"></head>
<body><a href="{address}">Open the page</a></body></html>
"""
NAMES = "open-page-*.html"


@contextmanager
def door_to(address: str, folder: Path) -> Iterator[Path]:
    """The path of a file in a folder that only its owner reads; it goes at the end, and so do those of killed servers.

    The folder is in use by one server at a time.
    """
    for left in folder.glob(NAMES):
        _remove(left)
    door = folder.resolve() / NAMES.replace("*", secrets.token_hex(8))
    file = os.open(door, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with open(file, "w", encoding="utf-8") as target:
        target.write(DOOR.format(address=html.escape(address)))
    try:
        yield door
    finally:
        _remove(door)


@contextmanager
def browsed(address: str, folder: Path, browse: Callable[[str], object]) -> Iterator[None]:
    """Lead a browser to an address, in a thread: a text browser stays open."""
    with door_to(address, folder) as door:
        threading.Thread(target=browse, args=(door.as_uri(),), name="browser", daemon=True).start()
        yield


def _remove(door: Path) -> None:
    """Remove a file that `door_to` has made, and no other."""
    with suppress(OSError):
        if door.read_bytes().startswith(DOOR.partition("{")[0].encode()):
            door.unlink()
