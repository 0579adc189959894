"""Real data in real files: the command chooses as well as the same search in Python.

The data are those of the folder FOLDLESS_DATA, by default ``../shared/data`` beside the repository; none is kept here.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.datasets import dump_svmlight_file
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, OneHotEncoder, StandardScaler
from tests.helpers.command import run

from foldless import FoldlessSearch
from foldless.learners import LinearSVC, LogisticRegression

DATA = Path(os.environ.get("FOLDLESS_DATA", Path(__file__).parents[3] / "shared" / "data"))
COMMAND = shutil.which("foldless", path=str(Path(sys.executable).parent)) or "foldless"
LABELED, POOL = 0.3, 0.4  # shares of the rows; the rest is held out
GRID = [0.01, 0.1, 1]
INSTALLED = "sms_spam"  # the set on which the command is a process of its own

pytestmark = [pytest.mark.skipif(not DATA.is_dir(), reason=f"there is no data in {DATA}"), pytest.mark.slow]


@dataclass(frozen=True)
class RealSet:
    """A set as features and labels, the ending of its files, and the preparation that the command should make."""

    load: Callable[[], tuple[Any, Any]]
    ending: str
    steps: Callable[[Any], Any]
    model: str = "linear-svc"
    args: tuple[str, ...] = ()


def dense(name: str, n: int) -> Callable[[], tuple[Any, Any]]:
    """Numeric columns and named classes."""

    def load() -> tuple[pd.DataFrame, list[str]]:
        held = np.load(DATA / name / f"{name}.npz")
        rows = np.random.default_rng(0).permutation(len(held["y"]))[:n]
        frame = pd.DataFrame(held["X"][rows], columns=[f"f{at}" for at in range(held["X"].shape[1])])
        return frame, held["classes"][held["y"][rows]].astype(str).tolist()

    return load


def lines(name: str, text: str, label: str, n: int, keep: Callable[[Any], bool]) -> Callable[[], tuple[Any, Any]]:
    """One column of text, and the labels or lists of labels beside it."""

    def load() -> tuple[pd.DataFrame, list[Any]]:
        (path,) = (DATA / name).glob("*.jsonl.gz")
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [(row[text], row[label]) for row in map(json.loads, file) if keep(row[label]) and row[text]]
        rows = [rows[at] for at in np.random.default_rng(0).permutation(len(rows))[:n]]
        return pd.DataFrame({"body": [body for body, _ in rows]}), [named for _, named in rows]

    return load


def adult() -> tuple[pd.DataFrame, list[str]]:
    frame = pd.read_parquet(DATA / "adult" / "adult.parquet").drop(columns=["split", "fnlwgt"])
    frame = frame.replace("?", None).dropna().sample(1500, random_state=0).reset_index(drop=True)
    return frame.drop(columns="income"), frame["income"].tolist()


def bibtex() -> tuple[Any, list[list[int]]]:
    """The entries that have one of the ten most frequent tags, with those tags."""
    held = np.load(DATA / "bibtex" / "bibtex.npz")
    words, tags = (
        sparse.csr_array((np.ones(len(held[f"train_{p}_indices"])), held[f"train_{p}_indices"].astype(np.int32),
                          held[f"train_{p}_indptr"])) for p in "XY"
    )  # fmt: skip
    top = np.argsort(-tags.sum(axis=0))[:10]
    chosen = np.asarray(tags[:, top].toarray(), dtype=bool)
    rows = np.random.default_rng(0).permutation(np.flatnonzero(chosen.any(axis=1)))[:800]
    return words[rows], [np.flatnonzero(chosen[row]).tolist() for row in rows]


def scaled(_: Any) -> Any:
    return StandardScaler()


def tf_idf(_: Any) -> Any:
    return ColumnTransformer([("text", TfidfVectorizer(sublinear_tf=True), "body")])


def mixed(frame: pd.DataFrame) -> Any:
    numbers = frame.select_dtypes("number").columns.tolist()
    words = [name for name in frame if name not in numbers]
    return ColumnTransformer([("n", StandardScaler(), numbers), ("w", OneHotEncoder(handle_unknown="ignore"), words)])


NEWS = {"sci.space", "rec.autos", "talk.politics.guns", "comp.graphics"}
TOPICS = {"acq", "crude", "grain", "interest", "money-fx", "trade", "wheat"}
SETS = {
    "sms_spam": RealSet(lines("sms_spam", "text", "label", 1500, lambda _: True), "csv", tf_idf),
    "newsgroups20": RealSet(lines("newsgroups20", "text", "label", 500, NEWS.__contains__), "jsonl.gz", tf_idf),
    "reuters21578": RealSet(
        lines("reuters21578", "title", "topics", 1000, lambda topics: bool(topics) and TOPICS.issuperset(topics)),
        "jsonl", tf_idf,
    ),
    "bibtex": RealSet(bibtex, "svm.gz", lambda _: MaxAbsScaler()),
    "adult": RealSet(adult, "parquet", mixed, "logistic-regression"),
    "dna": RealSet(dense("dna", 800), "csv", scaled),
    "letter": RealSet(dense("letter", 1200), "tsv.gz", scaled, "logistic-regression"),
    "satimage": RealSet(dense("satimage", 1200), "parquet", scaled),
    "segment": RealSet(dense("segment", 1200), "feather", scaled, "logistic-regression"),
    "vowel": RealSet(dense("vowel", 990), "jsonl.gz", scaled, "logistic-regression"),
    "yeast": RealSet(dense("yeast", 1484), "csv.gz", scaled, args=("--min-per-class", "1")),
    "glass": RealSet(dense("glass", 214), "tsv", scaled, args=("--min-per-class", "1")),
}  # fmt: skip


def write(X: Any, y: list[Any] | None, path: Path) -> str:
    """A part of a set as a file; the pool has no labels."""
    if sparse.issparse(X):
        sets = [[0]] * X.shape[0] if y is None else y
        with gzip.open(path, "wb") as file:
            labels = sparse.csr_array([[int(c in several) for c in range(10)] for several in sets])
            dump_svmlight_file(X, labels, file, multilabel=True)
        return str(path)
    frame = X if y is None else X.assign(topic=y)
    if ".csv" in path.name or ".tsv" in path.name:
        frame.to_csv(path, index=False, sep="\t" if ".tsv" in path.name else ",")
    elif ".jsonl" in path.name:
        frame.to_json(path, orient="records", lines=True, double_precision=15)
    else:
        (frame.to_parquet if path.suffix == ".parquet" else frame.to_feather)(path)
    return str(path)


def accuracy(predicted: Any, truth: list[Any]) -> float:
    """Hits among the labels, all those of a row counted."""
    sets = [labels if isinstance(labels, list) else [labels] for labels in truth]
    return sum(label in labels for label, labels in zip(predicted, sets, strict=True)) / sum(map(len, sets))


def share_of_the_largest(truth: list[Any]) -> float:
    labels = [label for labels in truth for label in (labels if isinstance(labels, list) else [labels])]
    return max(map(labels.count, set(labels))) / len(labels)


def installed(words: list[str]) -> str:
    done = subprocess.run([COMMAND, *words], capture_output=True, check=False, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", SETS)
def test_within_one_point_of_the_python_call(tmp_path: Path, name: str) -> None:
    real = SETS[name]
    X, y = real.load()
    cuts = (np.cumsum([LABELED, POOL]) * len(y)).astype(int)
    parts = [slice(0, cuts[0]), slice(cuts[0], cuts[1]), slice(cuts[1], len(y))]
    train, pool, test = (X[part].reset_index(drop=True) if isinstance(X, pd.DataFrame) else X[part] for part in parts)
    y_train, _, y_test = (y[part] for part in parts)
    files = [tmp_path / f"{part}.{real.ending}" for part in ("train", "pool", "test")]
    for rows, labels, path in ((train, y_train, files[0]), (pool, None, files[1]), (test, y_test, files[2])):
        write(rows, labels, path)
    named = () if sparse.issparse(X) else ("--label", "topic")
    words = [
        "select", str(files[0]), *named, "--unlabeled", str(files[1]), "--test", str(files[2]), "--model", real.model,
        "--grid", f"C={','.join(map(str, GRID))}", "--json", *real.args,
    ]  # fmt: skip
    document = json.loads(installed(words) if name == INSTALLED else run(*words).stdout)
    model = LinearSVC(max_iter=10_000) if real.model == "linear-svc" else LogisticRegression(max_iter=10_000)
    search = FoldlessSearch(Pipeline([("p", real.steps(X)), ("m", model)]), {"m__C": GRID}, random_state=0)
    search.fit(train, y_train, X_unlabeled=pool)
    expected = accuracy(search.predict(test), y_test)
    left_out = cuts[1] - cuts[0] - document["rows"].pop("pool")
    assert document["rows"] == {"labeled": len(y_train), "test": len(y_test)}
    assert 0 <= left_out <= 0.1 * (cuts[1] - cuts[0])  # messages that are sent to many people are labeled rows too
    assert document["choice"]["test_accuracy"] == pytest.approx(expected, abs=0.01)
    assert expected > share_of_the_largest(y_test) + 0.05  # something was learned


def test_there_are_ten_sets_in_the_main_formats() -> None:
    endings = [real.ending.split(".")[0] for real in SETS.values()]
    assert len(SETS) >= 10
    assert {"csv", "parquet", "jsonl", "tsv", "svm", "feather"} <= set(endings)
