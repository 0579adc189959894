"""What fits of one search have in common beyond a batch of them: kept while a search runs, and no longer."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

N_KEPT = 2  # words and characters of the same texts, for example
_lock = threading.Lock()
_kept: OrderedDict[bytes, Any] = OrderedDict()
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
                _kept.clear()


def recalled(key: bytes, make: Callable[[], Any]) -> Any:
    """What was made under this key during the search, or is made now."""
    with _lock:
        known = _kept.pop(key, None)
        if known is None:
            known = make()
        if _searches:
            _kept[key] = known
            while len(_kept) > N_KEPT:
                _kept.popitem(last=False)
        return known
