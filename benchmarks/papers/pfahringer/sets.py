"""The documents of Pfahringer et al.: Reuters-21578 as ten questions of the kind "is it about corn?", random splits.

Of the collection are taken the 12,902 documents of the ModApte split, both parts together, whose shares of the ten
topics are those of the paper's Table 1. Words are counted once, as WEKA cuts them, stop words apart; which of them are
features, and their weights, is learned from the labeled documents of each split and topic.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from benchmarks.records import read
from foldless.data.class_words import WORD, ClassWordTransformer

TOPICS = ("acq", "corn", "crude", "earn", "grain", "interest", "money-fx", "ship", "trade", "wheat")
NEWSGROUPS = "newsgroups20"
WORDS_PER_CLASS = 1000


class Collection(NamedTuple):
    """Word counts of documents, and for each question the class of every document."""

    counts: Any
    classes: dict[str, Any]


class Parts(NamedTuple):
    """One split of one question: labeled rows, and the pool with the labels it hides."""

    X: Any
    y: Any
    pool: Any
    hidden: Any


@lru_cache
def reuters(data: Path, limit: int | None = None) -> Collection:
    """The documents of the ModApte split, and whether each is about a topic."""
    rows = [row for row in read(data / "reuters21578" / "reuters21578.jsonl.gz") if row["modapte"] != "unused"]
    rows = [rows[at] for at in _some(len(rows), limit)]
    topics = [set(row["topics"]) for row in rows]
    classes = {topic: np.array([topic in own for own in topics]) for topic in TOPICS}
    return Collection(_counts([f"{row['title']}\n{row['body']}" for row in rows]), classes)


@lru_cache
def newsgroups(data: Path, limit: int | None = None) -> Collection:
    """All messages of the 20 newsgroups with their headers; one question of 20 classes."""
    rows = read(data / "newsgroups20" / "20news_bydate.jsonl.gz")
    rows = [rows[at] for at in _some(len(rows), limit)]
    return Collection(_counts([row["text"] for row in rows]), {NEWSGROUPS: np.array([row["label"] for row in rows])})


def split(collection: Collection, question: str, percent: int, number: int, seed: int) -> Parts:
    """Some percent of the documents with labels, the others as the pool; the same documents for every question."""
    counted = split_counts(collection, question, percent, number, seed)
    words = ClassWordTransformer(WORDS_PER_CLASS)
    X = words.fit_transform(counted.X, counted.y)
    return counted._replace(X=X, pool=words.transform(counted.pool))


def split_counts(collection: Collection, question: str, percent: int, number: int, seed: int) -> Parts:
    """The same with word counts in place of features."""
    y = collection.classes[question]
    order = np.random.default_rng([seed, percent, number]).permutation(len(y))
    labeled, pool = np.split(order, [round(percent / 100 * len(y))])
    return Parts(collection.counts[labeled], y[labeled], collection.counts[pool], y[pool])


def _some(n: int, limit: int | None) -> Any:
    return range(n) if limit is None else np.sort(np.random.default_rng(n).permutation(n)[:limit])


def _counts(texts: Sequence[str]) -> Any:
    counter = CountVectorizer(token_pattern=WORD, lowercase=False)
    counts = counter.fit_transform(texts)
    content = [word.lower() not in ENGLISH_STOP_WORDS for word in counter.get_feature_names_out()]
    return counts[:, np.array(content)].astype(float)
