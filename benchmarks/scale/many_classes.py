"""Choose among linear SVMs of very many classes on one machine: peak memory, time, and the size of the saved model.

    python -m benchmarks.scale.many_classes [--classes 1000] [--features 50000] [--workers 0] [--full]

Draws documents of 60 words: one in twelve is a word of the class, the others follow a Zipf law over all. Two documents
of a class are labeled, as many are in the pool, and 2,000 others measure the choice. `FoldlessSearch` chooses C of
`LinearSVC` by the quantification bound, in a process of its own, saves the model and loads it again. ``--full`` is
10,000 classes and 500,000 features, for which the limit is 4 GB. ``--workers`` splits the classes over so many
processes of joblib, whose memory is counted with that of the first.
"""

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path

import joblib
import numpy as np
from joblib.externals.loky import get_reusable_executor
from scipy import sparse

from benchmarks.measuring import told_by, versions

WORDS, OWN, SHARE, TEST, LIMIT = 60, 12, 0.08, 2_000, 4_000
GRID = [0.1, 1.0, 10.0]


def documents(y: np.ndarray, n_classes: int, n_features: int, seed: int) -> sparse.csr_matrix:
    rng = np.random.default_rng(seed)
    own = np.random.default_rng(0).integers(n_features, size=(n_classes, OWN))
    common = np.minimum(rng.zipf(1.3, size=(len(y), WORDS)) - 1, n_features - 1)
    spread = np.random.default_rng(1).permutation(n_features)[common]
    words = np.where(rng.random((len(y), WORDS)) < SHARE, own[y[:, None], rng.integers(OWN, size=spread.shape)], spread)
    starts = np.arange(len(y) + 1) * WORDS
    X = sparse.csr_matrix((np.ones(words.size, np.float32), words.ravel(), starts), (len(y), n_features))
    X.sum_duplicates()
    X.data = 1 + np.log(X.data)
    return X


def choose(n_classes: int, n_features: int, workers: int) -> dict[str, object]:
    from foldless import FoldlessSearch
    from foldless.learners import LinearSVC
    from foldless.saving import load, save

    y = np.tile(np.arange(n_classes), 2)
    X, pool = (documents(y, n_classes, n_features, seed) for seed in (2, 3))
    truth = np.random.default_rng(4).integers(n_classes, size=TEST)
    test = documents(truth, n_classes, n_features, 5)
    start, spent = time.perf_counter(), time.process_time()
    search = FoldlessSearch(
        LinearSVC(random_state=0), {"C": GRID}, criterion="quantification_bound", estimate=False, random_state=0,
        n_jobs=1,
    )  # fmt: skip
    with joblib.parallel_config("loky" if workers else "threading", n_jobs=workers or 1):
        search.fit(X, y, X_unlabeled=pool)
    chosen, used = time.perf_counter() - start, time.process_time() - spent
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.skops"
        save(search.selection_, path)
        size = path.stat().st_size / 1e6
        again = load(path).model.predict(test)
    if workers:
        get_reusable_executor().shutdown(wait=True)  # the memory of processes is known when they have ended
    own, theirs = (resource.getrusage(who).ru_maxrss / 1000 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    coef = search.best_estimator_.coef_
    return {
        "seconds": chosen, "cpu": used, "peak": own, "worker": theirs, "saved": size, "C": search.best_params_["C"],
        "accuracy": float(np.mean(again == truth)), "sparse": bool(sparse.issparse(coef)),
        "entries": int(coef.nnz if sparse.issparse(coef) else coef.size), "rows": len(y),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=int, default=1_000)
    parser.add_argument("--features", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    n_classes, n_features = (10_000, 500_000) if given.full else (given.classes, given.features)
    if given.inside:
        print(json.dumps(choose(n_classes, n_features, given.workers)))
        return
    sizes = ["--classes", str(n_classes), "--features", str(n_features), "--workers", str(given.workers)]
    found = told_by(__spec__.name, "--inside", *sizes)
    total = found["peak"] + given.workers * found["worker"]
    print(versions())
    print(f"{n_classes:,} classes, {n_features:,} features, {found['rows']:,} labels, {len(GRID)} values of C")
    print(f"{found['seconds']:.0f} s ({found['cpu']:.0f} s of processor time in the first process)")
    print(f"peak {total:,.0f} MB (limit {LIMIT:,} MB for 10,000 classes and 500,000 features)")
    print(f"C = {found['C']:g}, accuracy {found['accuracy']:.3f} on {TEST:,} other rows by the model that was loaded")
    kind = "sparse" if found["sparse"] else "dense"
    print(f"saved model {found['saved']:,.0f} MB, {found['entries']:,} weights, {kind}")


if __name__ == "__main__":
    main()
