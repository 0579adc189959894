"""The story of docs/label_next.md: 20 labels, four rounds of 20, on descriptions of Debian packages, and its picture.

    python -m benchmarks.league.label_story [--seeds N] [--out FILE] [--data FOLDER]   run what is missing, print curves
    python -m benchmarks.league.label_story --picture [--out FILE]                     draw docs/_static/label_next.svg

A package belongs to one of six sections: admin, games, graphics, net, science, sound. The labels are 20 packages drawn
at random, the pool has 1,000 and the test set 1,000 others. Linear models and naive Bayes on tf-idf are the candidates.
Every draw is a line of the file.
"""

import argparse
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from benchmarks.league import label_next
from benchmarks.measuring import versions
from benchmarks.places import DATA, PICTURES
from benchmarks.records import keep, kept, read

SECTIONS = ("admin", "games", "graphics", "net", "science", "sound")
KNOWN, TEST = label_next.FIRST + 1000, 1000
FAMILY = ("logistic", "svm", "nb")
STRATEGIES = ("random", "auto", "diverse")
PICTURE = PICTURES / "label_next.svg"
COLORS = {"random": "#888888", "auto": "#0b6e99", "diverse": "#d08c2e"}
NAMES = {"random": "at random", "auto": "suggested", "diverse": "the most disputed"}


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--out", type=Path, default=Path("build/label_story.jsonl"))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--picture", action="store_true", help="only draw what has run")
    arguments = parser.parse_args(words)
    if arguments.picture:
        draw(curves(kept(arguments.out)))
        return
    print(versions(), flush=True)
    run(arguments)
    for strategy, (mean, error) in curves(kept(arguments.out)).items():
        print(f"{strategy:12}", "  ".join(f"{m:.3f} ± {e:.3f}" for m, e in zip(mean, error, strict=True)))


def run(arguments: argparse.Namespace) -> None:
    """Every draw that the file does not hold."""
    done = {(record["seed"], record["strategy"]) for record in kept(arguments.out)}
    texts, sections = packages(arguments.data)
    for seed in range(arguments.seeds):
        rows = np.random.default_rng([seed, 23]).permutation(len(texts))[: KNOWN + TEST]
        words = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2)
        words.fit([texts[at] for at in rows[:KNOWN]])
        X = words.transform([texts[at] for at in rows]).tocsr()
        for strategy in STRATEGIES:
            if (seed, strategy) not in done:
                record = label_next.label(X, sections[rows], KNOWN, FAMILY, strategy, seed)
                keep(arguments.out, [{"seed": seed, "strategy": strategy, **(record or {})}])


def packages(folder: Path) -> tuple[list[str], np.ndarray]:
    """Descriptions of packages and their sections."""
    rows = read(folder / "debian_packages" / "debian_packages.jsonl.gz")
    rows = [row for row in rows if row["section"] in SECTIONS and row["long"]]
    return [f"{row['short']}. {row['long']}" for row in rows], np.array([row["section"] for row in rows])


def curves(records: list[dict[str, Any]]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The mean accuracy after each round and its standard error, by strategy."""
    found = defaultdict(list)
    for record in records:
        found[record["strategy"]].append(record["accuracy"])
    return {
        name: (np.mean(own, axis=0), np.std(own, axis=0, ddof=1) / np.sqrt(len(own)))
        for name, own in found.items()
        if len(own) > 1
    }


def draw(story: dict[str, Any]) -> None:
    """The mean curve of each strategy, with standard errors."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    labels = label_next.FIRST + label_next.MORE * np.arange(label_next.ROUNDS + 1)
    with mpl.rc_context({"svg.hashsalt": "foldless", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(6, 3.6), layout="constrained")
        axes = figure.subplots()
        for at, name in enumerate(own for own in STRATEGIES if own in story):
            mean, error = story[name]
            axes.errorbar(labels + 0.6 * (at - 1), mean, yerr=error, color=COLORS[name], label=NAMES[name], marker="o",
                          markersize=4)  # fmt: skip
        axes.set(xlabel="labels", ylabel="test accuracy of the chosen model")
        axes.set_xticks(labels)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    main()
