"""Lines in blocks: where a block ends depends on the bytes alone, and every line keeps its number."""

from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldless.errors import BadInput
from foldless.io import _lines as lines
from foldless.io._lines import Lines
from foldless.io._parts import StreamPart


def opened(path):
    return Lines(StreamPart("a.csv", path, "csv"))


def blocks(path, most, at=None):
    with closing(opened(path)) as file:
        file.header()
        if at is not None:
            file.skip(at.behind)
        return list(file.blocks(most))


@given(
    st.lists(st.sampled_from(["1,2", "", "x", '"a,b"', '"open', "é"]), max_size=30), st.integers(1, 7), st.booleans()
)
def test_blocks_hold_every_line_once_wherever_they_are_cut(tmp_path_factory, texts, most, ends):
    path = tmp_path_factory.mktemp("lines") / "a.csv"
    path.write_bytes("\n".join(["h", *texts]).encode() + b"\n" * ends)
    whole = [(number, text) for number, text in enumerate(texts, 2) if text]
    found = blocks(path, most)
    got = [(int(n), text) for b in found for n, text in zip(b.lines, b.content.decode().splitlines(), strict=True)]
    bad = [fault.line for b in found for fault in b.bad]
    assert got == [(n, text) for n, text in whole if text != '"open']
    assert bad == [n for n, text in whole if text == '"open']
    rows = sorted([int(r) for b in found for r in b.rows] + [fault.row for b in found for fault in b.bad])
    assert rows == list(range(1, len(whole) + 1))
    for at, block in enumerate(found):
        rest = blocks(path, most, block)
        assert [b.content for b in rest] == [b.content for b in found[at + 1 :]]
        assert [b.lines.tolist() for b in rest] == [b.lines.tolist() for b in found[at + 1 :]]


def test_a_block_has_an_end_in_bytes_too(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK", 100)
    path = tmp_path / "a.csv"
    path.write_text("h\n" + "".join(f"{at:09}\n" for at in range(50)))
    assert [len(block.content) for block in blocks(path, 1000)] == [100] * 5
    path.write_text("h\n" + "1" * 200 + "\n")
    with pytest.raises(BadInput, match=r"line 2 of a\.csv is longer than"):
        blocks(path, 1000)


def test_who_stops_while_a_file_is_read_loses_no_line(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"h\n1\n2")  # the last line has no end, and will never have one
    with closing(Lines(StreamPart("a.csv", path, "csv"), wants_stop=lambda: True)) as file:
        file.header()
        assert b"".join(block.content for block in file.blocks(10)) == b"1\n2"


def test_an_empty_file_and_a_foreign_header(tmp_path):
    for content, words in ((b"", "is empty"), (b"\n\n", "is empty"), (b"\xff\n1\n", "header of a.csv is not UTF-8")):
        (tmp_path / "a.csv").write_bytes(content)
        with closing(opened(tmp_path / "a.csv")) as file, pytest.raises(BadInput, match=words):
            file.header()


@pytest.mark.parametrize(("begun", "rest"), [(b"", b""), (b"9,", b"9\n")])
def test_a_file_that_grows_while_it_is_read_ends_where_it_ended(tmp_path, monkeypatch, begun, rest):
    """Else one that grows as fast as it is read has no end; a line that was being written is whole."""
    monkeypatch.setattr(lines, "CHUNK", 16)
    path = tmp_path / "a.csv"
    path.write_bytes(b"h,k\n" + b"1,2\n" * 20 + begun)
    read, more = [], rest
    with closing(opened(path)) as file:
        file.header()
        for block in file.blocks(4):
            read.append(block.content)
            assert len(read) < 50
            with path.open("ab") as growing:
                growing.write(more + b"3,4\n" * 20)
            more = b""
    assert b"".join(read) == b"1,2\n" * 20 + begun + rest
    assert b"".join(block.content for block in blocks(path, 100)).count(b"3,4") > 20  # the next run has them
