"""Limits on connections: a client that sends half a request, or none, does not keep others out.

A connection has some seconds for a whole request. Beyond a number of connections that the limit of open files allows,
the connection that has been idle longest is closed. Log lines about requests come at a bounded rate.
"""

import asyncio
import logging
import sys
import time
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0  # pages on this machine send theirs in milliseconds
MAX_CONNECTIONS = 512  # pages have six each
LINES, EVERY = 10, 60.0  # log lines in so many seconds


def max_connections() -> int:
    """How many connections may be open at once: half of the files that this process may open, for it needs others."""
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else max(8, min(MAX_CONNECTIONS, soft // 2))


class BoundedProtocol(H11Protocol):
    """One connection of uvicorn's, which is closed where its request does not come."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Close the connection that has waited longest where there are too many."""
        super().connection_made(transport)
        self._start_timer()
        waiting = WAITING.setdefault(id(self.connections), {})
        waiting[self] = None
        if len(self.connections) > max_connections():
            next(iter(waiting))._late()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; the time for it runs until it is whole."""
        if self._timer is None:
            self._start_timer()
        super().data_received(data)
        if self._is_whole():
            self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _is_whole(self) -> bool:
        if self.cycle is None or self.conn.their_state is h11.SEND_BODY:
            return False
        return self.conn.their_state is not h11.IDLE or not self.conn.trailing_data[0]

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(REQUEST_SECONDS, self._late)

    def _stop_timer(self) -> None:
        WAITING.get(id(self.connections), {}).pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._stop_timer()
        self.connections.discard(self)
        self.transport.abort()


WAITING: dict[int, dict[BoundedProtocol, None]] = {}
"""By the set of connections of a server, those whose request is not whole yet; the first has waited longest."""


class BoundedRate(logging.Filter):
    """Lets some lines through in each interval, and says then how many it has left out."""

    def __init__(self) -> None:
        super().__init__()
        self._start, self._n = 0.0, 0

    def filter(self, record: Any) -> bool:
        now = time.monotonic()
        if now - self._start >= EVERY:
            if self._n > LINES:
                record.msg, record.args = f"{record.getMessage()} ({self._n - LINES} lines were left out)", ()
            self._start, self._n = now, 0
        self._n += 1
        return self._n <= LINES
