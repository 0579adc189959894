"""Bytes that reach the workers, and that come back, in a search on two worker processes of Dask and of loky.

    python -m benchmarks.scale.traffic

Dask: every message that a process reads from a socket is counted. loky: calls and results as they are pickled; the
arrays that its processes map from a file are counted once, as the bytes of the files.
"""

import argparse
import pickle
import sys
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from benchmarks.scale.clusters import local_cluster
from foldless import FoldlessSearch

WORDS = np.array(["price", "share", "rose", "after", "good", "news", "mills", "sell", "wheat", "corn", "abroad"])
MEGABYTE = 1e6


def words(X: Any) -> Any:
    """The text of a frame."""
    return X["words"]


def problem(kind: str, n: int, pool: int) -> tuple[Any, Any, Any, Any]:
    """Candidates, labeled rows, their classes and a pool."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n)
    if kind == "dense":
        X = rng.normal(size=(n + pool, 40))
        X[:n] += y[:, None]
        return (GaussianNB(), {"var_smoothing": np.logspace(-9, 0, 8)}), X[:n], y, X[n:]
    if kind == "sparse":
        X = sparse.random_array((n + pool, 5_000), density=0.01, format="csr", rng=rng)
        return (SGDClassifier(random_state=0, max_iter=5, tol=None), {"alpha": np.logspace(-6, -2, 8)}), X[:n], y, X[n:]
    texts = [" ".join(words) for words in rng.choice(WORDS, size=(n + pool, 30))]
    X = pd.DataFrame({"words": texts, "length": rng.normal(size=n + pool)})
    linear = SGDClassifier(random_state=0, max_iter=5, tol=None)
    hashed = make_pipeline(FunctionTransformer(words), HashingVectorizer(n_features=2**12), linear)
    return (hashed, {"sgdclassifier__alpha": np.logspace(-6, -2, 8)}), X[:n], y, X[n:]


def begin_counting() -> None:
    """Count what this process reads from sockets of Dask."""
    from distributed.comm import tcp

    if not hasattr(tcp, "bytes_read"):
        original = tcp.from_frames

        async def counted(frames: Any, *args: Any, **more: Any) -> Any:
            tcp.bytes_read += sum(memoryview(frame).nbytes for frame in frames)
            tcp.largest.append(sum(memoryview(frame).nbytes for frame in frames))
            return await original(frames, *args, **more)

        tcp.from_frames = counted
    tcp.bytes_read, tcp.largest = 0, []


def bytes_read() -> tuple[int, list[int]]:
    """Bytes that this process has read from sockets of Dask, and those of each message."""
    from distributed.comm import tcp

    return tcp.bytes_read, tcp.largest


def on_dask(client: Any, run: Any) -> tuple[list[int], int]:
    """Bytes that reached each worker, and that came to this process, which has the scheduler too."""
    client.run(begin_counting)
    begin_counting()
    with joblib.parallel_config("dask"):
        run()
    here = bytes_read()[0]
    return [read for read, _ in client.run(bytes_read).values()], here


def on_loky(run: Any) -> tuple[int, int]:
    """Bytes of the calls to both workers, with the files that they map, and of the results."""
    from joblib.externals.loky.backend import queues

    sent, original = [0], queues.dumps
    files: dict[str, int] = {}

    def counted(obj: Any, *args: Any, **more: Any) -> Any:
        pickled = original(obj, *args, **more)
        sent[0] += len(pickled)
        for pattern in ("joblib_memmapping_folder_*/*", "foldless-*"):
            files.update({str(path): path.stat().st_size for path in Path("/dev/shm").glob(pattern) if path.is_file()})
        return pickled

    queues.dumps = counted
    try:
        with joblib.parallel_config("loky", n_jobs=2):
            run()
    finally:
        queues.dumps = original
    return sent[0], sum(files.values())


def main() -> None:
    """Print a row for each kind of data."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--pool", type=int, default=60_000)
    parser.add_argument("--criterion", default="auto")
    given = parser.parse_args()
    print("data         MB  fits     MB to each Dask worker    back   loky: calls, mapped")
    with local_cluster(2, 1) as client:
        for kind in ("dense", "sparse", "text"):
            (estimator, grid), X, y, pool = problem(kind, given.rows, given.pool)
            size = len(pickle.dumps((X, pool), protocol=5))
            search = FoldlessSearch(estimator, grid, criterion=given.criterion, random_state=0, estimate=False)

            def run() -> None:
                search.fit(X, y, X_unlabeled=pool)  # noqa: B023 (called at once)

            to, back = on_dask(client, run)
            calls, mapped = on_loky(run)
            shown = " ".join(f"{each / MEGABYTE:.1f}" for each in to)
            fits = search.selection_.n_fits.run
            print(
                f"{kind:8} {size / MEGABYTE:7.1f} {fits:5d}   {shown:>24} {back / MEGABYTE:7.1f}   "
                f"{calls / MEGABYTE:10.1f} {mapped / MEGABYTE:7.1f}"
            )


if __name__ == "__main__":
    sys.exit(main())
