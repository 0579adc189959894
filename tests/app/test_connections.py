"""Half-sent requests end, the oldest of too many gives way, and the log stays short."""

import asyncio
import contextlib
import logging
import os

import pytest
import uvicorn

from foldless.app import _connections as connections
from foldless.app._connections import BoundedProtocol, BoundedRate, max_connections


async def answering(scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def served(work):
    """What a client does with a server's port."""
    config = uvicorn.Config(
        answering, port=0, http=BoundedProtocol, lifespan="off", log_level="critical", access_log=False
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        await work(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        await running


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def asked(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(WHOLE)
    answer = await asyncio.wait_for(reader.readuntil(b"ok"), 20)
    writer.close()
    return answer


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"])
def test_a_request_that_does_not_end_is_ended(monkeypatch, sent):
    seconds = connections.REQUEST_SECONDS
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)

    async def work(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        with contextlib.suppress(ConnectionResetError):
            assert await asyncio.wait_for(reader.read(), 20) == b""
        writer.close()
        monkeypatch.setattr(connections, "REQUEST_SECONDS", seconds)
        assert b"200" in await asked(port)

    asyncio.run(served(work))


def test_many_half_requests_keep_nobody_out(monkeypatch):
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 10)

    async def work(port):
        halves = [await asyncio.open_connection("127.0.0.1", port) for _ in range(40)]
        for _, writer in halves:
            writer.write(b"GET / HTTP/1.1\r\nHo")
        assert b"200" in await asked(port)
        for _, writer in halves:
            writer.close()

    asyncio.run(served(work))


@pytest.mark.skipif(os.name == "nt", reason="no such limit there")
def test_connections_are_fewer_than_the_files_that_may_be_open():
    import resource

    assert 8 <= max_connections() <= max(8, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)


def test_a_flood_of_log_lines_is_a_few_lines(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(connections.time, "monotonic", lambda: 1000 + clock[0])
    rate = BoundedRate()

    def line():
        return logging.LogRecord("x", logging.WARNING, "", 0, "bad %s", ("request",), None)

    assert sum(rate.filter(line()) for _ in range(10_000)) == connections.LINES
    clock[0] += connections.EVERY
    last = line()
    assert rate.filter(last)
    assert last.getMessage() == "bad request (9990 lines were left out)"
