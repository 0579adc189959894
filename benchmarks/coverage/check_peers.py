"""The same planted faults through foldless, deepchecks, cleanlab and skore, each in an environment of its own.

    python -m benchmarks.coverage.check_peers write build/planted [--seeds N] [--from SEED]      with foldless
    python -m benchmarks.coverage.check_peers run build/planted foldless
    PEER/bin/python benchmarks/coverage/check_peers.py run build/planted TOOL      with the tool, without foldless
    python -m benchmarks.coverage.check_peers table build/planted                  the table of docs/check.md

The files of `benchmarks.coverage.planted_faults`, and clean ones, are written as CSV. A tool is asked only where it
has a check of that kind, with the thresholds that it comes with; a model, where it wants one, is a scikit-learn
pipeline with a logistic regression. "found" is the share of files with the fault in which the check fires, "false" the
share of clean files in which the same check does. foldless makes all checks at once: its fast form for faults that need
no model, and all of them otherwise and for clean files.
"""

import argparse
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

CLEAN = "clean"
PARTS = ("X", "pool", "test")
DEEPCHECKS = {
    "copies": ("DataDuplicates", "ratio_less_or_equal"),
    "equal rows, other labels": ("ConflictingLabels", "ratio_of_conflicting_labels_less_or_equal"),
    "outliers": ("OutlierSampleDetection", "outlier_ratio_less_or_equal"),
    "a constant column": ("IsSingleValue", "not_single_value"),
    "a column twice": ("FeatureFeatureCorrelation", "max_number_of_pairs_above_threshold"),
    "words among numbers": ("MixedDataTypes", "rare_type_ratio_not_in_range"),
    "a leak": ("FeatureLabelCorrelation", "feature_pps_less_than"),
    "drift": ("FeatureDrift", "drift_score_less_than"),
    "a new category": ("NewCategoryTrainTest", "new_categories_less_or_equal"),
    "training rows in the test": ("TrainTestSamplesMix", "duplicates_ratio_less_or_equal"),
    "shuffled labels": ("SimpleModelComparison", "gain_greater_than"),
    "a weak segment": ("WeakSegmentsPerformance", "segments_relative_performance_greater_than"),
}
DATALAB = {
    "copies": "near_duplicate", "near copies": "near_duplicate", "texts spelled otherwise": "near_duplicate",
    "wrong labels": "label", "outliers": "outlier", "sorted by class": "non_iid", "sorted by time": "non_iid",
    "imbalance": "class_imbalance", "a class of three rows": "class_imbalance",
    "a weak segment": "underperforming_group",
}  # fmt: skip
SKORE = {
    "imbalance": "SKD004", "a class of three rows": "SKD005", "a column twice": "SKD008", "a leak": "SKD011",
    "shuffled labels": "SKD009", "a constant column": "SKD012",
}  # fmt: skip


def write(folder: Path, seeds: range) -> None:
    """Clean files and files with one fault; kinds that no tool has a check of are left out."""
    from benchmarks.coverage.planted_faults import FAULTS, SETS

    kinds = {*DEEPCHECKS, *DATALAB, *SKORE}
    for name, draw in SETS.items():
        for seed in seeds:
            clean = draw(np.random.default_rng([seed, 1]))
            _write(folder / f"{CLEAN}__{name}__{seed}", clean)
            for kind in kinds:
                planted = FAULTS[kind].plant(clean, np.random.default_rng([seed, 2]))
                if planted is not None:
                    _write(folder / f"{kind}__{name}__{seed}", planted)


def _write(path: Path, files: Any) -> None:
    path.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        getattr(files, part).to_csv(path / f"{part}.csv", index=False)
    pd.Series(files.y).to_csv(path / "y.csv", index=False)
    pd.Series(files.y_test).to_csv(path / "y_test.csv", index=False)


class Planted:
    """Files with a fault, or without, as a person reads them."""

    def __init__(self, path: Path):
        self.kind, self.name, seed = path.name.split("__")
        self.seed = int(seed)
        self.X, self.pool, self.test = (pd.read_csv(path / f"{part}.csv") for part in PARTS)
        self.y, self.y_test = (pd.read_csv(path / f"{part}.csv").iloc[:, 0] for part in ("y", "y_test"))
        for frame in (self.X, self.pool, self.test):
            if "when" in frame:
                frame["when"] = pd.to_datetime(frame["when"])

    def model(self) -> Any:
        """A pipeline that reads these columns."""
        from sklearn.compose import make_column_selector, make_column_transformer
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.impute import SimpleImputer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder, StandardScaler

        numbers = make_pipeline(SimpleImputer(), StandardScaler())
        steps: list[Any] = [(numbers, make_column_selector(dtype_include="number"))]
        if "text" in self.X:
            steps.append((TfidfVectorizer(), "text"))
        else:
            words = [name for name in self.X if self.X[name].dtype.kind not in "ifbM"]
            steps.append((OneHotEncoder(handle_unknown="ignore"), words))
        return make_pipeline(make_column_transformer(*steps, sparse_threshold=0), LogisticRegression(max_iter=1000))


def foldless(files: Planted, kinds: list[str]) -> Iterator[tuple[str, bool]]:
    """All checks, or the fast ones where they have the kind."""
    from benchmarks.coverage.planted_faults import FAULTS, Files, needs_fits

    fast = files.kind != CLEAN and not needs_fits(files.kind)
    findings = Files(files.X, files.y, files.pool, files.test, files.y_test).check(fast=fast)
    codes = {one.code for one in findings.findings}
    for kind in kinds:
        yield kind, FAULTS[kind].code in codes


def deepchecks(files: Planted, kinds: list[str]) -> Iterator[tuple[str, bool]]:
    """Checks with the condition that its suites give them."""
    from deepchecks.tabular import Dataset
    from deepchecks.tabular import checks as known

    categories = [name for name in files.X if files.X[name].dtype == object and name != "text"]
    dates = {"datetime_name": "when"} if "when" in files.X else {}

    def dataset(X: pd.DataFrame, y: Any = None) -> Any:
        return Dataset(X, label=y, cat_features=categories, **dates)

    labeled = dataset(files.X, files.y)
    for kind in kinds:
        name, condition = DEEPCHECKS[kind]
        check = getattr(getattr(known, name)(), f"add_condition_{condition}")()
        if name in ("FeatureDrift", "NewCategoryTrainTest"):
            result = check.run(labeled, dataset(files.pool))
        elif name == "TrainTestSamplesMix":
            result = check.run(labeled, dataset(files.test, files.y_test))
        elif name in ("SimpleModelComparison", "WeakSegmentsPerformance"):
            model = files.model().fit(files.X, files.y)
            test = dataset(files.test, files.y_test)
            result = check.run(test, model) if name.startswith("Weak") else check.run(labeled, test, model)
        else:
            result = check.run(labeled)
        yield kind, not result.passed_conditions()


def datalab(files: Planted, kinds: list[str]) -> Iterator[tuple[str, bool]]:
    """All issue types at once, with out-of-fold probabilities and the features of the pipeline."""
    from cleanlab import Datalab
    from sklearn.model_selection import cross_val_predict

    model = files.model()
    y = files.y.astype(str).to_numpy()
    probabilities = cross_val_predict(model, files.X, y, cv=5, method="predict_proba")
    features = np.asarray(model[:-1].fit_transform(files.X))
    lab = Datalab({"y": y}, label_name="y", verbosity=0)
    lab.find_issues(features=features, pred_probs=probabilities)
    summary = lab.get_issue_summary().set_index("issue_type")["num_issues"]
    for kind in kinds:
        yield kind, bool(summary.get(DATALAB[kind], 0) > 0)


def skore(files: Planted, kinds: list[str]) -> Iterator[tuple[str, bool]]:
    """All checks of a report of one model."""
    from skore import EstimatorReport

    report = EstimatorReport(
        files.model(), X_train=files.X, y_train=files.y.astype(str), X_test=files.test, y_test=files.y_test.astype(str)
    )
    summary = report.checks.summarize()
    codes = {str(code) for section in ("issue", "tip") for code in _codes(summary, section)}
    for kind in kinds:
        yield kind, SKORE[kind] in codes


def _codes(summary: Any, section: str) -> list[str]:
    frame = summary.frame(section=section)
    return list(frame["code"]) if "code" in frame else []


TOOLS: dict[str, tuple[dict[str, Any], Callable[[Planted, list[str]], Iterator[tuple[str, bool]]]]] = {
    "foldless": ({**DEEPCHECKS, **DATALAB, **SKORE}, foldless), "deepchecks": (DEEPCHECKS, deepchecks),
    "cleanlab": (DATALAB, datalab), "skore": (SKORE, skore),
}  # fmt: skip


def run(folder: Path, tool: str) -> None:
    """Ask a tool about each file, of clean ones about all kinds that it knows."""
    known, ask = TOOLS[tool]
    warnings.simplefilter("ignore")
    with (folder / f"{tool}.jsonl").open("w", encoding="utf-8") as out:
        for path in sorted(path for path in folder.iterdir() if path.is_dir()):
            files = Planted(path)
            kinds = list(known) if files.kind == CLEAN else [files.kind] if files.kind in known else []
            for kind in kinds if tool == "deepchecks" else kinds[:1]:
                began = process_time()
                wanted = [kind] if tool == "deepchecks" else kinds
                try:
                    fired: list[tuple[str, bool | None]] = list(ask(files, wanted))
                except Exception as error:  # a tool may fail in any way; that is counted
                    print(tool, path.name, kind, type(error).__name__, str(error)[:100], file=sys.stderr)
                    fired = [(one, None) for one in wanted]
                seconds = process_time() - began
                for one, fires in fired:
                    row = {"kind": one, "set": files.name, "clean": files.kind == CLEAN, "fires": fires}
                    out.write(json.dumps({"tool": tool, **row, "seconds": seconds}) + "\n")
                    out.flush()


def table(folder: Path) -> pd.DataFrame:
    """For each kind and tool: found / false, and the seconds of a file."""
    rows = pd.concat([pd.read_json(path, lines=True) for path in sorted(folder.glob("*.jsonl"))])
    rows["fires"] = rows["fires"].astype(float)
    planted, clean = rows[~rows["clean"]], rows[rows["clean"]]
    shown = planted.groupby(["kind", "tool"]).agg(
        files=("fires", "size"), failed=("fires", lambda values: int(values.isna().sum())), found=("fires", "mean"),
        seconds=("seconds", "mean"),
    )  # fmt: skip
    return shown.join(clean.groupby(["kind", "tool"])["fires"].mean().rename("false")).round(2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["write", "run", "table"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("tool", nargs="?", choices=list(TOOLS))
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    arguments = parser.parse_args()
    if arguments.what == "write":
        write(arguments.folder, range(arguments.first, arguments.first + arguments.seeds))
    elif arguments.what == "run":
        run(arguments.folder, arguments.tool)
    else:
        print(table(arguments.folder).to_string())


if __name__ == "__main__":
    main()
