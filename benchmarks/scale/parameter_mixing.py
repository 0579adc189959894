"""What the average of several learners loses against one pass over all rows, and how much faster it is.

    python -m benchmarks.scale.parameter_mixing [--rows 800000] [--files 16] [--jobs 1 2 4 8]

Writes a stream of 54 columns with 3 classes (5, 20 and 75 %) and a column of text in Parquet files whose rows are in
random order, trains `foldless.streams.train` on it with each number of jobs, and measures the models on the same
100,000 new rows: BAKLD, which the learners optimize (larger is better), balanced accuracy, and KLD of the class shares
(smaller is better). The loss is that of the average against one pass. Times are those of this machine: more jobs than
cores are measured for the loss only.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.measuring import versions
from foldless.streams import train
from foldless.streams.prequential import ConfusionMatrix

COLUMNS, TEST = 54, 100_000
WORDS = [["rain", "roof", "cold"], ["sea", "warm", "sand"], ["hill", "wind", "road"]]


def drawn(n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    y = rng.choice(3, n, p=[0.05, 0.2, 0.75])
    centers = np.random.default_rng(1).normal(size=(3, COLUMNS)) * 0.25
    X = (rng.standard_normal((n, COLUMNS)) + centers[y]).astype(np.float32)
    told = np.where(rng.random(n) < 0.2, y, rng.integers(3, size=n))
    text = [f"{WORDS[k][at % 3]} and {WORDS[at % 3][k]} {at % 1009}" for at, k in enumerate(told)]
    return pd.DataFrame(X, columns=[f"x{at}" for at in range(COLUMNS)]).assign(text=text, y=y)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=800_000)
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2, 4, 8])
    given = parser.parse_args()
    print(versions())
    print(f"{given.rows:,} rows in {given.files} files, measured on {TEST:,} other rows")
    test = drawn(TEST, 0)
    with tempfile.TemporaryDirectory() as folder:
        for at in range(given.files):
            drawn(given.rows // given.files, at + 1).to_parquet(Path(folder) / f"{at:03d}.parquet", index=False)
        train(str(Path(folder) / "000.parquet"), "y", text=["text"])  # compiles
        print("jobs   BAKLD  balanced accuracy  KLD of shares   seconds")
        for jobs in given.jobs:
            start = time.perf_counter()
            trained = train(folder, "y", text=["text"], n_jobs=jobs)
            spent = time.perf_counter() - start
            counts = ConfusionMatrix.of(test["y"].to_numpy(), trained.predict(test.drop(columns="y")), 3)
            scores = counts.scores()
            print(
                f"{jobs:4d}  {counts.value('bakld'):6.4f}  {scores['balanced_accuracy']:17.4f}  {scores['kld']:13.6f}  "
                f"{spent:8.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
