"""jinja2 with autoescape on: every string from users is text, with its own direction, cut where it is too long."""

import base64
import hashlib
import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from foldless.io._atomic import check_place, placed
from foldless.report._wording import clean, counted, cut, shorten

NAME_SHOWN, NAME_KEPT = 160, 20_000
OPTION = re.compile(r"(--[a-z][a-z-]*)")


def render(template: str, **values: Any) -> str:
    """A template with these values; the style sheet and the only script are at hand in every one."""
    folder = resources.files("foldless.report") / "templates"
    script = (folder / "sort.js").read_text(encoding="utf-8")
    environment = Environment(
        loader=PackageLoader("foldless.report", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False,
    )  # fmt: skip
    environment.filters |= {
        "brief": _brief,
        "clean": clean,
        "counted": counted,
        "unbroken": _unbroken,
        "lines": lambda text: clean(text, lines=True),
    }
    environment.finalize = lambda value: value if isinstance(value, Markup) else clean(value, lines=True)
    return environment.get_template(template).render(
        style=Markup((folder / "style.css").read_text(encoding="utf-8")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        **values,
    )


def summarized(name: str, lede: str, notes: Sequence[str], **values: Any) -> str:
    """A result in a notebook, with what is known of it beside its name, a sentence and notes."""
    nothing: dict[str, Any] = {"picture": None, "table": None, "fits": (), "assumes": (), "certificate": None}
    return render("notebook.html", name=name, lede=lede, notes=notes, **{**nothing, **values})


def write(page: str, path: Any) -> Path:
    """Write a page; nothing is left behind where that fails."""
    with placed(path) as beside:
        # names of files may hold bytes that are no text
        beside.write_text(page, encoding="utf-8", errors="backslashreplace", newline="\n")
    return check_place(path)


def _brief(value: object, length: int = NAME_SHOWN) -> Markup:
    """A string from users in its own direction, shortened, with the whole as its title."""
    text, short = clean(value), shorten(value, length)
    if text == short:
        return Markup("<bdi>{}</bdi>").format(text)
    return Markup('<bdi title="{}">{}</bdi>').format(cut(text, NAME_KEPT), short)


def _unbroken(value: object) -> Markup:
    """A text whose options of a command stay on one line: browsers break lines after a hyphen."""
    parts = OPTION.split(clean(value, lines=True))
    return Markup("").join(
        Markup('<span class="option">{}</span>').format(part) if at % 2 else part for at, part in enumerate(parts)
    )
