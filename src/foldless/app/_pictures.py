"""Pictures of the pool: files in the folder of its file, found by the path that a column holds, and no others."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from foldless.app.app_setup import Setup

# SVG is left out: it is a document with scripts, not a picture
TYPES = {
    ".png": ("image/png", (b"\x89PNG\r\n\x1a\n",)),
    ".jpg": ("image/jpeg", (b"\xff\xd8\xff",)),
    ".jpeg": ("image/jpeg", (b"\xff\xd8\xff",)),
    ".gif": ("image/gif", (b"GIF87a", b"GIF89a")),
    ".webp": ("image/webp", (b"RIFF",)),
    ".bmp": ("image/bmp", (b"BM",)),
}
LARGEST = 32 * 2**20  # bytes of a file that is shown: a photo of a good camera
LARGEST_DATA = 400_000  # characters of a picture inside a column: a batch of them travels to the page at once
DATA = re.compile(r"data:image/(?:png|jpeg|gif|webp|bmp);base64,[A-Za-z0-9+/=]+")


def picture_folder(setup: Setup) -> Path:
    """The folder of the file that the pool is in."""
    place = setup.reading.get("unlabeled")
    return Path(place if isinstance(place, str) else setup.train).absolute().parent


def picture_path(folder: Path, name: str) -> Path | None:
    """The picture that a path names, as it is on the disk; None where it is not a picture inside the folder."""
    if name.lower().startswith("file:"):
        name = unquote(urlsplit(name).path)
    try:
        inside = folder.resolve()
        path = (inside / name).resolve(strict=True)  # without links and dots, so that it says where the file is
        is_inside = path.is_relative_to(inside) and path.is_file() and path.stat().st_size <= LARGEST
    except (OSError, ValueError):
        return None
    return path if is_inside and path.suffix.lower() in TYPES else None


def read_picture(folder: Path, name: str) -> tuple[bytes, str] | None:
    """The content of a picture and its media type; None where it is no picture, whatever its name says."""
    path = picture_path(folder, name)
    if path is None:
        return None
    media_type, beginnings = TYPES[path.suffix.lower()]
    try:
        content = path.read_bytes()
    except OSError:
        return None
    return (content, media_type) if content.startswith(beginnings) else None


def shown_picture(folder: Path | None, value: Any) -> str | None:
    """What the page asks for to show a value as a picture; None for what is none."""
    if not isinstance(value, str):
        return None
    if len(value) <= LARGEST_DATA and DATA.fullmatch(value):
        return value
    is_named = len(value) < 1024 and "." in value and f".{value.rpartition('.')[2].lower()}" in TYPES
    return value if is_named and folder is not None and picture_path(folder, value) is not None else None
