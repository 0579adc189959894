"""Words and ensembles: vectorizing 18,846 messages, and what the second stage of dagging costs; run by ``speed.py``."""

import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path

from measuring import best_time
from papers.pfahringer_sets import reuters, split
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from foldless import FoldlessSearch
from foldless.learners import LinearSVC, LogisticOutputs
from foldless.text import ClassWordVectorizer


def class_words(data: Path) -> None:
    """ClassWordVectorizer takes at most 1.5 times as long as TfidfVectorizer on the 20 newsgroups."""
    with gzip.open(data / "newsgroups20" / "20news_bydate.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    texts, y = [row["text"] for row in rows], [row["label"] for row in rows]
    ours, theirs = ClassWordVectorizer(), TfidfVectorizer()
    for what, fast, slow in (
        ("fit_transform", lambda: ours.fit_transform(texts, y), lambda: theirs.fit_transform(texts)),
        ("transform", lambda: ours.transform(texts), lambda: theirs.transform(texts)),
    ):
        a, b = best_time(fast), best_time(slow)
        print(f"  {what}, {len(texts):,} documents: {a:.2f} s against {b:.2f} s, ratio {a / b:.2f}")


def second_stage(data: Path) -> None:
    """The second stage costs at most as many times the first as there are batches, and two workers share it."""
    parts = split(reuters(data), "grain", 5, 0, 0)
    model = make_pipeline(MaxAbsScaler(), LogisticOutputs(LinearSVC(loss="hinge"), targets="platt"))
    seconds = {}
    for workers in (1, 2):
        search = FoldlessSearch(model, criterion="dagging", n_jobs=workers, random_state=0)
        search.fit(parts.X, parts.y, X_unlabeled=parts.pool)
        start = time.perf_counter()
        search.fit(parts.X, parts.y, X_unlabeled=parts.pool)
        seconds[workers] = time.perf_counter() - start
    first = best_time(lambda: model.fit(parts.X, parts.y).predict(parts.pool))
    batches = search.best_estimator_.n_batches
    times = (seconds[1] - first) / first
    print(
        f"  {times:.1f} times the first stage, {batches} batches; {seconds[1] / seconds[2]:.2f} times faster with two"
    )


BENCHMARKS: dict[str, Callable[[Path], None]] = {"class_words": class_words, "second_stage": second_stage}
