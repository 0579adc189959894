"""Serve a labeling session on this machine until Ctrl-C."""

import logging
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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
    ended: threading.Event | None = None,
    reach: "Reach | None" = None,
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
    ended : threading.Event, optional
        Ends the server once it is set, by who passed it or by the button "done", which the page then has.
    reach : Reach, optional
        From where the page can be opened; by default from this machine alone.
    """
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise BadInput(f"the app needs {' and '.join(missing)}: pip install 'foldless[app]'")
    reach = reach or Reach()
    reach.check()
    bound = _bound(port, reach.listens_on)
    session = LabelingSession(setup, ended)
    try:
        session.start()
        import uvicorn  # while the files are read

        from foldless.app._access import Guarded
        from foldless.app._connections import BoundedProtocol, BoundedRate
        from foldless.app._routes import application

        session.open()
        port = bound.getsockname()[1]
        tokens = {name: secrets.token_urlsafe(24) for name in session.people}
        known: Any = dict(tokens) if setup.people else tokens[session.people[0]]
        guarded = Guarded(application(session), known, port, hosts=reach.names(port), secure=reach.secure)
        config = uvicorn.Config(
            guarded, log_level="warning", access_log=False, lifespan="off", ws="none", loop="asyncio",
            http=BoundedProtocol, server_header=False, date_header=False, proxy_headers=False,
            timeout_graceful_shutdown=1, ssl_certfile=reach.certificate, ssl_keyfile=reach.key,
        )  # fmt: skip
        for name in ("uvicorn.error", "asyncio"):
            logging.getLogger(name).addFilter(BoundedRate())
        bound.listen()
        addresses = {name: f"{reach.address(port)}/?token={token}" for name, token in tokens.items()}
        address = next(iter(addresses.values()))
        server = uvicorn.Server(config)
        if ended is not None:
            threading.Thread(target=_end, args=(server, ended), name="ending", daemon=True).start()
        with at_ctrl_c(server.handle_exit):
            for name, each in addresses.items():
                shown(f"{name}: {each}" if name else each)
            with nullcontext() if browse is None else browsed(address, setup.folder, browse):
                server.run(sockets=[bound])
    finally:
        bound.close()
        session.close()


@contextmanager
def at_ctrl_c(ask: Callable[..., object]) -> Iterator[None]:
    """Ctrl-C asks what runs to end, also before it has begun: as an exception it could come where it is lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.default_int_handler)


def _end(server: Any, ended: threading.Event) -> None:
    ended.wait()
    server.should_exit = True


@dataclass(frozen=True)
class Reach:
    """From where a page can be opened: this machine alone, unless a host is named and the way there is encrypted.

    Parameters
    ----------
    host : the name under which browsers ask, with the port where a proxy has another one
    certificate, key : files of the certificate of this name, in PEM
    behind_proxy : whether a proxy on this machine has the certificate; then the page is served to it alone
    """

    host: str | None = None
    certificate: str | None = None
    key: str | None = None
    behind_proxy: bool = False

    def check(self) -> None:
        """Refuse to send labels, and the tokens that give access to them, over a network in the clear."""
        if (self.certificate is None) != (self.key is None):
            raise BadInput("a certificate and its key belong together: name both files, or none")
        if self.host is None and (self.certificate is not None or self.behind_proxy):
            raise BadInput("a certificate or a proxy is for other machines: name the host that they ask for")
        if self.host is not None and (self.certificate is not None) == self.behind_proxy:
            raise BadInput(
                f"{self.host} could be asked by other machines, and everybody between could read the labels: name a "
                f"certificate and its key, or say that the app is behind a proxy that has them",
                value=self.host,
            )
        for file in (self.certificate, self.key):
            if file is not None and not Path(file).is_file():
                raise BadInput(f"there is no file {file}", value=file)

    @property
    def secure(self) -> bool:
        """Whether browsers ask with https."""
        return self.host is not None

    @property
    def listens_on(self) -> str:
        """The interface that is listened on: all of them only where this server itself has the certificate."""
        return "" if self.certificate is not None else HOST

    def names(self, port: int) -> list[str]:
        """The names that browsers may ask for."""
        if self.host is None:
            return []
        return [self.host] if self.behind_proxy or ":" in self.host else [f"{self.host}:{port}"]

    def address(self, port: int) -> str:
        """The beginning of the address of the page."""
        return f"http://{HOST}:{port}" if self.host is None else f"https://{self.names(port)[0]}"


def _bound(port: int, host: str = HOST) -> socket.socket:
    """A socket on this machine, and without a host for others too."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise BadInput(
            f"port {port} of this machine is in use", value=port, remedy=SetArgument("port", to="name another one")
        ) from error
    return bound
