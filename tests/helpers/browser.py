"""A real browser for tests: Debian's Chromium without a window, at a given width and color scheme.

``with open_browser(folder) as browser: browser.open(path, width=390, scheme="dark")`` shows a file; the browser then
tells what a user or a console would have seen. Tests that need it skip where Chromium is absent (`NEEDS_BROWSER`).
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
NEEDS_BROWSER = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs chromium and chromedriver (Debian: chromium, chromium-driver)"
)
SIZES = {1280: 900, 768: 1024, 390: 844}
SCHEMES = ("light", "dark")
QUIET = ("headless=new", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking",
         "disable-component-update", "disable-sync", "disable-dev-shm-usage", "hide-scrollbars")  # fmt: skip


class Browser:
    """One page at a time, with what it logged and asked for since it was opened."""

    def __init__(self, driver: Any):
        self.driver = driver
        self._network: list[str] = []

    def open(self, path: Path | str, *, width: int = 1280, scheme: str = "light", media: str = "screen") -> "Browser":
        """Show a file (or an address) as wide and in the color scheme asked for; logs begin anew."""
        size = {"width": width, "height": SIZES.get(width, 900), "deviceScaleFactor": 1, "mobile": width < 600}
        self._tell("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._tell("Emulation.setEmulatedMedia", {"media": media, "features": features})
        self.console()
        self.requests()
        self._network = []
        self.driver.get(path if isinstance(path, str) else path.resolve().as_uri())
        return self

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a piece of JavaScript: ``browser.run("return document.title")``."""
        return self.driver.execute_script(script, *arguments)

    def console(self) -> list[str]:
        """What the page wrote to the console since the last look, errors of the browser included."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Every address asked for since the page was opened."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self._network.append(message["params"]["request"]["url"])
        return list(self._network)

    def left_the_file(self) -> list[str]:
        """The addresses that are neither the file itself nor inside it."""
        entries = self.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
        return [url for url in [*self.requests(), *entries] if not url.startswith(("file:", "data:", "about:"))]

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(self.run("const e = document.documentElement; return e.scrollWidth - e.clientWidth"))

    def boxes(self, selector: str) -> list[tuple[float, float]]:
        """Width and height of the elements that are shown."""
        script = (
            "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())"
            ".map(e => { const b = e.getBoundingClientRect(); return [b.width, b.height] })"
        )
        return [(w, h) for w, h in self.run(script, selector)]

    def picture(self, path: Path | str) -> None:
        """The whole page as a PNG file."""
        import base64

        size = self.run("const e = document.documentElement; return [e.clientWidth, e.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
        shot = self._tell("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def _tell(self, command: str, arguments: dict[str, Any]) -> Any:
        return self.driver.execute_cdp_cmd(command, arguments)


@contextmanager
def open_browser(folder: Path) -> Iterator[Browser]:
    """A fresh Chromium whose profile lives in the folder."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for switch in (*QUIET, f"user-data-dir={folder}"):
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
