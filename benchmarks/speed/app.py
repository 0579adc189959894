"""How quick the app is: until 100,000 texts can be labeled, and from a key to the saved label while models are trained.

    python -m benchmarks.speed.app [--data ../shared/data] [--pool 100000] [--keys 100]

The texts are glosses of WordNet, of 45 classes. A headless Chromium presses the keys. "shown" is the time from the key
to the next row on the page; "saved" to the word that the label is on the disk.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil

from benchmarks.app_page import AppServer, Browser, app_server, ask, click, open_browser, until
from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.records import read

ROUND = """
return (async (key) => {
  const state = await import("/state.js");
  const before = state.currentEntry().row, start = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const shown = performance.now() - start;
  if (state.currentEntry() && state.currentEntry().row === before) throw new Error("the row is still there");
  while (state.unanswered) await new Promise((go) => setTimeout(go, 1));
  return [shown, performance.now() - start];
})(arguments[0]);
"""
"""Press a key; the milliseconds until the next row is shown, and until the label is saved."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pool", type=int, default=100_000)
    parser.add_argument("--keys", type=int, default=100)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_glosses(asked.data / "wordnet_glosses" / "wordnet_glosses.jsonl.gz", folder, asked.pool)
        options = ("train.csv", "--label", "lexname", "--unlabeled", "pool.csv", "--batch", str(asked.keys + 1))
        with open_browser(folder / "profile") as browser:
            start = time.perf_counter()
            with app_server(*options, cwd=folder) as server:
                browser.open(server.address)
                until(browser, "Boolean(sections.problem && state.currentEntry())", seconds=120)
                wall, spent = time.perf_counter() - start, cpu(server)
                print(versions())
                print(f"open: {asked.pool:,} texts after {wall:.1f} s, with {spent:.1f} s of processor time")
                click(browser, "go")
                until(browser, "state.isRacing() && sections.race && sections.race.asked > 0", seconds=120)
                measure(browser, asked.keys)


def write_glosses(source: Path, folder: Path, n_pool: int) -> None:
    """A training file with five glosses of each class, and a pool."""
    rows = read(source)
    frame = pd.DataFrame({"gloss": [row["gloss"] for row in rows], "lexname": [row["lexname"] for row in rows]})
    frame = frame.sample(frac=1, random_state=0).reset_index(drop=True)
    train = frame.groupby("lexname").head(5)
    train.to_csv(folder / "train.csv", index=False)
    frame.drop(train.index)[:n_pool].drop(columns="lexname").to_csv(folder / "pool.csv", index=False)


def measure(browser: Browser, keys: int) -> None:
    """Press keys while a race runs."""
    rng, taken = np.random.default_rng(0), []
    for _ in range(keys):
        taken.append(browser.run(ROUND, str(rng.integers(1, 10))))
        time.sleep(0.05)
    running = ask(browser, "state.isRacing()")
    state = "while models are trained" if running else "but the race ended before the last key"
    print(f"{keys} keys {state}, in milliseconds:")
    for name, values in zip(("shown", "saved"), np.array(taken).T, strict=True):
        middle, high = np.quantile(values, [0.5, 0.95])
        print(f"  {name}: median {middle:.1f}, 95 % {high:.1f}, longest {values.max():.1f}")


def cpu(server: AppServer) -> float:
    """Seconds of processor time of the server and of the process that trains."""
    whole = psutil.Process(server.process.pid)
    return sum(sum(each.cpu_times()[:2]) for each in (whole, *whole.children(recursive=True)))


if __name__ == "__main__":
    main()
