"""Objects that the workers of a Dask cluster hold: each goes to a worker once, from here or from another worker.

Dask drops copies of an object that it takes for superfluous, after two seconds in which no call waits for it, and
moves them again with the next call. So every worker gets an object of its own by a task that runs there and returns
what it is given: of that there is one copy only, and it stays as long as this process refers to it. A worker that
joins later gets one too, and waits for it. What is lost with all workers that hold it is sent once more.
"""

import time
import uuid
from collections.abc import Sequence
from typing import Any

from foldless.data._sample import Sample
from foldless.engine._carried_data import SHELL, part_names

LARGE = 2**18  # bytes from which an object that bundles share goes to a worker once
PATIENCE, PULSE, LOOK = 300.0, 0.002, 1.0  # seconds for objects to reach workers, and between looks at both
JOINING = 60.0  # seconds that a worker waits for what it lacks


class Missing(Exception):
    """A worker lacks an object, because it has just joined or has lost it; its address is the argument."""


class Scattered:
    """The data of one engine, and large objects that its bundles share, on the workers of a cluster."""

    def __init__(self, client: Any, data: Sample):
        self._client, self._data = client, data
        self._id = uuid.uuid4().hex
        self._sent: dict[str, Any] = {}  # futures by name
        self._own: dict[tuple[str, str], Any] = {}  # and those of single workers
        self._complete: dict[str, Sequence[str]] = {}  # the workers that have all of a name
        self._shared: dict[int, tuple[str, Any]] = {}  # names by id, with the object, so that no other has its id

    def parts(self, touched: Sequence[int], workers: Sequence[str]) -> dict[str, str]:
        """The keys of the shell of the data and of the parts that are touched, which these workers now hold."""
        names = part_names(self._data, touched)
        keys = {name: f"foldless-{self._id}-{name}" for name in names}
        if any(self._complete.get(name) is not workers for name in names):
            wanted = [(name, worker) for name in names for worker in workers if not self._has(name, worker)]
            for name, worker in wanted:
                self._send(name, self._data.only(()) if name == SHELL else None)
                self._own[name, worker] = self._client.submit(
                    _same, self._sent[name], key=own_key(keys[name], worker), workers=[worker],
                    allow_other_workers=False,
                )  # fmt: skip
            self._wait_for(wanted)
            self._complete.update(dict.fromkeys(names, workers))
        return keys

    def large(self, shared: Sequence[Any]) -> tuple[dict[int, int], list[Any]]:
        """Which of some objects are large, by their ids and numbers, and these objects on the cluster."""
        holes: dict[int, int] = {}
        there: list[Any] = []
        for each in shared:
            if id(each) not in self._shared:
                self._shared[id(each)] = (uuid.uuid4().hex if _n_bytes(each) >= LARGE else "", each)
            name = self._shared[id(each)][0]
            if name and id(each) not in holes:
                holes[id(each)] = len(there)
                self._send(name, each)
                there.append(self._sent[name])
        return holes, there

    def forget_copies(self, worker: str) -> None:
        """Forget what a worker had: it says that it lacks something."""
        self._own = {key: future for key, future in self._own.items() if key[1] != worker}
        self._complete.clear()

    def forget_lost(self) -> None:
        """Forget what is gone: it is sent again when it is needed."""
        self._sent = {name: future for name, future in self._sent.items() if future.status == "finished"}
        self._own = {key: future for key, future in self._own.items() if future.status == "finished"}
        self._complete.clear()

    def _wait_for(self, wanted: Sequence[tuple[str, str]]) -> None:
        """Wait until workers have their copies, or are gone: a bundle that comes earlier would come in vain."""
        begun = looked = time.monotonic()
        while wanted and time.monotonic() < begun + PATIENCE:
            time.sleep(PULSE)
            wanted = [each for each in wanted if self._own[each].status == "pending"]
            if time.monotonic() - looked > LOOK:
                present, looked = self._client.sync(self._client.scheduler.ncores), time.monotonic()
                wanted = [(name, worker) for name, worker in wanted if worker in present]

    def _has(self, name: str, worker: str) -> bool:
        future = self._own.get((name, worker))
        return future is not None and future.status in ("pending", "finished")

    def _send(self, name: str, value: Any) -> None:
        if name not in self._sent:
            key = f"foldless-{name}-{uuid.uuid4().hex}"
            value = getattr(self._data, name) if value is None else value
            self._sent[name] = self._client.scatter({key: value}, hash=False)[key]


def own_key(key: str, worker: str) -> str:
    """The key of the copy that belongs to one worker."""
    return f"{key}-of-{worker}"


def held(key: str) -> Any:
    """In a worker: its own copy of an object; one that has just joined waits for it, and makes room meanwhile."""
    import distributed

    of_dask: Any = distributed
    worker = of_dask.get_worker()
    name = own_key(key, worker.address)
    if name not in worker.data:
        begun = time.monotonic()
        of_dask.secede()
        while name not in worker.data and time.monotonic() < begun + JOINING:
            time.sleep(10 * PULSE)
        of_dask.rejoin()
    if name not in worker.data:
        raise Missing(worker.address)
    return worker.data[name]


def _same(value: Any) -> Any:
    return value


def _n_bytes(value: Any) -> int:
    import cloudpickle

    return getattr(value, "nbytes", None) or len(cloudpickle.dumps(value, protocol=5))
