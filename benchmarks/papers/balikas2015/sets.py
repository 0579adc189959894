"""The collections behind our Table 1: documents as word counts, their labels, and the three parts of a set.

A set is cut at random, in the proportions of the paper's Table 1, into labeled rows, pool and test rows; nothing is
stratified, so a class may be absent from the labels, and its rows elsewhere are then errors of every method. Features
are plain tf-idf (``TfidfTransformer()``: raw counts, smoothed idf, rows of length 1; not sublinear, as the paper says
"tf*idf"), their words and idf taken from labeled rows and pool, never from test rows. This was decided before any
result was seen.

A document with several labels becomes one copy per label in the labeled and in the test part, as in the paper; copies
share a group. The pool has no labels and is not replicated.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from benchmarks.records import read

SHARES = (0.32, 0.50, 0.18)  # labeled, pool, test: the means over the ten rows of the paper's Table 1
KEPT = 2  # rows of each class that a subsample keeps, where it has as many
DEPTH = 6  # of the hypernym that is a noun's class


class Collection(NamedTuple):
    """Word counts of documents; label ``label[j]`` belongs to document ``document[j]``."""

    counts: Any
    document: Any
    label: Any


class Parts(NamedTuple):
    """A set, ready for the protocol; ``groups`` is None where a document has one label."""

    name: str
    X: Any
    y: Any
    groups: Any
    pool: Any
    pool_y: Any
    X_test: Any
    y_test: Any
    n_classes: int
    n_documents: int
    of_documents: int


@dataclass(frozen=True)
class Source:
    """Where a set comes from, and how many documents of it the default run takes."""

    load: Callable[[Path, np.random.Generator], Collection]
    limit: int


def make(name: str, data: Path, seed: int, limit: int | None) -> Parts:
    """The parts of a set; the same for the same name, seed and limit."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    collection = SOURCES[name].load(data, rng)
    return split(name, collection, limit, rng)


def split(name: str, collection: Collection, limit: int | None, rng: np.random.Generator) -> Parts:
    """Draw documents, cut them into labeled, pool and test, and copy those with several labels."""
    counts, document, label = collection
    chosen = subsample(document, label, limit, rng)
    ends = np.round(np.cumsum(SHARES) * len(chosen)).astype(int)
    labeled, pool, test = np.split(chosen[rng.permutation(len(chosen))], ends[:-1])
    X = tf_idf(counts, np.concatenate([labeled, pool]))
    train, held, asked = (np.flatnonzero(np.isin(document, part)) for part in (labeled, test, pool))
    several = len(np.unique(document)) < len(document)
    order = document[asked]
    return Parts(
        name, X[document[train]], label[train], document[train] if several else None,
        X[np.sort(pool)] if several else X[order], None if several else label[asked],
        X[document[held]], label[held],
        n_classes=len(np.unique(label[np.isin(document, chosen)])),
        n_documents=len(chosen),
        of_documents=len(np.unique(document)),
    )  # fmt: skip


def subsample(document: Any, label: Any, limit: int | None, rng: np.random.Generator) -> Any:
    """Documents in random order, at most ``limit``; with one label each, some rows of every class come first."""
    documents = np.unique(document)
    if limit is None or limit >= len(documents):
        return documents
    order = rng.permutation(len(documents))
    if len(documents) == len(document):
        place = pd.Series(label[order]).groupby(label[order]).cumcount().to_numpy()
        order = np.concatenate([order[place < KEPT], order[place >= KEPT]])
    return documents[order[:limit]]


def tf_idf(counts: Any, known: Any) -> Any:
    """tf-idf of all documents, by the words and the idf of the known ones."""
    seen = counts[:, np.asarray(counts[known].sum(axis=0)).ravel() > 0]
    return sparse.csr_matrix(TfidfTransformer().fit(seen[known]).transform(seen))


def wordnet(n_classes: int, data: Path, rng: np.random.Generator) -> Collection:
    """Glosses of the nouns below some hypernyms at depth 6, classes of one row left out."""
    texts, label = _nouns(data)
    classes, sizes = np.unique(label, return_counts=True)
    drawn = np.isin(label, rng.choice(classes[sizes > 1], n_classes, replace=False))
    return _of_texts([texts[at] for at in np.flatnonzero(drawn)], label[drawn])


@lru_cache
def _nouns(data: Path) -> tuple[list[str], Any]:
    nouns = [
        (row["gloss"], row["hypernym_path"][DEPTH])
        for row in read(data / "wordnet_glosses/wordnet_glosses.jsonl.gz")
        if row["pos"] == "noun" and len(row["hypernym_path"]) > DEPTH
    ]
    return [text for text, _ in nouns], np.array([name for _, name in nouns])


def debian(data: Path, _: np.random.Generator) -> Collection:
    """Descriptions of source packages; the class is the maintainer."""
    rows = read(data / "debian_packages/debian_packages.jsonl.gz")
    return _of_texts([f"{row['short']}\n{row['long']}" for row in rows], [row["maintainer_id"] for row in rows])


def newsgroups(data: Path, _: np.random.Generator) -> Collection:
    """Messages with their headers, both halves of the "bydate" split together."""
    rows = read(data / "newsgroups20/20news_bydate.jsonl.gz")
    return _of_texts([row["text"] for row in rows], [row["label"] for row in rows])


def lshtc(data: Path, _: np.random.Generator) -> Collection:
    return _single(*lshtc_counts(data))


def lshtc_counts(data: Path) -> tuple[Any, Any]:
    """Short descriptions of dmoz pages: train and validation of task 2; its test rows are another kind of text."""
    with np.load(data / "lshtc1_dryrun/task2_rdf_to_crawl.npz") as file:
        width = len(file["feature_ids"])
        parts = [
            sparse.csr_matrix(
                (file[f"{part}_data"], file[f"{part}_indices"], file[f"{part}_indptr"]),
                shape=(len(file[f"{part}_indptr"]) - 1, width),
            )
            for part in ("train", "validation")
        ]
        return sparse.vstack(parts, format="csr"), np.concatenate([file["train_y"], file["validation_y"]])


def mulan(name: str, data: Path, _: np.random.Generator) -> Collection:
    """A multi-label collection of binary words; documents without a label are left out."""
    with np.load(data / name / f"{name}.npz") as file:
        words, tags = (
            sparse.vstack([_binary(file, f"{part}_{kind}", len(file[names])) for part in ("train", "test")]).tocsr()
            for kind, names in (("X", "feature_names"), ("Y", "label_names"))
        )
    document, label = tags.nonzero()
    order = np.argsort(document, kind="stable")
    return Collection(words, document[order], label[order])


def _binary(file: Any, key: str, width: int) -> Any:
    indptr, indices = file[f"{key}_indptr"], file[f"{key}_indices"]
    return sparse.csr_matrix((np.ones(len(indices)), indices, indptr), shape=(len(indptr) - 1, width))


def _of_texts(texts: list[str], labels: Any) -> Collection:
    return _single(CountVectorizer(stop_words="english").fit_transform(texts), labels)


def _single(counts: Any, labels: Any) -> Collection:
    _, label = np.unique(np.asarray(labels), return_inverse=True)
    return Collection(sparse.csr_matrix(counts), np.arange(len(label)), label)


SOURCES = {
    "wordnet_250": Source(partial(wordnet, 250), 5_000),
    "wordnet_500": Source(partial(wordnet, 500), 6_500),
    "wordnet_1000": Source(partial(wordnet, 1000), 15_000),
    "wordnet_1500": Source(partial(wordnet, 1500), 12_000),
    "debian": Source(debian, 9_000),
    "lshtc1": Source(lshtc, 7_000),
    "newsgroups": Source(newsgroups, 12_000),
    "bibtex": Source(partial(mulan, "bibtex"), 1_500),
    "delicious": Source(partial(mulan, "delicious"), 250),
}
