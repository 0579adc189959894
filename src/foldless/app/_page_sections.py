"""What the pages show, in sections: a page asks for those that are newer than what it has."""

import threading
from typing import Any


class PageSections:
    """Sections by name, each with the version of its last change; safe for threads.

    >>> sections = PageSections()
    >>> sections.put("race", {"done": 0})
    >>> sections.since(0)
    {'version': 1, 'sections': {'race': {'done': 0}}}
    >>> sections.since(1)
    {'version': 1, 'sections': {}}
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._version = 0
        self._sections: dict[tuple[str, str | None], tuple[int, Any]] = {}

    def put(self, name: str, value: Any, person: str | None = None) -> None:
        """Show a value, which is plain data and not changed any more, to everybody or to one person."""
        with self._lock:
            self._version += 1
            self._sections[name, person] = self._version, value

    def get(self, name: str, person: str | None = None) -> Any:
        """What a section shows; None where it is empty."""
        with self._lock:
            return self._sections.get((name, person), (0, None))[1]

    def since(self, version: int, person: str | None = None) -> dict[str, Any]:
        """The sections that have changed after a version; all of them for one that was never reached."""
        with self._lock:
            reached = version if version <= self._version else 0  # of a server that was there before
            changed = {
                name: value
                for (name, to), (at, value) in self._sections.items()
                if at > reached and (to is None or to == person)
            }
            return {"version": self._version, "sections": changed}
