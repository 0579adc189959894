"""The model that a user walks away with, beside those that people would use instead.

    python -m benchmarks.league.end_to_end [--rows …] [--sets …] [--labels 20 100] [--seeds 0]    run what is missing
    python -m benchmarks.league.end_to_end --again FILE      run the rows of a file again, but keep those of peers
    python -m benchmarks.league.end_to_end --table                                       print the table of what has run

Every row trains one model on the labels of a setting, foldless with a pool of up to 1,000 rows beside them, and is
judged on up to 2,000 other rows: accuracy, log loss, rank, seconds of CPU for training and for 1,000 predictions, bytes
of the model. Sets are those of the half that no constant of the portfolio was tuned on. Peers that are not installed
are left out; they live in an environment of their own (`make league-peers`).
"""

import argparse
import importlib.util
import os
import pickle
import resource
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.stats import rankdata
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from benchmarks.measuring import versions
from benchmarks.places import DATA
from benchmarks.records import Record, keep, kept, read
from benchmarks.sets import KINDS, LEAST_OF_A_CLASS, MOST, POOL, TEST, TEXT_OF, half_of, load, texts
from foldless import FoldlessSearch
from foldless.learners import LinearSVC
from foldless.portfolio._rows import RowReader

SETS = tuple(name for kind in KINDS if kind != "law" for name in KINDS[kind] if half_of(name) == "report")
MORE_TEXTS = ("wordnet_glosses", "reuters21578")
LEAST = 1e-3  # a probability below counts as this in the log loss
CATBOOST = {"verbose": 0, "thread_count": 1, "allow_writing_files": False}
AUTOGLUON_SECONDS, FLAML_SECONDS = 30, 15  # budgets of peers; FLAML uses all of it, which is about what ours takes


class Setting(NamedTuple):
    """A set, a number of labels and a seed."""

    set: str
    n: int
    seed: int


class Drawn(NamedTuple):
    """Labels, pool and test rows of a setting."""

    X: Any
    y: np.ndarray
    pool: Any
    X_test: Any
    y_test: np.ndarray


@lru_cache(maxsize=1)
def draw(setting: Setting, folder: Path) -> Drawn | None:
    """Rows of a set, drawn at random; None where it has too few."""
    X, y = _loaded(setting.set, folder)
    n_pool = min(POOL, (len(y) - setting.n) // 2)
    if n_pool < 0.3 * setting.n:
        return None
    rng = np.random.default_rng([setting.seed, setting.n, crc32(setting.set.encode())])
    rows = rng.permutation(len(y))[: setting.n + n_pool + TEST]
    labeled, pool, test = np.split(rows, [setting.n, setting.n + n_pool])
    if len(np.unique(y[labeled])) < 2:
        return None
    test = test[np.isin(y[test], y[labeled])]  # nobody can name a class that has no label

    def taken(at: np.ndarray) -> Any:
        if isinstance(X, list):
            return [X[i] for i in at]
        return X.iloc[at].reset_index(drop=True) if isinstance(X, pd.DataFrame) else X[at]

    return Drawn(taken(labeled), y[labeled], taken(pool), taken(test), y[test])


def _loaded(name: str, folder: Path) -> tuple[Any, np.ndarray]:
    """Features as a user has them: numbers, a sparse matrix, texts, or a frame of mixed columns."""
    if name == "adult":
        table = pd.read_parquet(folder / name / "adult.parquet").drop(columns=["split"])
        table = table.sample(MOST, random_state=1).reset_index(drop=True)
        return table, table.pop("income").to_numpy().astype(str)
    if name in TEXT_OF:
        return texts(name, folder)
    if name in MORE_TEXTS:
        X, y = _more_texts(name, folder)
        classes, counts = np.unique(y, return_counts=True)
        frequent = classes[np.argsort(-counts, kind="stable")[:26]]
        rows = np.random.default_rng(1).permutation(np.flatnonzero(np.isin(y, frequent)))[: MOST // 2]
        rows = rows[np.isin(y[rows], classes[counts >= LEAST_OF_A_CLASS])]
        return [X[at] for at in rows], y[rows]
    return load(name, folder)


def _more_texts(name: str, folder: Path) -> tuple[list[str], np.ndarray]:
    records = read(folder / name / f"{name}.jsonl.gz")
    if name == "wordnet_glosses":
        pairs = [(row["gloss"], row["lexname"]) for row in records if row["pos"] == "noun"]
    else:
        pairs = [(f"{row['title']}\n{row['body']}", row["topics"][0]) for row in records if len(row["topics"]) == 1]
    return [text for text, _ in pairs], np.array([label for _, label in pairs])


Row = Callable[[Drawn, int], Any]


def _alone(model: Any) -> Row:
    """A classifier with its defaults, behind the preparation of the columns."""

    def train(drawn: Drawn, _: int) -> Any:
        steps = RowReader(drawn.X).steps(nonnegative=False, dense=False)
        return make_pipeline(*(step for _, step in steps), model).fit(drawn.X, drawn.y)

    return train


def _foldless(*, pool: bool = True, **settings: Any) -> Row:
    def train(drawn: Drawn, seed: int) -> Any:
        search = FoldlessSearch(random_state=seed, **settings)
        return search.fit(drawn.X, drawn.y, X_unlabeled=drawn.pool if pool else None).best_estimator_

    return train


def _released(drawn: Drawn, seed: int) -> Any:
    """What `foldless select` did before: eight linear SVMs, and the best of them."""
    steps = RowReader(drawn.X).steps(nonnegative=False, dense=False)
    pipeline = make_pipeline(*(step for _, step in steps), LinearSVC(max_iter=10_000))
    search = FoldlessSearch(pipeline, {"linearsvc__C": np.logspace(-4, 3, 8)}, random_state=seed)
    return search.fit(drawn.X, drawn.y, X_unlabeled=drawn.pool).best_estimator_


def _frame(X: Any) -> pd.DataFrame:
    """Rows as the peers take them, with texts as a column."""
    if isinstance(X, pd.DataFrame):
        return X
    if isinstance(X, list):
        return pd.DataFrame({"text": X})
    dense = X.toarray() if sparse.issparse(X) else np.asarray(X)
    return pd.DataFrame(dense, columns=[f"x{at}" for at in range(dense.shape[1])])


def _numbers(drawn: Drawn) -> tuple[Any, Any]:
    """Rows as numbers, for peers that read nothing else: texts as tf-idf."""
    prepared = make_pipeline(*(step for _, step in RowReader(drawn.X).steps(nonnegative=False, dense=False)))
    return prepared, prepared.fit_transform(drawn.X)


class _Peer:
    """A model of a peer, behind what makes numbers of the rows."""

    def __init__(self, prepared: Any, model: Any, classes: Any):
        self.prepared, self.model = prepared, model
        self.classes_ = np.asarray(classes)

    def predict_proba(self, X: Any) -> Any:
        return self.model.predict_proba(self.prepared.transform(X))


def _of_package(package: str, name: str, **params: Any) -> Row:
    def train(drawn: Drawn, seed: int) -> Any:
        module = __import__(package)
        prepared, X = _numbers(drawn)
        model = getattr(module, name)(random_state=seed, **params).fit(X, drawn.y)
        return _Peer(prepared, model, model.classes_)

    return train


def _flaml(drawn: Drawn, seed: int) -> Any:
    from flaml import AutoML

    prepared, X = _numbers(drawn)
    classes, codes = np.unique(drawn.y, return_inverse=True)  # some of its learners take no other labels
    model = AutoML()
    settings = {"time_budget": FLAML_SECONDS, "metric": "log_loss", "verbose": 0, "seed": seed, "n_jobs": 1}
    model.fit(X, codes, task="classification", **settings)
    return _Peer(prepared, model, classes)


class _AutoGluon:
    def __init__(self, predictor: Any, folder: str):
        self.predictor, self.folder = predictor, folder
        self.classes_ = np.asarray(predictor.class_labels)

    def predict_proba(self, X: Any) -> Any:
        return self.predictor.predict_proba(_frame(X))[list(self.classes_)].to_numpy()


def _autogluon(preset: str) -> Row:
    def train(drawn: Drawn, _: int) -> Any:
        from autogluon.tabular import TabularPredictor

        folder = tempfile.mkdtemp()
        table = _frame(drawn.X).assign(label=drawn.y)
        kind = "binary" if len(np.unique(drawn.y)) == 2 else "multiclass"  # whole numbers would be a regression
        predictor = TabularPredictor("label", kind, "log_loss", path=folder, verbosity=0)
        predictor.fit(table, presets=preset, time_limit=AUTOGLUON_SECONDS, num_cpus=1)
        return _AutoGluon(predictor, folder)

    return train


ROWS: dict[str, tuple[str, Row]] = {
    "foldless": ("", _foldless(offer="average")),
    "foldless, no pool": ("", _foldless(offer="average", pool=False)),
    "foldless, best": ("", _foldless(criterion="k_fold")),
    "GridSearchCV, same models": ("", _foldless(criterion="k_fold", pool=False, estimate=False)),
    "foldless 0.3": ("", _released),
    "extra trees": ("", _alone(ExtraTreesClassifier(300, random_state=0))),
    "random forest": ("", _alone(RandomForestClassifier(300, random_state=0))),
    "logistic regression": ("", _alone(LogisticRegression(max_iter=1000))),
    "SVM": ("", _alone(SVC(probability=True, random_state=0))),
    "LightGBM": ("lightgbm", _of_package("lightgbm", "LGBMClassifier", verbose=-1, n_jobs=1)),
    "CatBoost": ("catboost", _of_package("catboost", "CatBoostClassifier", **CATBOOST)),
    "FLAML": ("flaml", _flaml),
    "AutoGluon medium": ("autogluon.tabular", _autogluon("medium_quality")),
    "AutoGluon good": ("autogluon.tabular", _autogluon("good_quality")),
}


def measured(row: str, setting: Setting, drawn: Drawn) -> Record:
    """What one model is worth, and what it took."""
    record: Record = {"row": row, **setting._asdict()}
    began = _cpu()
    try:
        model = ROWS[row][1](drawn, setting.seed)
    except Exception as error:
        return {**record, "failed": f"{type(error).__name__}: {error}"[:200]}
    record["seconds"] = round(_cpu() - began, 2)
    began = _cpu()
    table, predicted = _answers(model, drawn.X_test)
    record["predicting"] = round((_cpu() - began) * 1000 / len(drawn.y_test), 3)
    record["accuracy"] = round(float(np.mean(predicted == drawn.y_test)), 5)
    if table is not None:
        at = {label: column for column, label in enumerate(model.classes_)}
        p = np.array([row[at[label]] if label in at else 0.0 for row, label in zip(table, drawn.y_test, strict=True)])
        record["loss"] = round(float(-np.log(np.clip(p, LEAST, 1)).mean()), 5)
    record["bytes"] = _size(model)
    if isinstance(model, _AutoGluon):
        shutil.rmtree(model.folder, ignore_errors=True)
    return record


def _answers(model: Any, X: Any) -> tuple[Any, Any]:
    if not hasattr(model, "predict_proba"):
        return None, np.asarray(model.predict(X))
    table = np.asarray(model.predict_proba(X))
    return table, np.asarray(model.classes_)[table.argmax(axis=1)]


def _size(model: Any) -> int:
    if isinstance(model, _AutoGluon):
        return sum(path.stat().st_size for path in Path(model.folder).rglob("*") if path.is_file())
    return len(pickle.dumps(model))


def _cpu() -> float:
    """Seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def table(records: Sequence[Record]) -> str:
    """Means over the settings that every row has run, by number of labels."""
    lines = []
    for n in sorted({record["n"] for record in records}):
        here = [record for record in records if record["n"] == n and "accuracy" in record]
        names = [row for row in ROWS if any(record["row"] == row for record in here)]
        by = {name: {(r["set"], r["seed"]): r for r in here if r["row"] == name} for name in names}
        most = max(len(each) for each in by.values())
        names = [name for name in names if len(by[name]) >= 0.8 * most]
        common = sorted(set.intersection(*(set(by[name]) for name in names)))
        lines += [
            f"\n{n} labels, {len(common)} settings",
            f"{'':28s} accuracy  log loss   rank  train s  1,000 s      MB",
        ]
        accuracies = np.array([[by[name][key]["accuracy"] for key in common] for name in names])
        ranks = np.mean([rankdata(-column) for column in accuracies.T], axis=0)
        for name, of_sets, rank in zip(names, accuracies, ranks, strict=True):
            rows = [by[name][key] for key in common]
            loss = np.mean([row["loss"] for row in rows]) if all("loss" in row for row in rows) else np.nan
            means = [np.mean([row[key] for row in rows]) for key in ("seconds", "predicting", "bytes")]
            lines.append(
                f"{name:28s} {of_sets.mean():8.4f} {loss:9.3f} {rank:6.2f} {means[0]:8.1f} {means[1]:8.2f} "
                f"{means[2] / 1e6:7.2f}"
            )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="only print what has run")
    parser.add_argument("--again", type=Path, help="a file of records whose settings and rows are run")
    parser.add_argument("--rows", nargs="*", default=list(ROWS))
    parser.add_argument("--sets", nargs="*", default=[*SETS, *MORE_TEXTS])
    parser.add_argument("--labels", type=int, nargs="*", default=[20, 100, 500, 2000])
    parser.add_argument("--seeds", type=int, nargs="*", default=[0, 1, 2])
    parser.add_argument("--out", type=Path, default=Path("build/end_to_end.jsonl"), help="the file of records")
    parser.add_argument("--data", type=Path, default=DATA)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if not asked.table:
        print(versions(), flush=True)
        if asked.again is not None:
            run_again(asked)
        else:
            run(asked)
    print(table(kept(asked.out)))


def run(asked: argparse.Namespace) -> None:
    done = {(r["row"], r["set"], r["n"], r["seed"]) for r in kept(asked.out)}
    rows = [row for row in asked.rows if not ROWS[row][0] or importlib.util.find_spec(ROWS[row][0].partition(".")[0])]
    for seed, n, name in product(asked.seeds, asked.labels, asked.sets):
        setting = Setting(name, n, seed)
        missing = [row for row in rows if (row, *setting) not in done]
        if not missing or (drawn := draw(setting, asked.data)) is None:
            continue
        began = time.time()
        for row in missing:
            keep(asked.out, [measured(row, setting, drawn)])
        print(f"{name}, {n} labels, seed {seed}: {time.time() - began:.0f} s", flush=True)


def run_again(asked: argparse.Namespace) -> None:
    """The rows of a file that is not that of the records: those of peers do not depend on our code."""
    stored = read(asked.again)
    if not asked.out.exists():
        keep(asked.out, [record for record in stored if ROWS[record["row"]][0]])
    done = {(r["row"], r["set"], r["n"], r["seed"]) for r in read(asked.out)}
    for record in sorted(stored, key=lambda record: (record["set"], record["n"], record["seed"])):
        setting = Setting(record["set"], record["n"], record["seed"])
        if (record["row"], *setting) not in done and (drawn := draw(setting, asked.data)) is not None:
            again = measured(record["row"], setting, drawn)
            keep(asked.out, [again])
            differ = again.get("accuracy", np.nan) - record.get("accuracy", np.nan)
            print(f"{record['row']}, {setting.set}, {setting.n} labels, seed {setting.seed}: {differ:+.4f}", flush=True)


if __name__ == "__main__":
    main()
