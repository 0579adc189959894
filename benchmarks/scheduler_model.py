"""100,000 fits on 1,000 workers: what one scheduler costs, and the bundles that avoid it.

    python benchmarks/scheduler_model.py

The model is a queue with one server: every call costs the scheduler (with the client, here in one process) some time
of its own, ``n`` workers run the calls, and two calls for each worker are under way. The time per call is measured with
thousands of empty calls on Dask's own scheduler; then the model must predict calls that take time, on 4 to 32 threads
of workers, which the same scheduler serves. Calls sleep, so that workers need no processor.
"""

import argparse
import heapq
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from foldless.engine.cluster.dask_cluster import AHEAD, CALL, PER_WORKER

RESULTS = Path(__file__).parent / "results" / "scale"
PICTURE = Path(__file__).parents[1] / "docs" / "_static" / "scheduler.svg"
FITS, WORKERS = 100_000, 1_000


def makespan(calls: int, seconds: float, workers: int, per_call: float) -> float:
    """Seconds until all calls are done: a call waits for the scheduler, then for its worker.

    The scheduler hands out a call in half of its time per call and takes the result in the other half, one at a time.
    """
    free = 0.0  # when the scheduler is
    sent = min(calls, AHEAD * workers)
    idle = [0.0] * workers  # when each worker is free
    ends: list[float] = []
    for _ in range(sent):
        free += per_call / 2
        start = max(free, heapq.heappop(idle))
        heapq.heappush(idle, start + seconds)
        heapq.heappush(ends, start + seconds)
    while ends:
        free = max(free, heapq.heappop(ends)) + per_call / 2
        if sent < calls:
            sent += 1
            free += per_call / 2
            start = max(free, heapq.heappop(idle))
            heapq.heappush(idle, start + seconds)
            heapq.heappush(ends, start + seconds)
    return free


def bundle(seconds: float, workers: int) -> int:
    """Fits per call as foldless chooses them, for fits of some seconds."""
    return max(1, min(int(max(CALL, PER_WORKER * workers) / seconds), -(-FITS // (AHEAD * workers))))


@contextmanager
def threads(n: int) -> Iterator[Any]:
    """A scheduler with workers of this process, as many threads in all."""
    import distributed

    scheduler = {"dashboard": False, "dashboard_address": ":0"}
    with (
        distributed.LocalCluster(
            n_workers=max(1, n // 8), threads_per_worker=min(n, 8), processes=False, scheduler_kwargs=scheduler
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def timed(client: Any, calls: int, seconds: float, workers: int) -> float:
    """Seconds for so many calls on a real scheduler, two for each worker under way as foldless has them."""
    from distributed import as_completed

    def call() -> None:
        time.sleep(seconds)

    start = time.perf_counter()
    left = calls - min(calls, AHEAD * workers)
    under_way = as_completed([client.submit(call, pure=False) for _ in range(calls - left)])
    for _ in under_way:
        if left:
            left -= 1
            under_way.add(client.submit(call, pure=False))
    return time.perf_counter() - start


def checked(calls: int) -> list[dict[str, float]]:
    """The model beside Dask: the time of an empty call is measured just before each row."""
    rows = []
    for workers, seconds in ((4, 0.005), (4, 0.02), (16, 0.005), (16, 0.02), (32, 0.05)):
        with threads(workers) as client:
            timed(client, 200, 0.0, workers)
            per_call = timed(client, calls, 0.0, workers) / calls
            found = timed(client, calls, seconds, workers)
        model = makespan(calls, seconds, workers, per_call)
        rows.append({"workers": workers, "ms": 1e3 * seconds, "calls": calls, "per_call_ms": 1e3 * per_call,
                     "dask": found, "model": model})  # fmt: skip
        print(f"{workers:3d} threads, {calls:,} calls of {1e3 * seconds:3.0f} ms: {1e3 * per_call:.2f} ms per empty "
              f"call; Dask {found:6.2f} s, model {model:6.2f} s, {model / found:.2f}", flush=True)  # fmt: skip
    return rows


def curves(per_call: float) -> dict[str, Any]:
    """Seconds for 100,000 fits on 1,000 workers by fits per call."""
    found = {}
    for seconds in (0.005, 0.05, 1.0):
        sizes = [size for size in (1, 2, 5, 10, 20, 50, 100) if size <= FITS / WORKERS]
        times = [makespan(-(-FITS // size), size * seconds, WORKERS, per_call) for size in sizes]
        chosen = bundle(seconds, WORKERS)
        own = makespan(-(-FITS // chosen), chosen * seconds, WORKERS, per_call)
        ideal = FITS * seconds / WORKERS
        found[f"{1e3 * seconds:g}"] = {"sizes": sizes, "seconds": times, "chosen": chosen, "own": own, "ideal": ideal}
        print(f"fits of {1e3 * seconds:5g} ms: one per call {times[0]:7.1f} s, {chosen:3d} per call as foldless chooses "
              f"{own:7.1f} s, without a scheduler {ideal:7.1f} s")  # fmt: skip
    return found


def draw(found: dict[str, Any], per_call: float) -> None:
    """The picture of the documentation."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "scheduler"
    figure, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for (ms, curve), color in zip(found.items(), ("C0", "C1", "C2"), strict=True):
        axes.plot(curve["sizes"], curve["seconds"], "o-", ms=3, color=color, label=f"fits of {ms} ms")
        axes.axhline(curve["ideal"], ls=":", lw=0.8, color=color)
        axes.plot([curve["chosen"]], [curve["own"]], "*", ms=12, color=color)
    axes.set(xscale="log", yscale="log", xlabel="fits per call", ylabel="seconds",
             title=f"100,000 fits on 1,000 workers, {1e3 * per_call:.2f} ms of the scheduler per call")  # fmt: skip
    axes.legend(frameon=False)
    figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    """Check the model, and draw what it says about many workers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--draw", action="store_true", help="only draw again what was measured")
    given = parser.parse_args()
    kept = RESULTS / "scheduler.json"
    rows = json.loads(kept.read_text(encoding="utf-8"))["checked"] if given.draw else checked(given.calls)
    per_call = float(np.median([row["per_call_ms"] for row in rows])) / 1e3
    found = curves(per_call)
    draw(found, per_call)
    RESULTS.mkdir(parents=True, exist_ok=True)
    kept.write_text(
        json.dumps({"checked": rows, "per_call": per_call, "curves": found}, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    sys.exit(main())
