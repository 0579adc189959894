"""The page of the app in a browser without a window, as its tests have it."""

import sys

from benchmarks.places import ROOT

sys.path.append(str(ROOT / "tests"))
from helpers.app_page import ask, click, until
from helpers.app_server import AppServer, app_server
from helpers.browser import Browser, open_browser

__all__ = ["AppServer", "Browser", "app_server", "ask", "click", "open_browser", "until"]
