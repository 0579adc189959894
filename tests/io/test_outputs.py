"""No output is an input, whatever links lead there."""

import os

import pytest

from foldless.errors import BadInput
from foldless.io import check_apart


def test_an_output_is_no_input_and_is_written_once(tmp_path):
    table, link, folder = tmp_path / "t.csv", tmp_path / "link.csv", tmp_path / "folder"
    table.write_text("x")
    folder.mkdir()
    os.link(table, link)
    check_apart({"--save": str(tmp_path / "m"), "--report": None}, [str(table), None])
    for outputs in (
        {"--predict": str(table)},
        {"--predict": str(link)},
        {"--predict": str(folder / "new.csv")},
        {"--predict": str(tmp_path / "a"), "--save": str(folder / ".." / "a")},
    ):
        with pytest.raises(BadInput, match=r"is also (read|written) in this run: name another file for --"):
            check_apart(outputs, [str(table), str(folder)])


def test_a_loop_of_links_is_one_sentence(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(BadInput, match="cannot be written"):
        check_apart({"--save": str(loop)}, [str(tmp_path / "t.csv")])
