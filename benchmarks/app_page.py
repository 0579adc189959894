"""The page of the app in a browser without a window, as its tests have it."""

import sys
import time

from benchmarks.places import ROOT

sys.path.append(str(ROOT / "tests"))
from helpers.app_server import AppServer, app_server
from helpers.browser import Browser, open_browser

__all__ = ["AppServer", "Browser", "app_server", "open_browser", "until"]


def until(browser: Browser, script: str, seconds: float = 300) -> None:
    """Wait until something is true in the page."""
    end = time.monotonic() + seconds
    while not browser.run(f"return {script}"):
        if time.monotonic() > end:
            raise TimeoutError(script)
        time.sleep(0.02)
