"""A plan for 10⁹ pool rows and for 10⁶ classes on a cluster, from rates that are measured on one core here.

    python -m benchmarks.scale.plan

Rates are of processor time, so that a busy machine does not change them. What cannot be measured here is assumed, and
printed as such: cores and network of a node, and the price of a core.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from benchmarks.measuring import best_time, versions
from benchmarks.places import RESULTS
from foldless.learners import LinearSVC

KEPT = RESULTS / "plan" / "plan.json"
CORES, NETWORK, PRICE = 16, 10e9 / 8, 0.05  # assumed: cores of a node, its bytes per second, dollars per core and hour
NODES = 64
POOL, FEATURES, CANDIDATES = 10**9, 60, 8
CLASSES, LABELS, NONZEROS, WORDS, VALUES = 10**6, 10**7, 50, 500_000, 8  # values of C


def processor(run: Callable[[], Any], repeats: int = 3) -> float:
    """Seconds of the processor, the least of a few."""
    return best_time(run, repeats, time.process_time)


def table_rates(rows: int) -> dict[str, float]:
    """Bytes of a row in Parquet, and rows per second and core: read, and predicted by a linear model."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, FEATURES)).astype(np.float32)
    model = LogisticRegression(max_iter=20).fit(X[:2_000], rng.integers(0, 2, 2_000))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pool.parquet"
        pq.write_table(pa.table({f"x{at}": X[:, at] for at in range(FEATURES)}), path)
        size = path.stat().st_size

        def read() -> None:
            for batch in pq.ParquetFile(path).iter_batches(65_536, use_threads=False):
                np.column_stack(batch.columns)

        reading = processor(read)
    predicting = processor(lambda: [model.predict(X[at : at + 65_536]) for at in range(0, rows, 65_536)])
    return {"bytes_per_row": size / rows, "read_rows": rows / reading, "predict_rows": rows / predicting}


def class_rates(rows: int, classes: int) -> dict[str, float]:
    """Nonzeros times classes per second and core, in training along a path of C and in prediction, and bytes."""
    rng = np.random.default_rng(0)
    y = np.arange(rows) % classes
    columns = np.where(  # half of the words are those of the class
        np.arange(NONZEROS) % 2,
        rng.integers(0, 20_000, (rows, NONZEROS)),
        20 * y[:, None] + rng.integers(0, 20, (rows, NONZEROS)),
    )
    values = rng.random(rows * NONZEROS).astype(np.float32)
    X = sparse.csr_array((values, columns.ravel(), np.arange(0, rows * NONZEROS + 1, NONZEROS)), shape=(rows, 20_000))
    LinearSVC().fit(X[:200], y[:200] % 20)  # compiled before the clock
    model = LinearSVC()
    training = processor(lambda: model.fit(X, y), 2)
    predicting = processor(lambda: model.predict(X))
    work = float(X.nnz) * classes
    return {"train": work / training, "predict": work / predicting}


def row(what: str, core_seconds: float, to_nodes: float, back: float) -> dict[str, Any]:
    """A step of a plan: processor, bytes to a node and back to the client, and what takes longest."""
    wall = {"processor": core_seconds / (NODES * CORES), "network": to_nodes / NETWORK, "client": back / NETWORK}
    bottleneck = max(wall, key=lambda name: wall[name])
    return {"what": what, "core_hours": core_seconds / 3600, "to_each_node": to_nodes, "to_client": back,
            "minutes": wall[bottleneck] / 60, "bottleneck": bottleneck,
            "dollars": max(core_seconds / 3600, NODES * CORES * wall[bottleneck] / 3600) * PRICE}  # fmt: skip


def plan(table: dict[str, float], many: dict[str, float]) -> list[dict[str, Any]]:
    """The steps of both plans."""
    pool_bytes = POOL * table["bytes_per_row"]
    counted = POOL * (1 / table["read_rows"] + CANDIDATES / table["predict_rows"])
    again = CANDIDATES * POOL * (1 / table["read_rows"] + 1 / table["predict_rows"])
    labels = LABELS * NONZEROS * 8.0  # a column number and a value of four bytes each
    pool_words = POOL * NONZEROS * 8.0
    blocks = POOL * 8.0  # the best score and its class, four bytes each
    return [
        row("10⁹ rows × 60 features, 8 candidates, counts in one pass", counted, pool_bytes / NODES, NODES * 1e4),
        row("the same, one pass for each candidate", again, CANDIDATES * pool_bytes / NODES, NODES * 1e4),
        row("the same, one pass, all labels to the client", counted, pool_bytes / NODES, float(CANDIDATES * POOL)),
        row("10⁶ classes, 10⁷ labels, 8 values of C: training by blocks of classes",
            VALUES * CLASSES * LABELS * NONZEROS / many["train"], labels, 0.0),
        row("10⁶ classes: the best class of 10⁹ rows, pool split by rows, all weights on each node",
            POOL * NONZEROS * CLASSES / many["predict"], pool_words / NODES + CLASSES * 4.0 * 1_000, 4.0 * POOL),
        row("the same, split by classes: every node reads the whole pool",
            POOL * NONZEROS * CLASSES / many["predict"], pool_words, NODES * blocks),
    ]  # fmt: skip


def main() -> None:
    """Print rates and plans, and keep them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=400_000)
    given = parser.parse_args()
    table, many = table_rates(given.rows), class_rates(2_000, 128)
    print(f"on one core: {table['bytes_per_row']:.0f} bytes per row of Parquet, {table['read_rows']:,.0f} rows "
          f"per second read, {table['predict_rows']:,.0f} predicted; {many['train']:.3g} nonzeros × classes per second "
          f"trained, {many['predict']:.3g} predicted")  # fmt: skip
    print(f"assumed: {NODES} nodes of {CORES} cores, {NETWORK / 1e9:.2f} GB/s each, ${PRICE:g} per core and hour; "
          f"1,000 weights of four bytes for a class")  # fmt: skip
    steps = plan(table, many)
    print("| step | core hours | to each node | to the client | minutes | bottleneck | cost |")
    print("|---|---|---|---|---|---|---|")
    for step in steps:
        moved = f"{size(step['to_each_node'])} | {size(step['to_client'])}"
        print(f"| {step['what']} | {step['core_hours']:,.1f} | {moved} | {step['minutes']:,.1f} | "
              f"{step['bottleneck']} | ${step['dollars']:,.2f} |")  # fmt: skip
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    kept = {"table": table, "classes": many, "steps": steps, "versions": versions()}
    KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def size(n_bytes: float) -> str:
    """Bytes as they are read."""
    for unit, scale in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= scale:
            return f"{n_bytes / scale:.3g} {unit}"
    return f"{n_bytes:.0f} B"


if __name__ == "__main__":
    sys.exit(main())
