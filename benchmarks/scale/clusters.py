"""Dask clusters of this machine, without a dashboard."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def local_cluster(n_workers: int, threads_per_worker: int, *, processes: bool = True) -> Iterator[Any]:
    """The client of a cluster whose workers are processes, or threads of this one."""
    import distributed

    scheduler = {"dashboard": False, "dashboard_address": ":0"}
    with (
        distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=threads_per_worker, processes=processes, scheduler_kwargs=scheduler
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
