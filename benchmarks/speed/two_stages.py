"""Words and ensembles: vectorizing 18,846 messages, and what the second stage of dagging costs; run by ``run.py``."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer

from benchmarks.measuring import best_time, best_times
from benchmarks.papers.pfahringer.sets import NEWSGROUPS, Parts, newsgroups, reuters, split
from benchmarks.records import read
from foldless import FoldlessSearch
from foldless.criteria import Dagging
from foldless.data.class_words import ClassWordVectorizer
from foldless.learners import LinearSVC, LogisticOutputs, MultinomialNB

MODELS = {
    "naive Bayes": MultinomialNB(),
    "linear SVM": LinearSVC(loss="hinge"),
    "linear SVM, Platt's outputs": LogisticOutputs(LinearSVC(loss="hinge"), targets="platt"),
}


def class_words(data: Path) -> None:
    """ClassWordVectorizer takes at most 1.5 times as long as TfidfVectorizer on the 20 newsgroups."""
    rows = read(data / "newsgroups20" / "20news_bydate.jsonl.gz")
    texts, y = [row["text"] for row in rows], [row["label"] for row in rows]
    ours, theirs = ClassWordVectorizer(), TfidfVectorizer()
    for what, fast, slow in (
        ("fit_transform", lambda: ours.fit_transform(texts, y), lambda: theirs.fit_transform(texts)),
        ("transform", lambda: ours.transform(texts), lambda: theirs.transform(texts)),
    ):
        a, b = best_times([fast, slow], 3)
        print(f"  {what}, {len(texts):,} documents: {a:.2f} s against {b:.2f} s, ratio {a / b:.2f}")


def second_stage(data: Path) -> None:
    """The second stage costs at most as many times the first as there are batches.

    The first stage is what ``quantification_bound`` asks for: a fit on the labels, which labels the pool. Costs are
    those of one process, in seconds of its own, which a busy machine does not change.
    """
    for question, collection in (("grain", reuters(data)), (NEWSGROUPS, newsgroups(data))):
        parts = split(collection, question, 5, 0, 0)
        few = 2 if question == NEWSGROUPS else 3  # a logistic regression of 20 classes takes seconds
        for name, model in [*MODELS.items()][:few]:
            first = _cost(_search(parts, model, "quantification_bound"))
            both = _cost(_search(parts, model, Dagging(offer="candidate")))
            voting = _cost(_search(parts, model, Dagging())) - both
            print(
                f"  {question}, {name}: first stage {first:.2f} s, second {(both - first) / first:.1f} times that, "
                f"{round(len(parts.hidden) / len(parts.y))} batches; the vote on the pool {voting / first:.1f} times"
            )


class Waiting(MultinomialNB):
    """Training takes time and no processor, so that what others do on the machine does not matter."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Waiting":
        time.sleep(0.3)
        super().fit(X, y, sample_weight)
        return self


def two_workers(data: Path) -> None:
    """Batches run in parallel: two workers take little more than half the time of one."""
    parts = split(reuters(data), "grain", 5, 0, 0)
    single, double = (_search(parts, Waiting(), "dagging", workers) for workers in (1, 2))
    double()  # workers start
    alone, shared = best_times([single, double], 2)
    print(f"  20 fits of 0.3 s: {alone:.1f} s with one, {shared:.1f} s with two, {alone / shared:.2f} times faster")


def _search(parts: Parts, model: Any, criterion: Any, workers: int = 1) -> Callable[[], Any]:
    search = FoldlessSearch(model, criterion=criterion, n_jobs=workers, random_state=0)
    return lambda: search.fit(parts.X, parts.y, X_unlabeled=parts.pool)


def _cost(run: Callable[[], Any], repeats: int = 3) -> float:
    """The least seconds of the process, compiled before."""
    run()
    return best_time(run, repeats, time.process_time)


BENCHMARKS: dict[str, Callable[[Path], None]] = {
    "class_words": class_words,
    "second_stage": second_stage,
    "two_workers": two_workers,
}
