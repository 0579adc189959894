"""Files of three classes in the plane: labeled rows, a pool and test rows."""

from pathlib import Path

import numpy as np
import pandas as pd

N_LABELED, N = 30, 150
GRID = ["--grid", "C=0.01,1,100"]


def blobs() -> pd.DataFrame:
    """Three classes in the plane, with a column of words that says a little about them."""
    rng = np.random.default_rng(0)
    codes = np.arange(N) % 3
    points = rng.normal(size=(N, 2)) + 2.5 * np.array([[0, 0], [1, 0], [0, 1]])[codes]
    color = np.where(rng.random(N) < 0.7, np.array(["red", "green", "blue"])[codes], "gray")
    return pd.DataFrame(
        {"x": points[:, 0], "y": points[:, 1], "color": color, "topic": np.array(["a", "b", "c"])[codes]}
    )


def write(folder: Path) -> None:
    """Write train.csv, pool.csv and test.csv."""
    frame = blobs()
    frame[:N_LABELED].to_csv(folder / "train.csv", index=False)
    frame[N_LABELED:120].drop(columns="topic").to_csv(folder / "pool.csv", index=False)
    frame[120:].to_csv(folder / "test.csv", index=False)
