"""Serve a labeling session on this machine until Ctrl-C."""

import logging
import secrets
import socket
from collections.abc import Callable
from contextlib import nullcontext, suppress
from importlib.util import find_spec

from foldless.app._door import browsed
from foldless.app._labeling_session import LabelingSession
from foldless.app.app_setup import Setup
from foldless.errors import BadInput, SetArgument

HOST = "127.0.0.1"


def serve(
    setup: Setup,
    *,
    port: int = 0,
    shown: Callable[[str], None] = print,
    browse: Callable[[str], object] | None = None,
) -> None:
    """Read the files, then serve the page until Ctrl-C.

    Parameters
    ----------
    setup : Setup
        Files, candidates and settings.
    port : int
        Of 127.0.0.1; 0 takes a free one.
    shown : callable
        Called with the address of the page, once it can be opened.
    browse : callable, optional
        Called with the address of a file that leads a browser to the page, such as `webbrowser.open`. Only you can read
        that file: the address of the page has a token, and all users of a machine see the arguments of a process.
    """
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise BadInput(f"the app needs {' and '.join(missing)}: pip install 'foldless[app]'")
    bound = _bound(port)
    session = LabelingSession(setup)
    try:
        session.start()
        import uvicorn  # while the files are read

        from foldless.app._access import Guarded
        from foldless.app._connections import BoundedProtocol, BoundedRate
        from foldless.app._routes import application

        session.open()
        port = bound.getsockname()[1]
        token = secrets.token_urlsafe(24)
        guarded = Guarded(application(session), token, port)
        config = uvicorn.Config(
            guarded, log_level="warning", access_log=False, lifespan="off", ws="none", loop="asyncio",
            http=BoundedProtocol, server_header=False, date_header=False, proxy_headers=False,
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addFilter(BoundedRate())
        bound.listen()
        address = f"http://{HOST}:{port}/?token={token}"
        with suppress(KeyboardInterrupt):  # the way to end it, from the moment on that its address is shown
            shown(address)
            with nullcontext() if browse is None else browsed(address, setup.folder, browse):
                uvicorn.Server(config).run(sockets=[bound])
    finally:
        bound.close()
        session.close()


def _bound(port: int) -> socket.socket:
    """A socket on this machine alone."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((HOST, port))
    except OSError as error:
        bound.close()
        raise BadInput(
            f"port {port} of this machine is in use", value=port, remedy=SetArgument("port", to="name another one")
        ) from error
    return bound
