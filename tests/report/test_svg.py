import re
import warnings
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from helpers.selections import HOSTILE

from foldless.report._svg import COLORS, figure


def drawn(plot=None, prefix="a-", **options):
    def simple(ax):
        ax.plot([1, 2], [1, 2], marker="o")
        ax.fill_between([1, 2], [0, 1], [1, 2], alpha=0.3)

    return figure(plot or simple, width=300, height=200, label='a <label> "x"', prefix=prefix, **options)


def test_an_image_with_a_label():
    root = ElementTree.fromstring(drawn())
    assert root.tag == "svg"
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'a <label> "x"'
    assert root.get("viewBox") == "0 0 300 200"


def test_two_figures_share_no_id_and_every_reference_is_met():
    ids = []
    for prefix in ("a-", "b-"):
        svg = drawn(prefix=prefix)
        own = re.findall(r' id="([^"]+)"', svg)
        assert own
        assert all(each.startswith(prefix) for each in own)
        assert set(re.findall(r'href="#([^"]+)"', svg)) | set(re.findall(r"url\(#([^)]+)\)", svg)) == set(own)
        ids += own
    assert len(ids) == len(set(ids))


def test_colors_are_variables_of_the_page():
    svg = drawn(lambda ax: ax.plot([1, 2], [1, 2], label="x") and ax.legend(frameon=False) and ax.set_title("t"))
    assert "var(--data)" in svg
    assert "var(--muted)" in svg
    assert not re.findall("#[0-9a-f]{6}", svg)
    many = drawn(lambda ax: [ax.plot([1, 2], [1, n]) for n in range(8)], series=True)
    assert {f"var(--series-{n})" for n in range(8)} <= set(re.findall(r"var\([^)]+\)", many))
    assert len(set(COLORS.values())) == len(COLORS)


def test_no_style_sheet_or_metadata_leaks_into_the_page():
    svg = drawn()
    assert "<style" not in svg
    assert "metadata" not in svg
    assert "http" not in svg
    assert "xmlns" not in svg


@pytest.mark.parametrize("text", [text for text in HOSTILE if "\x00" not in text])
def test_text_stays_text(text):
    def plot(ax):
        ax.set_title(text[:200], parse_math=False)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = drawn(plot)
    shown = ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter("text")]
    assert text[:200] in shown
    assert "<script" not in svg
    assert "<img" not in svg


def test_the_users_style_neither_matters_nor_changes():
    plain = drawn()
    with mpl.rc_context({"axes.facecolor": "#123456", "font.size": 30, "svg.fonttype": "path"}):
        before = dict(mpl.rcParams)
        assert drawn() == plain
        assert dict(mpl.rcParams) == before
