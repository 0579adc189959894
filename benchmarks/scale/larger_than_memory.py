"""Select over a Parquet pool that is larger than the memory a search may use.

    python -m benchmarks.scale.larger_than_memory [--rows 20000000] [--criterion quantification_bound] [--folder DIR]

Writes a pool of 60 columns of random numbers in a folder of ten files, then measures two processes: one that reads the
files and calls ``predict`` of 8 models for every block, and nothing else, and one that chooses among the same 8
candidates with `FoldlessSearch`. It prints the peak memory of both (the maximum resident set, as the kernel counts it),
rows per second by wall and by processor time, and the rate of the search as a share of the raw rate. The limits are a
peak below 1 GB and 60 % of the raw rate.
"""

import argparse
import json
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from sklearn.linear_model import LogisticRegression

from benchmarks.measuring import told_by, versions

COLUMNS, FILES, GROUP, LABELS, BLOCK = 60, 10, 250_000, 400, 65_536
GRID = np.logspace(-4, 3, 8)
MEMORY, RATE = 1000, 0.6  # megabytes, share of the raw rate


def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    X = rng.standard_normal((n, COLUMNS), dtype=np.float32)
    signal = X[:, :8] @ np.linspace(1, 0.2, 8) + rng.standard_normal(n)
    return X, np.digitize(signal, [-1.0, 0.8])


def write(folder: Path, rows: int) -> None:
    rng = np.random.default_rng(0)
    schema = pa.schema([(f"x{at}", pa.float32()) for at in range(COLUMNS)])
    for file in range(FILES):
        left = rows // FILES
        with pa.parquet.ParquetWriter(folder / f"part-{file}.parquet", schema, use_dictionary=False) as writer:
            while left:
                X, _ = draw(min(GROUP, left), rng)
                writer.write_table(pa.table(list(X.T), schema=schema))
                left -= len(X)


def labeled() -> tuple[np.ndarray, np.ndarray]:
    return draw(LABELS, np.random.default_rng(1))


def raw(folder: Path) -> dict[str, object]:
    """Read every block and predict it by every model, in the plainest way that there is."""
    X, y = labeled()
    models = [LogisticRegression(C=C, max_iter=1000).fit(X, y) for C in GRID]
    counts = np.zeros((len(models), 3))
    start, spent = time.perf_counter(), time.process_time()
    for path in sorted(folder.glob("*.parquet")):
        for batch in pa.parquet.ParquetFile(path).iter_batches(BLOCK):
            block = np.column_stack([column.to_numpy() for column in batch.columns])
            for at, model in enumerate(models):
                counts[at] += np.bincount(model.predict(block), minlength=3)
    return told(start, spent, {"best": float(GRID[best_of(counts / counts.sum(axis=1, keepdims=True), y)])})


def best_of(shares: np.ndarray, y: np.ndarray) -> int:
    return int(np.argmax(np.minimum(shares, np.bincount(y) / len(y)).sum(axis=1).round(12)))


def search(folder: Path, criterion: str) -> dict[str, object]:
    from foldless import FoldlessSearch

    X, y = labeled()
    start, spent = time.perf_counter(), time.process_time()
    found = FoldlessSearch(LogisticRegression(max_iter=1000), {"C": GRID}, criterion=criterion, random_state=0)
    found.fit(X, y, X_unlabeled=str(folder))
    return told(start, spent, {"best": float(found.best_params_["C"]), "notes": list(found.selection_.notes)})


def told(start: float, spent: float, more: dict[str, object]) -> dict[str, object]:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return {"wall": time.perf_counter() - start, "cpu": time.process_time() - spent, "peak": peak, **more}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--criterion", default="quantification_bound")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--side", choices=["raw", "search"], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side is not None:
        print(json.dumps(raw(given.folder) if given.side == "raw" else search(given.folder, given.criterion)))
        return
    folder = Path(tempfile.mkdtemp(dir=given.folder))
    try:
        needed, free = 4.1 * COLUMNS * given.rows / 1e9, shutil.disk_usage(folder).free / 1e9
        if free < 1.5 * needed:
            sys.exit(f"the pool takes {needed:.1f} GB, and {folder} has {free:.1f} GB: name another --folder")
        write(folder, given.rows)
        words = ["--folder", str(folder), "--criterion", given.criterion]
        sides = {side: told_by(__spec__.name, "--side", side, *words) for side in ("raw", "search")}
    finally:
        shutil.rmtree(folder)
    print(versions())
    print(f"{given.rows:,} rows of {COLUMNS} columns, {len(GRID)} candidates, {given.criterion}")
    for side, figures in sides.items():
        rates = ", ".join(f"{given.rows / figures[by]:,.0f} rows/s by {by} time" for by in ("wall", "cpu"))
        print(f"{side:8s} {rates}, peak {figures['peak']:,.0f} MB, best C {figures['best']:g}")
    for by in ("wall", "cpu"):
        print(f"rate by {by} time: {sides['raw'][by] / sides['search'][by]:.0%} of raw (limit {RATE:.0%})")
    print(f"peak {sides['search']['peak']:,.0f} MB (limit {MEMORY:,} MB)")
    for note in sides["search"]["notes"]:
        print(f"note: {note}")


if __name__ == "__main__":
    main()
