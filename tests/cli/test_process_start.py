"""The start of a process is that of Python, not that of the first line of a command."""

import subprocess
import sys
import time

import pytest

from foldless.cli._process_start import process_start

BEGUN = "import time; time.sleep(0.4); from foldless.cli._process_start import process_start as p; "
BEGUN += "print(max(p() for _ in range(5)))"  # one that is paused between two clocks says that it began before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it is not known there")
def test_it_is_before_the_imports():
    before = time.monotonic()
    began = float(subprocess.run([sys.executable, "-c", BEGUN], stdout=subprocess.PIPE, text=True, check=True).stdout)
    assert before - 0.05 <= began <= time.monotonic() - 0.4  # ticks are hundredths of a second


@pytest.mark.parametrize("content", [None, "", "1 (a b) R", "1 (python) S " + "x " * 40, "7 (:) ) S " + "0 " * 40])
def test_what_is_not_known_or_too_long_ago_is_now(tmp_path, content):
    stat = tmp_path / "stat"
    if content is not None:
        stat.write_text(content)
    before = time.monotonic()
    assert before <= process_start(stat) <= time.monotonic()
