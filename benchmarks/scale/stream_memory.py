"""Peak memory of `foldless stream train` on a file larger than the memory it may use.

    python -m benchmarks.scale.stream_memory [--gigabytes 5] [--format parquet|csv] [--folder DIR]

Writes a stream of random numbers (54 columns, which do not compress), trains on it in a process of its own, and prints
that process's peak (its maximum resident set, as the kernel counts it) beside the size of the file. Rows per second are
those of a machine that may be busy; the peak does not depend on that.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

COLUMNS, ROWS, LIMIT = 54, 100_000, 500


def write(path: Path, gigabytes: float, fmt: str) -> None:
    rng = np.random.default_rng(0)
    schema = pa.schema([*((f"x{at}", pa.float32()) for at in range(COLUMNS)), ("y", pa.int8())])
    make = pa.parquet.ParquetWriter if fmt == "parquet" else pa.csv.CSVWriter
    with make(str(path), schema) as writer:
        while not path.exists() or path.stat().st_size < gigabytes * 1e9:
            X = rng.normal(size=(ROWS, COLUMNS)).astype(np.float32)
            y = (X[:, 0] + 0.5 * X[:, 1] > 2).astype(np.int8)
            writer.write_table(pa.table([*X.T, y], schema=schema))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gigabytes", type=float, default=5.0)
    parser.add_argument("--format", choices=["parquet", "csv"], default="parquet")
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        path = Path(folder) / f"stream.{args.format}"
        write(path, args.gigabytes, args.format)
        command = ["stream", "train", str(path), "--label", "y", "--save", f"{folder}/model.skops", "--json"]
        code = "from foldless.cli import main; main()"
        output = subprocess.run(
            [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True
        ).stdout
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6  # KiB of the only child
        document = json.loads(output)
        print(
            f"{path.stat().st_size / 1e9:.2f} GB of {args.format}, {document['stream']['rows']:,} rows of {COLUMNS} "
            f"columns, {document['rows_per_second']:,.0f} rows per second: peak {peak:.0f} MB (at most {LIMIT} wanted)"
        )
    sys.exit(peak > LIMIT)


if __name__ == "__main__":
    main()
