"""The pictures of the README: the answer of ``foldless select`` on a terminal of 80 columns, and the top of its report.

``python docs/_ext/pictures.py`` writes docs/_static/select.svg and docs/_static/report.png; it needs Chromium for the
second. Both are of the digits of scikit-learn, 60 rows of which have labels. The command names a time
budget, so that the answer does not depend on how busy the machine is; the picture shows it as it was run.
"""

import contextlib
import fcntl
import io
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "docs" / "_static"
WIDTH, HEIGHT = 80, 24
TYPED = (
    "foldless select labeled.csv --label digit --unlabeled pool.csv",
    "--predict labeled_pool.csv --save model.skops --report report.html",
    "--time-budget 300",
)
PAGE = (1280, 900)  # pixels
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def on_terminal(command: list[str], folder: Path) -> str:
    """What a command writes to a terminal; what it writes to standard error is not shown."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    known = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
    environment = known | {"TERM": "xterm-256color"}
    process = subprocess.Popen(command, cwd=folder, stdout=theirs, stderr=subprocess.DEVNULL, env=environment)
    os.close(theirs)
    written = b""
    with contextlib.suppress(OSError):  # Linux says so when the other side is closed
        while block := os.read(ours, 65536):
            written += block
    if process.wait():
        sys.exit(f"{' '.join(command)} failed")
    return written.decode().replace("\r\n", "\n")


def as_svg(typed: list[str], answer: str) -> str:
    """A picture of a terminal; it fetches no font."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for at, line in enumerate(typed):
        console.print(Text("$ " if at == 0 else "    ", style="dim") + Text(line))
    console.print(Text.from_ansi(answer.rstrip("\n")), end="\n\n")
    return re.sub(r"@font-face \{.*?\}\s*", "", console.export_svg(title="foldless"), flags=re.DOTALL)


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        subprocess.run([sys.executable, ROOT / "examples" / "digits.py", folder], check=True, capture_output=True)
        words = " ".join(TYPED).split()[1:]
        command = [sys.executable, "-c", "from foldless.cli import main; main()", *words]
        answer = on_terminal(command, folder)
        picture = as_svg([*(f"{line} \\" for line in TYPED[:-1]), TYPED[-1]], answer)
        (STATIC / "select.svg").write_text(picture, encoding="utf-8")
        browser = next((name for name in BROWSERS if shutil.which(name)), None)
        if browser is None:
            sys.exit("there is no Chromium: the picture of the report is left as it was")
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={PAGE[0]},{PAGE[1]}",
             f"--screenshot={STATIC / 'report.png'}", f"file://{folder / 'report.html'}"],
            check=True, capture_output=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
