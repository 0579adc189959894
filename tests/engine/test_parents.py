"""A worker ends with its parent, also where that was killed before it began."""

import os
import subprocess
import sys

import pytest

from foldless.engine._parents import begin_for


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process")
def test_a_worker_that_starts_after_the_death_of_its_parent_ends_at_once() -> None:
    worker = os.fork()
    if worker == 0:
        begin_for(2**22 + 1)  # nobody's number
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]) == 1


def test_a_worker_watches_before_it_imports_what_takes_long() -> None:
    code = "import sys, foldless.engine._parents; print(sorted({'sklearn', 'numba', 'pandas'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
