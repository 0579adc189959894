"""Data that go to a worker process once, and not again with every group of fits.

joblib hands large arrays of numbers to the processes of this machine as a file that all of them map. What holds
strings or objects, such as a text pool, it pickles again for every call. Here such data are pickled once,
into an array of bytes: to joblib that is a large array as any other, and a worker keeps what it has unpacked. Dask
moves what it takes for large once by itself, and `Data` tells it its size.
"""

import pickle
import uuid
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.data.opening import Data

LARGE = 2**20  # bytes, from which on joblib maps an array
MOST = 2  # a worker keeps no more: the labels, and the labels with the pool
PROCESSES = ("LokyBackend", "MultiprocessingBackend")  # of this machine

_unpacked: dict[str, Data] = {}


@dataclass(frozen=True, eq=False)
class Carried:
    """Pickled data; arrays of numbers are beside them, so that workers map those too."""

    key: str
    body: Array
    buffers: tuple[Array, ...]

    def data(self) -> Data:
        """The data, unpacked once in each process."""
        if self.key not in _unpacked:
            while len(_unpacked) >= MOST:
                del _unpacked[next(iter(_unpacked))]
            _unpacked[self.key] = pickle.loads(self.body.data, buffers=self.buffers)
        return _unpacked[self.key]


class Carrier:
    """Packs data once for the worker processes of one search."""

    def __init__(self) -> None:
        self._packed: dict[Data, Data | Carried] = {}

    def of(self, data: Data, parallel: Any) -> Data | Carried:
        """The data as a `joblib.Parallel` should hand them to its workers."""
        if type(getattr(parallel, "_backend", None)).__name__ not in PROCESSES or parallel.n_jobs == 1:
            return data
        if data not in self._packed:
            self._packed[data] = packed(data)
        return self._packed[data]


def packed(data: Data) -> Data | Carried:
    """The data pickled, where joblib would pickle much of them for every call; else as they are."""
    buffers: list[pickle.PickleBuffer] = []
    try:
        body = pickle.dumps(data, protocol=5, buffer_callback=buffers.append)
    except Exception:  # functions of a notebook, for example, which joblib can pickle
        return data
    views = [buffer.raw() for buffer in buffers]
    again = len(body) + sum(view.nbytes for view in views if not isinstance(view.obj, np.ndarray))
    if again < LARGE:
        return data
    return Carried(uuid.uuid4().hex, np.frombuffer(body, dtype=np.uint8), tuple(map(np.asarray, views)))


def opened(data: Data | Carried) -> Data:
    """What a worker was handed, as data."""
    return data.data() if isinstance(data, Carried) else data
