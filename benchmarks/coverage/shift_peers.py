"""How often the tests of alibi-detect and NannyML ring on the rows of `shift`, in an environment of their own.

    python -m venv build/peers && build/peers/bin/pip install alibi-detect nannyml statsmodels torch
    build/peers/bin/python -m benchmarks.coverage.shift_peers [--tests NAME ...] [--moved 20] [--out FILE]
    python -m benchmarks.coverage.shift --peers build/shift_peers.jsonl [--moved 20]         print them beside ours

It imports nothing of foldless, whose dependencies are newer. Tests of alibi-detect have the level of 1 %: KSDrift with
its Bonferroni correction, MMDDrift with 100 permutations, its default, and ClassifierDrift of five folds with a random
forest. NannyML has no level: an alert is a chunk beyond the reference by three standard deviations (univariate, by
Kolmogorov-Smirnov distances, and reconstruction, in ten chunks, the default; any alert of any column and chunk counts),
or an AUC above .65 (domain classifier, the pool as one chunk). Read its alarms beside those without a shift.
"""

import argparse
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("NML_DISABLE_USAGE_LOGGING", "1")

import numpy as np

from benchmarks.coverage.shift_laws import FIRST_SEED, SHIFTS, SIZES, WIDTH, pair
from benchmarks.records import keep

LEVEL = 0.01
CHUNKS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", nargs="*", default=list(TESTS), choices=list(TESTS))
    parser.add_argument("--moved", type=int, default=20, help="draws of each shift and size, and of no shift")
    parser.add_argument("--labels", type=int, nargs="*", default=[n for n, _ in SIZES])
    parser.add_argument("--out", type=Path, default=Path("build/shift_peers.jsonl"))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for test in arguments.tests:
        rings = TESTS[test]()
        for name, size in {"no shift": {}, **SHIFTS}.items():
            for n, m in SIZES:
                if n not in arguments.labels or name.startswith("concept"):  # the rows are those without a shift
                    continue
                alarms = [rings(*_parts(n, m, seed, size)) for seed in range(FIRST_SEED, FIRST_SEED + arguments.moved)]
                counts = {"draws": len(alarms), "alarms": sum(alarms)}
                line = {"test": test, "shift": name, "labels": n, "pool": m, **counts}
                print(line, flush=True)
                keep(arguments.out, [line])


def _parts(n: int, m: int, seed: int, size: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    X, _, pool, _ = pair(n, m, seed, size)
    return X, pool


def _ks() -> Callable[..., bool]:
    from alibi_detect.cd import KSDrift

    return lambda X, pool: bool(KSDrift(X, p_val=LEVEL).predict(pool)["data"]["is_drift"])


def _mmd() -> Callable[..., bool]:
    from alibi_detect.cd import MMDDrift

    def rings(X: np.ndarray, pool: np.ndarray) -> bool:
        test = MMDDrift(X.astype(np.float32), backend="pytorch", p_val=LEVEL, device="cpu")
        return bool(test.predict(pool.astype(np.float32))["data"]["is_drift"])

    return rings


def _classifier() -> Callable[..., bool]:
    from alibi_detect.cd import ClassifierDrift
    from sklearn.ensemble import RandomForestClassifier

    def rings(X: np.ndarray, pool: np.ndarray) -> bool:
        forest = RandomForestClassifier(random_state=0)
        test = ClassifierDrift(X, forest, backend="sklearn", p_val=LEVEL, train_size=None, n_folds=5, seed=0)
        return bool(test.predict(pool)["data"]["is_drift"])

    return rings


def _nannyml(make: Callable[[Any, list[str]], Any]) -> Callable[..., bool]:
    import nannyml
    import pandas as pd

    columns = [f"x{at}" for at in range(WIDTH)]

    def rings(X: np.ndarray, pool: np.ndarray) -> bool:
        calculator = make(nannyml, columns).fit(pd.DataFrame(X, columns=columns))
        table = calculator.calculate(pd.DataFrame(pool, columns=columns)).filter(period="analysis").to_df()
        return bool(table.xs("alert", axis=1, level=-1).to_numpy().any())

    return rings


TESTS: dict[str, Callable[[], Callable[..., bool]]] = {
    "alibi-detect KSDrift": _ks,
    "alibi-detect MMDDrift": _mmd,
    "alibi-detect ClassifierDrift": _classifier,
    "NannyML univariate": lambda: _nannyml(
        lambda nannyml, columns: nannyml.UnivariateDriftCalculator(
            column_names=columns, continuous_methods=["kolmogorov_smirnov"], chunk_number=CHUNKS
        )
    ),
    "NannyML reconstruction": lambda: _nannyml(
        lambda nannyml, columns: nannyml.DataReconstructionDriftCalculator(column_names=columns, chunk_number=CHUNKS)
    ),
    "NannyML domain classifier": lambda: _nannyml(
        lambda nannyml, columns: nannyml.DomainClassifierCalculator(
            feature_column_names=columns, chunk_number=1, hyperparameters={"verbosity": -1, "n_jobs": 1}
        )
    ),
}

if __name__ == "__main__":
    main()
