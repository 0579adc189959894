"""What the fits of one search share, also across batches: kept while a search runs, and no longer."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from foldless.core._shared_use import SharedUse

_memories: list["SearchMemory"] = []


def _forget() -> None:
    for memory in _memories:
        memory.forget()


remembering = SharedUse(lambda: _forget)
"""Keep what fits share until the last search ends."""


class SearchMemory:
    """What a kind of learner keeps during searches: the things that were used last."""

    def __init__(self, n_kept: int):
        self._n_kept, self._lock = n_kept, threading.Lock()
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        _memories.append(self)

    def recalled(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What was made under this key during the search, or is made now."""
        with self._lock:
            known = self._kept.pop(key) if key in self._kept else make()
            if remembering.users:
                self._kept[key] = known
                while len(self._kept) > self._n_kept:
                    self._kept.popitem(last=False)
            return known

    def forget(self) -> None:
        with self._lock:
            self._kept.clear()
