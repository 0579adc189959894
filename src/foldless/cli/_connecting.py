"""``--n-jobs`` and ``--cluster``: processes of this machine, or those of a Dask cluster, for the fits of a command."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from foldless.errors import BadInput, ClusterLost

CONNECT, CLOSE = 10.0, 2.0  # seconds to wait for a scheduler
OPTIONS = (
    click.option("--n-jobs", "--workers", "n_jobs", type=int,
                 help="Number of parallel workers, or of simultaneous fits on a cluster; -1 for all cores."),
    click.option("--cluster", metavar="ADDRESS",
                 help="Run the fits on the Dask cluster of this scheduler, such as tcp://10.0.0.5:8786."),
)  # fmt: skip


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Run fits on the cluster of a scheduler, if one is named."""
    if address is None:
        yield
        return
    import joblib

    client = _client(address)
    try:
        with joblib.parallel_config("dask"):
            yield
    finally:
        with suppress(Exception):  # of a scheduler that is gone
            client.close(timeout=CLOSE)


def _client(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise BadInput("--cluster needs Dask, which is not installed: pip install 'foldless[dask]'") from None
    for name in ("distributed", "tornado", "asyncio"):  # what matters to the user is an error of its own
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [logging.NullHandler()], False
    connect: Any = distributed.Client
    try:
        return connect(address, timeout=CONNECT)
    except OSError:
        problem = f"no Dask scheduler answers at {address}"
    except (ValueError, TypeError, RuntimeError):
        problem = f"--cluster is not the address of a scheduler: {address!r}"
    start = "start one with `dask scheduler`, and workers with `dask worker`"
    raise ClusterLost(problem, value=address, remedy=(start, "leave out --cluster"))
