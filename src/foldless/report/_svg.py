"""A display as SVG inside a page: text stays text, colors are the page's variables, ids are its own.

matplotlib draws with placeholder colors; afterwards the tree is rewritten. Only ids that something refers to are
kept, under a prefix, so that two figures in one document do not meet; namespaces, metadata and style sheets go.
"""

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast
from xml.etree import ElementTree

import matplotlib as mpl
from cycler import cycler
from matplotlib.figure import Figure

PIXELS = 72  # SVG units of an inch: a figure's font size is then in pixels of the page
TEXT_SIZE = 13
SERIES = 8
INK = {name: f"#0d0a{n:02x}" for n, name in enumerate(("ink", "muted", "rule", "paper", "choice", "data"), 1)}
COLORS = {**{hue: name for name, hue in INK.items()}, **{f"#0d0b{n:02x}": f"series-{n}" for n in range(SERIES)}}
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "foldless",
    "font.family": ["sans-serif"],
    "font.size": TEXT_SIZE,
    "axes.labelsize": "medium",
    "figure.dpi": PIXELS,
    "text.color": INK["ink"],
    "axes.facecolor": INK["paper"],
    "figure.facecolor": "none",
    "axes.edgecolor": INK["rule"],
    "axes.labelcolor": INK["muted"],
    "axes.titlecolor": INK["muted"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "xtick.color": INK["rule"],
    "ytick.color": INK["rule"],
    "xtick.labelcolor": INK["muted"],
    "ytick.labelcolor": INK["ink"],
    "ytick.major.size": 0,
    "grid.color": INK["rule"],
    "grid.linewidth": 1,
    "legend.fontsize": "medium",
    "legend.labelcolor": INK["ink"],
}


def figure(
    plot: Callable[..., Any], *, width: float, height: float, label: str, prefix: str, series: bool = False
) -> str:
    """What ``plot(ax=...)`` draws on axes of that many pixels, as an ``<svg>`` element that can stand in a page.

    ``series`` gives every line a color of its own; otherwise there are two: for the data and for the choice.
    """
    many = [hue for hue, name in COLORS.items() if name.startswith("series")]
    cycle = many if series else [INK["data"], INK["choice"]]
    with _drawn_here({**STYLE, "axes.prop_cycle": cycler(color=cycle)}):
        drawn = Figure(figsize=(width / PIXELS, height / PIXELS), layout="constrained")
        plot(ax=drawn.add_subplot())
        file = io.BytesIO()
        drawn.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return _embedded(file.getvalue(), label, prefix)


@contextmanager
def _drawn_here(style: dict[str, Any]) -> Iterator[None]:
    """matplotlib's defaults and our style, whatever the user has set; the font may lack glyphs that a browser has."""
    with warnings.catch_warnings(), mpl.rc_context():
        warnings.simplefilter("ignore")
        mpl.rcdefaults()
        mpl.rcParams.update(cast(Any, style))
        yield


def _embedded(document: bytes, label: str, prefix: str) -> str:
    root = ElementTree.fromstring(document)
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child.tag) in ("metadata", "style"):
                parent.remove(child)
    wanted = {ref for node in root.iter() for value in node.attrib.values() for ref in _references(value)}
    for node in root.iter():
        node.tag = _local(node.tag)
        node.attrib = {_local(key): value for key, value in node.attrib.items()}
        if node.attrib.get("id") not in wanted:
            node.attrib.pop("id", None)
        for key, value in node.attrib.items():
            node.attrib[key] = _own(key, value, prefix)
        if node.tag != "text" and not (node.text or "").strip():
            node.text = None
        node.tail = None if not (node.tail or "").strip() else node.tail
    _, _, width, height = root.attrib["viewBox"].split()
    root.attrib = {"viewBox": root.attrib["viewBox"], "width": width, "height": height}
    root.attrib |= {"role": "img", "aria-label": label}
    return ElementTree.tostring(root, encoding="unicode")


def _own(key: str, value: str, prefix: str) -> str:
    """An attribute with the page's colors and font, and with this figure's ids."""
    if key == "id":
        return prefix + value
    if key == "href":
        return f"#{prefix}{value[1:]}"
    if key == "clip-path":
        return value.replace("url(#", f"url(#{prefix}")
    if key == "d":
        return re.sub(r"(\.\d\d)\d+", r"\1", value).replace(" \n", " ").strip()
    if key == "style":
        value = re.sub(r"font: ([^;]*?)([\d.]+px) [^;]*", r"font-size: \2; font-weight: \1", value)
        value = re.sub(r"font-family: [^;]*;? ?", "", value)
        return re.sub("#[0-9a-f]{6}", lambda hue: f"var(--{COLORS[hue[0]]})" if hue[0] in COLORS else hue[0], value)
    return value


def _references(value: str) -> list[str]:
    return [whole or inside for whole, inside in re.findall(r"^#(\S+)$|url\(#([^)]+)\)", value)]


def _local(name: str) -> str:
    return name.rsplit("}", 1)[-1]
