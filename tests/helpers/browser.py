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
SIZES = {1920: 1080, 1280: 900, 768: 1024, 390: 844}
SCHEMES = ("light", "dark")
QUIET = ("headless=new", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking",
         "disable-component-update", "disable-sync", "disable-dev-shm-usage", "hide-scrollbars")  # fmt: skip

CROPPED = """
const found = [], wide = document.documentElement.clientWidth;
const shown = e => e.checkVisibility() && e.textContent.trim();
for (const e of document.querySelectorAll('body *')) {
  const box = e.getBoundingClientRect();
  if (shown(e) && box.width && (box.right > wide + 1 || box.left < -1)) found.push(`past the window: ${e.textContent}`);
}
for (const svg of [...document.querySelectorAll('svg')].filter(e => e.checkVisibility())) {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].filter(shown).map(e => [e.textContent, e.getBoundingClientRect()]);
  texts.forEach(([text, a], at) => {
    if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.top < frame.top - 1 || a.bottom > frame.bottom + 1)
      found.push(`past the picture: ${text}`);
    for (const [other, b] of texts.slice(at + 1)) {
      const beside = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const below = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);  // a box is higher than its letters
      if (beside > 1 && below > 0.3 * Math.min(a.height, b.height)) found.push(`one over the other: ${text}, ${other}`);
    }
  });
}
return found.slice(0, 10).map(each => each.slice(0, 120))
"""


class Browser:
    """One page at a time, with what it logged and asked for since it was opened."""

    def __init__(self, driver: Any):
        self.driver = driver
        self._network: list[str] = []

    def open(self, path: Path | str, *, width: int = 1280, scheme: str = "light", media: str = "screen") -> "Browser":
        """Show a file (or an address) as wide and in the color scheme asked for; logs begin anew."""
        self.driver.get("about:blank")  # a page whose server has ended goes on to log that, once a second
        self.resize(width, scheme=scheme, media=media)
        self.console()
        self.requests()
        self._network = []
        self.driver.get(path if isinstance(path, str) else path.resolve().as_uri())
        return self

    def resize(self, width: int, *, scheme: str = "light", media: str = "screen") -> None:
        """Show the page that is open in another width and color scheme."""
        size = {"width": width, "height": SIZES.get(width, 900), "deviceScaleFactor": 1, "mobile": width < 600}
        self._tell("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._tell("Emulation.setEmulatedMedia", {"media": media, "features": features})

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

    def cropped(self) -> list[str]:
        """What is cut off or covered: elements past the window, texts of pictures past it or over another text."""
        return [str(each) for each in self.run(CROPPED)]

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
