"""What does not fit is refused with both numbers before it is taken."""

import subprocess
import sys

import pytest

from foldless.core import _memory as memory
from foldless.core._memory import check_room, free_bytes
from foldless.errors import BadInput


def test_there_is_memory():
    assert 0 < free_bytes() <= sys.maxsize


def test_what_does_not_fit_is_refused_with_the_numbers(monkeypatch):
    monkeypatch.setattr(memory, "free_bytes", lambda: 2_000_000_000)
    check_room(2e9, "a table", "take less")
    with pytest.raises(BadInput, match=r"^a table needs about 10\.0 GB of memory, and 2\.0 GB are free: take less$"):
        check_room(1e10, "a table", "take less")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are other ones there")
def test_the_limit_of_the_process_counts():
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        "from foldless.core._memory import free_bytes; print(free_bytes())"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert 0 < int(shown) < 2**30


def test_a_container_without_a_limit_and_one_with(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "CGROUP", tmp_path)
    assert memory._of_container() == sys.maxsize
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("300\n")
    assert memory._of_container() == sys.maxsize
    (tmp_path / "memory.max").write_text("1000\n")
    assert memory._of_container() == 700
