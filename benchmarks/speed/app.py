"""How quick the app is: until 100,000 texts can be labeled, and from a key to the saved label while models are trained.

    python -m benchmarks.speed.app [--data ../shared/data] [--pool 100000] [--keys 100]
    python -m benchmarks.speed.app --classes 1000 --pool 100000 --keys 100

The texts are glosses of WordNet, of 45 classes. With ``--classes`` they are made up: as many classes, 100 characters
each, and every hundredth text has 20,000. A headless Chromium presses the keys. "drawn" is the time from the key until
the page has drawn the next row, "shown" until the frame after it is on the screen, and "saved" until the page hears
that the label is on the disk. Memory is that of the server, of the process that trains, and of the page's scripts.
"""

import argparse
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

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
  const drawn = performance.now() - start;
  if (state.currentEntry() && state.currentEntry().row === before) throw new Error("the row is still there");
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go, 0)));
  const shown = performance.now() - start;
  while (state.unanswered) await new Promise((go) => setTimeout(go, 1));
  return [drawn, shown, performance.now() - start];
})(arguments[0]);
"""
"""Press a key; the milliseconds until the next row is drawn and shown, and until the label is saved."""
TYPED = """
return (async (typed) => {
  const filter = document.getElementById("filter");
  filter.value = typed;
  const start = performance.now();
  filter.dispatchEvent(new Event("input", { bubbles: true }));
  const drawn = performance.now() - start;
  filter.value = "";
  filter.dispatchEvent(new Event("input", { bubbles: true }));
  return drawn;
})(arguments[0]);
"""
"""Type into the filter of the classes; the milliseconds until those that match are drawn."""
LONG, EVERY = 20_000, 100  # characters of a long text, and how often there is one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pool", type=int, default=100_000)
    parser.add_argument("--keys", type=int, default=100)
    parser.add_argument("--classes", type=int, help="made-up texts of so many classes, some of them long")
    parser.add_argument("--words", default="water,of,class,no such word", help="what is searched for, with commas")
    parser.add_argument("--model", help="names of models; the default portfolio otherwise")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if asked.classes:
            write_texts(folder, asked.classes, asked.pool)
        else:
            write_glosses(asked.data / "wordnet_glosses" / "wordnet_glosses.jsonl.gz", folder, asked.pool)
        options = ["train.csv", "--label", "lexname", "--unlabeled", "pool.csv", "--batch", str(asked.keys + 1)]
        options += ["--model", asked.model] if asked.model else []
        with open_browser(folder / "profile") as browser:
            start = time.perf_counter()
            with app_server(*options, cwd=folder) as server:
                browser.open(server.address)
                until(browser, "Boolean(sections.problem && state.currentEntry())", seconds=300)
                wall, spent = time.perf_counter() - start, cpu(server)
                print(versions())
                print(f"open: {asked.pool:,} texts after {wall:.1f} s, with {spent:.1f} s of processor time")
                print(f"memory before a race: {memory(server, browser)}")
                click(browser, "go")
                until(browser, "state.isRacing() && sections.race && sections.race.asked > 0", seconds=300)
                measure(browser, asked.keys)
                search(server, asked.words)
                print(f"memory while models are trained: {memory(server, browser)}")


def write_glosses(source: Path, folder: Path, n_pool: int) -> None:
    """A training file with five glosses of each class, and a pool."""
    rows = read(source)
    frame = pd.DataFrame({"gloss": [row["gloss"] for row in rows], "lexname": [row["lexname"] for row in rows]})
    frame = frame.sample(frac=1, random_state=0).reset_index(drop=True)
    train = frame.groupby("lexname").head(5)
    train.to_csv(folder / "train.csv", index=False)
    frame.drop(train.index)[:n_pool].drop(columns="lexname").to_csv(folder / "pool.csv", index=False)


def write_texts(folder: Path, n_classes: int, n_pool: int) -> None:
    """A training file with two made-up texts of each class, and a pool; every hundredth text is long."""
    rng = np.random.default_rng(0)
    common = np.array([f"common{at}" for at in range(2000)])
    codes = np.r_[np.tile(np.arange(n_classes), 2), rng.integers(n_classes, size=n_pool)]
    words = common[rng.integers(len(common), size=(len(codes), 10))]
    texts = [f"{' '.join(line)} topic{code}" for line, code in zip(words, codes, strict=True)]
    texts = [f"{text} " * (LONG // len(text)) if at % EVERY == 0 else text for at, text in enumerate(texts)]
    frame = pd.DataFrame({"text": texts, "lexname": [f"class {code} of {n_classes}" for code in codes]})
    frame[: 2 * n_classes].to_csv(folder / "train.csv", index=False)
    frame[2 * n_classes :].drop(columns="lexname").to_csv(folder / "pool.csv", index=False)


def measure(browser: Browser, keys: int) -> None:
    """Press keys while a race runs."""
    rng, taken = np.random.default_rng(0), []
    for _ in range(keys):
        taken.append(browser.run(ROUND, str(rng.integers(1, 10))))
        time.sleep(0.05)
    running = ask(browser, "state.isRacing()")
    typing = [browser.run(TYPED, typed) for typed in ("c", "cl", "class", "class 9", "class 99", "9", "of", "zz")]
    print(
        f"typed into the filter: matching classes are drawn after {np.median(typing):.1f} ms, longest {max(typing):.1f}"
    )
    state = "while models are trained" if running else "but the race ended before the last key"
    print(f"{keys} keys {state}, in milliseconds:")
    for name, values in zip(("drawn", "shown", "saved"), np.array(taken).T, strict=True):
        middle, high = np.quantile(values, [0.5, 0.95])
        print(f"  {name}: median {middle:.1f}, 95 % {high:.1f}, longest {values.max():.1f}")


def search(server: AppServer, words: str) -> None:
    """Search the pool while a race runs, or after it."""
    taken, totals = [], []
    server.close()  # the line was idle for long, and the server has hung up
    for each in words.split(","):
        start = time.perf_counter()
        status, page = server.ask(f"/search?{urlencode({'words': each})}")
        taken.append(time.perf_counter() - start)
        totals.append(page["total"] if status == 200 else page)
    print(f"searches found {totals} rows after {', '.join(f'{seconds:.2f}' for seconds in taken)} s")


def cpu(server: AppServer) -> float:
    """Seconds of processor time of the server and of the process that trains."""
    return sum(sum(each.cpu_times()[:2]) for each in processes(server))


def memory(server: AppServer, browser: Browser) -> str:
    """What the server, its processes and the scripts of the page take, in megabytes."""
    first, *others = [each.memory_full_info().uss / 2**20 for each in processes(server)]
    heap = browser.run("return performance.memory.usedJSHeapSize") / 2**20
    return f"server {first:.0f} MB, training {sum(others):.0f} MB, page {heap:.0f} MB"


def processes(server: AppServer) -> list[psutil.Process]:
    """The server, and those that it has started."""
    whole = psutil.Process(server.process.pid)
    return [whole, *whole.children(recursive=True)]


if __name__ == "__main__":
    main()
