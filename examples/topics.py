"""Make mails to a shop, with the channel and the day on which they came, and write them as files.

python examples/topics.py OUTDIR

Nothing here is from people: sentences are drawn from lists, and some words of each mail are of another topic.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

WORDS = {
    "billing": "invoice charged twice refund amount card payment account price receipt total month",
    "delivery": "parcel late courier address tracking arrived damaged door box waiting order shipped",
    "praise": "thank you great service lovely quick friendly help recommend happy best again",
}
COMMON = "hello please I the my a was is today with your and for this from shop we again it last"
CHANNELS = {"billing": (0.6, 0.3, 0.1), "delivery": (0.2, 0.6, 0.2), "praise": (0.2, 0.2, 0.6)}
SHARES = (0.3, 0.5, 0.2)


def make(n: int, *, shares: tuple[float, ...] = SHARES, seed: int = 0) -> pd.DataFrame:
    """Mails with their topics; ``shares`` are those of billing, delivery and praise."""
    rng, topics = np.random.default_rng(seed), list(WORDS)
    words, common = {topic: text.split() for topic, text in WORDS.items()}, COMMON.split()
    rows = []
    for day in np.sort(rng.integers(0, 180, n)):
        topic = str(rng.choice(topics, p=shares))
        others = [word for other in topics if other != topic for word in words[other]]
        lists = rng.choice(3, rng.integers(6, 16), p=(0.4, 0.12, 0.48))  # of the topic, of the others, of every mail
        text = " ".join(str(rng.choice((words[topic], others, common)[which])) for which in lists)
        date = (pd.Timestamp("2024-01-01") + pd.Timedelta(days=int(day))).strftime("%Y-%m-%d")
        rows.append((text, str(rng.choice(["mail", "form", "chat"], p=CHANNELS[topic])), date, topic))
    return pd.DataFrame(rows, columns=["text", "channel", "date", "topic"])


def main(folder: Path) -> None:
    """Write train.csv, labeled_later.csv and, without topics, pool.csv, pool.parquet and new.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    pool = make(400, shares=(0.5, 0.3, 0.2), seed=1).drop(columns="topic")
    make(120).to_csv(folder / "train.csv", index=False)
    make(100, seed=3).to_csv(folder / "labeled_later.csv", index=False)
    make(50, seed=2).drop(columns="topic").to_csv(folder / "new.csv", index=False)
    pool.to_csv(folder / "pool.csv", index=False)
    pool.to_parquet(folder / "pool.parquet", index=False)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/topics.py OUTDIR")
    main(Path(sys.argv[1]))
