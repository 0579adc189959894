"""Pictures come from the folder of the pool alone, whatever a column or an address names."""

import os

import pytest

from foldless.app._pictures import picture_folder, picture_path, read_picture, shown_picture
from foldless.app.app_setup import Setup

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
DATA = "data:image/png;base64,iVBORw0KGgo="


@pytest.fixture
def folder(tmp_path):
    inside = tmp_path / "pool"
    (inside / "deep er").mkdir(parents=True)
    for place in ("inside.png", "deep er/photo.PNG", "../outside.png"):
        (inside / place).write_bytes(PNG)
    (inside / "page.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>")
    (inside / "secret.txt").write_bytes(PNG)
    (inside / "page.png").write_text("<script>1</script>")
    os.symlink(tmp_path / "outside.png", inside / "link.png")
    os.symlink(inside / "secret.txt", inside / "text.png")
    return inside


def test_pictures_inside_are_read(folder):
    assert read_picture(folder, "inside.png") == (PNG, "image/png")
    assert read_picture(folder, "./deep er/../deep er/photo.PNG") == (PNG, "image/png")
    assert read_picture(folder, str(folder / "inside.png")) == (PNG, "image/png")
    assert read_picture(folder, (folder / "deep er/photo.PNG").as_uri()) == (PNG, "image/png")


@pytest.mark.parametrize(
    "name",
    ["", ".", "/", "../outside.png", "deep er/../../outside.png", "link.png", "text.png", "page.svg", "secret.txt",
     "page.png", "absent.png", "inside.png\0", "..\\outside.png", "%2e%2e/outside.png", "/etc/passwd", "file:///etc/passwd",
     "file:../outside.png", "https://example.org/inside.png", "//host/inside.png", "a" * 5000 + ".png"],
)  # fmt: skip
def test_nothing_else_is_read(folder, name):
    assert read_picture(folder, name) is None


def test_an_absolute_path_outside_is_refused(folder):
    assert (folder.parent / "outside.png").is_file()
    assert picture_path(folder, str(folder.parent / "outside.png")) is None
    assert picture_path(folder, (folder.parent / "outside.png").as_uri()) is None


def test_values_that_are_pictures_are_seen(folder):
    assert shown_picture(folder, "inside.png") == "inside.png"
    assert shown_picture(folder, DATA) == DATA
    for value in (
        "absent.png",
        "png",
        3,
        None,
        "data:image/svg+xml;base64,AAAA",
        "data:text/html;base64,AAAA",
        f"{DATA} x",
    ):
        assert shown_picture(folder, value) is None


def test_the_folder_is_that_of_the_pool(tmp_path):
    setup = Setup("a/train.csv", "label", tmp_path, {"unlabeled": str(tmp_path / "b/pool.csv")})
    assert picture_folder(setup) == tmp_path / "b"
    assert picture_folder(Setup(str(tmp_path / "a/train.csv"), "label", tmp_path)) == tmp_path / "a"
