"""What the fits of one search share, also across batches: kept while a search runs, and no longer."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_memories: list["SearchMemory"] = []
_searches = 0


@contextmanager
def remembering() -> Iterator[None]:
    """Keep what fits share until the last search ends."""
    global _searches
    with _lock:
        _searches += 1
    try:
        yield
    finally:
        with _lock:
            _searches -= 1
            if not _searches:
                for memory in _memories:
                    memory.forget()


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
            if _searches:
                self._kept[key] = known
                while len(self._kept) > self._n_kept:
                    self._kept.popitem(last=False)
            return known

    def forget(self) -> None:
        with self._lock:
            self._kept.clear()
