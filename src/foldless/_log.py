"""Log messages of long runs: the logger "foldless", silent until a user gives it a handler and a level.

INFO has rounds of fits, resumed answers, lost workers and the time of each stage; DEBUG also eliminated candidates.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

LOG = logging.getLogger("foldless")
LOG.addHandler(logging.NullHandler())


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Log what a stage of a run took; around a block, or as the decorator of a function."""
    start = time.perf_counter()
    LOG.debug("%s begins", name)
    yield
    LOG.info("%s took %.2f s", name, time.perf_counter() - start)
