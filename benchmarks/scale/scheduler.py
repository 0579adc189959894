"""100,000 fits on 1,000 workers: what one scheduler costs, and the bundles that avoid it.

    python -m benchmarks.scale.scheduler

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
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from benchmarks.places import PICTURES, RESULTS
from benchmarks.scale.clusters import local_cluster
from foldless.engine.cluster._dask_cluster import AHEAD, bundle_size

KEPT = RESULTS / "scheduler" / "scheduler.json"
PICTURE = PICTURES / "scheduler.svg"
FITS, WORKERS = 100_000, 1_000


def makespan(calls: Iterable[float], workers: int, per_call: float) -> float:
    """Seconds until all calls, which take so many seconds, are done: each waits for the scheduler, then for a worker.

    The scheduler hands out a call in half of its time per call and takes the result in the other half, one at a time.
    """
    waiting = iter(calls)
    free = 0.0  # when the scheduler is
    idle = [0.0] * workers  # when each worker is
    ends: list[float] = []

    def send() -> None:
        nonlocal free
        seconds = next(waiting, None)
        if seconds is not None:
            free += per_call / 2
            end = max(free, heapq.heappop(idle)) + seconds
            heapq.heappush(idle, end)
            heapq.heappush(ends, end)

    for _ in range(AHEAD * workers):
        send()
    while ends:
        free = max(free, heapq.heappop(ends)) + per_call / 2
        send()
    return free


def bundled(fits: int, seconds: float, workers: int) -> Iterator[float]:
    """The seconds of the calls that foldless makes of some fits."""
    while fits:
        size = min(fits, bundle_size(fits, seconds, workers))
        fits -= size
        yield size * seconds


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


def checked(calls: int, blocks: int = 10) -> list[dict[str, float]]:
    """The model beside Dask. Empty calls and others take turns in blocks, so that a busy machine slows both."""
    rows = []
    for workers, seconds in ((4, 0.005), (8, 0.02), (16, 0.02), (32, 0.05), (64, 0.1)):
        block = max(calls // blocks, 4 * workers)
        with local_cluster(max(1, workers // 8), min(workers, 8), processes=False) as client:
            timed(client, 100, 0.0, workers)
            empty = found = processor = 0.0
            for _ in range(blocks):
                start = time.process_time()
                empty += timed(client, block, 0.0, workers)
                processor += time.process_time() - start
                found += timed(client, block, seconds, workers)
        per_call = empty / (blocks * block)
        model = blocks * makespan([seconds] * block, workers, per_call)
        row = {"workers": workers, "ms": 1e3 * seconds, "calls": blocks * block, "per_call_ms": 1e3 * per_call,
               "processor_ms": 1e3 * processor / (blocks * block), "dask": found, "model": model}  # fmt: skip
        rows.append(row)
        print(f"{workers:3d} threads, {row['calls']:,} calls of {row['ms']:3.0f} ms: an empty call takes "
              f"{row['per_call_ms']:.2f} ms, {row['processor_ms']:.2f} ms of the processor; Dask {found:6.2f} s, "
              f"model {model:6.2f} s, {model / found:.2f}", flush=True)  # fmt: skip
    return rows


def curves(per_call: float) -> dict[str, Any]:
    """Seconds for 100,000 fits on 1,000 workers by fits per call."""
    found = {}
    for seconds in (0.005, 0.05, 1.0):
        sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500]
        times = [makespan([size * seconds] * -(-FITS // size), WORKERS, per_call) for size in sizes]
        calls = list(bundled(FITS, seconds, WORKERS))
        own = makespan(calls, WORKERS, per_call)
        ideal = FITS * seconds / WORKERS
        found[f"{1e3 * seconds:g}"] = {
            "sizes": sizes,
            "seconds": times,
            "calls": len(calls),
            "own": own,
            "ideal": ideal,
        }
        print(f"fits of {1e3 * seconds:5g} ms: one per call {times[0]:.1f} s, {len(calls):,} calls as foldless bundles "
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
        axes.plot([FITS / curve["calls"]], [curve["own"]], "*", ms=12, color=color)
    axes.set(xscale="log", yscale="log", xlabel="fits per call", ylabel="seconds",
             title=f"100,000 fits on 1,000 workers, {1e3 * per_call:.2f} ms of the scheduler per call")  # fmt: skip
    axes.legend(frameon=False)
    figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    """Check the model, and draw what it says about many workers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=1_000)
    parser.add_argument("--draw", action="store_true", help="only draw again what was measured")
    given = parser.parse_args()
    rows = json.loads(KEPT.read_text(encoding="utf-8"))["checked"] if given.draw else checked(given.calls)
    per_call = float(np.median([row["processor_ms"] for row in rows])) / 1e3  # of a scheduler that has a core
    found = curves(per_call)
    draw(found, per_call)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(
        json.dumps({"checked": rows, "per_call": per_call, "curves": found}, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    sys.exit(main())
