"""Something that holds for a whole process while anybody uses it: the first user begins it, the last one ends it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

End = Callable[[], object]


class SharedUse:
    """Counts users; ``begin`` is called for the first of them, and what it returns after the last.

    Examples
    --------
    >>> use = SharedUse(lambda: print("begins") or (lambda: print("ends")))
    >>> with use():
    ...     with use():
    ...         print(use.users)
    begins
    2
    ends
    """

    def __init__(self, begin: Callable[[], End]):
        self._begin, self._lock, self.users = begin, threading.Lock(), 0

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if not self.users:
                self._end = self._begin()
            self.users += 1
        try:
            yield
        finally:
            with self._lock:
                self.users -= 1
                if not self.users:
                    self._end()
