"""Searches that pages wait for: the process that trains has the rows, and answers when it can."""

import itertools
import queue
from typing import Any

from foldless.errors import BadInput

PATIENCE = 30.0  # seconds: a race shares the process
MAX_SEARCH = 500  # letters that are looked for


class RowSearches:
    """Questions by their numbers, and the answers to them; safe for threads, as each step is one of a dict."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._waiting: dict[int, queue.SimpleQueue[dict[str, Any]]] = {}

    def asked(self) -> int:
        """The number of a new question."""
        number = next(self._numbers)
        self._waiting[number] = queue.SimpleQueue()
        return number

    def answered(self, number: int, page: dict[str, Any]) -> None:
        """An answer, for whoever still waits for it."""
        if (waiting := self._waiting.get(number)) is not None:
            waiting.put(page)

    def wait(self, number: int, seconds: float = PATIENCE) -> dict[str, Any]:
        try:
            return self._waiting[number].get(timeout=seconds)
        except queue.Empty:
            raise BadInput("the search takes too long while models are trained: search again after the race") from None
        finally:
            del self._waiting[number]
