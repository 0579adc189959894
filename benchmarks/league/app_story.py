"""A story with the app, and the pictures of docs/app.md: 20 labels, four rounds of 20, labeled with the keyboard.

    python -m benchmarks.league.app_story [--data DATA] [--pictures docs/_static] [--seed 1]
        [--rows valid,leaders,random]

The rows are text messages, spam or not. A headless Chromium opens the page, and presses the key of the class that the
data have for each row it shows. For each round the estimate and the accuracy on test rows are printed.
"""

import argparse
import base64
import io
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd
from PIL import Image

from benchmarks.app_page import Browser, app_server, ask, click, open_browser, until
from benchmarks.places import DATA
from benchmarks.records import read

ROUNDS, BATCH, FIRST, POOL = 4, 20, 20, 3000
OPTIONS = ("train.csv", "--label", "label", "--unlabeled", "pool.csv", "--test", "test.csv", "--batch", str(BATCH))
MODELS = ("--model", "linear-svc,logistic-regression,naive-bayes")
SHOTS = [("wide", 1280, 980), ("phone", 390, 844)]
COLORS = 96  # of a picture; the page has few
CHOOSE_ROWS = """
const rows = document.getElementById("rows");
rows.value = arguments[0];
rows.dispatchEvent(new Event("change"));
"""
RACE_SECONDS = 300
SEED = 1  # with which 20 messages have two classes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--rows", default="valid,leaders,random")
    asked = parser.parse_args()
    for how in asked.rows.split(","):
        with tempfile.TemporaryDirectory() as place, open_browser(Path(place) / "profile") as browser:
            truth = write_messages(asked.data / "sms_spam" / "sms_spam.jsonl.gz", Path(place), asked.seed)
            with app_server(*OPTIONS, *MODELS, "--seed", str(asked.seed), cwd=Path(place)) as server:
                browser.open(server.address)
                until(browser, "Boolean(sections.problem && state.currentEntry())", RACE_SECONDS)
                browser.run(CHOOSE_ROWS, how)
                pictures = asked.pictures if how == "valid" else None
                for at in range(ROUNDS + 1):
                    race(browser, at, pictures if at == ROUNDS - 1 else None)
                    if at < ROUNDS:
                        label(browser, truth, pictures if at == ROUNDS - 1 else None)
                show(how, ask(browser, "sections.rounds"))


def write_messages(source: Path, folder: Path, seed: int) -> dict[str, str]:
    """Files of labeled messages, of a pool and of test rows; the classes of the messages of the pool."""
    frame = pd.DataFrame(read(source))[["text", "label"]]
    frame = frame.sample(frac=1, random_state=seed).reset_index(drop=True)
    train, rest = frame[:FIRST], frame[FIRST:].reset_index(drop=True)
    train.to_csv(folder / "train.csv", index=False)
    rest[:POOL].drop(columns="label").to_csv(folder / "pool.csv", index=False)
    rest[POOL:].to_csv(folder / "test.csv", index=False)
    return dict(zip(rest["text"][:POOL], rest["label"][:POOL], strict=True))


def race(browser: Browser, at: int, pictures: Path | None) -> None:
    """Run a race to its end, with a picture of its middle."""
    click(browser, "go")
    if pictures is not None:
        dropped = "sections.race && sections.race.candidates.some(each => each.state === 'left')"
        until(browser, f"state.isRacing() && {dropped}", RACE_SECONDS)
        shoot(browser, pictures, "race", [SHOTS[0]])
    until(browser, f"sections.rounds.length === {at + 1} && !state.isRacing()", RACE_SECONDS)


def label(browser: Browser, truth: dict[str, str], pictures: Path | None) -> None:
    """Label a batch, with the rows in it that are shown again; the pictures are of its middle."""
    classes = ask(browser, "sections.problem.classes")
    until(browser, "Boolean(state.currentEntry())", RACE_SECONDS)
    while rows := until(browser, "state.unanswered === 0 && [state.openEntries()]")[0]:
        if pictures is not None and len(rows) == BATCH // 2:
            shoot(browser, pictures, "label", SHOTS)
            pictures = None
        key = str(classes.index(truth[ask(browser, "state.currentEntry().texts[0][1]")]) + 1)
        browser.run(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }))", key
        )


def shoot(browser: Browser, folder: Path, name: str, shots: list[tuple[str, int, int]]) -> None:
    """Pictures of the page in both color schemes."""
    for kind, width, height in shots:
        for scheme in ("light", "dark"):
            browser.resize(width, scheme=scheme)
            browser.run("scrollTo(0, 0)")
            time.sleep(0.3)
            clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
            shot = browser.driver.execute_cdp_cmd(
                "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
            )
            picture = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB").quantize(COLORS)
            picture.save(folder / f"app_{name}_{kind}_{scheme}.png", optimize=True)
    browser.resize(1280)


def show(how: str, rounds: list[dict[str, Any]]) -> None:
    """The rounds as a table."""
    print(f"\nrows to label: {how}\n| labels | chosen | estimate | interval | on test rows |\n|---|---|---|---|---|")
    for each in rounds:
        estimate = each["estimate"]
        known = f"{estimate['value']:.3f} | {estimate['lower']:.3f} to {estimate['upper']:.3f}" if estimate else "– | –"
        print(f"| {each['labels']} | {each['best']} | {known} | {each['test']:.4f} |")


if __name__ == "__main__":
    main()
