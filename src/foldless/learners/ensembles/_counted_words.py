"""Words of a text are counted once for all members of an average, although each member knows other words.

A member that the pool teaches knows the words of labels and pool, a supervised one those of the labels: the counts of
the first have the counts of the second among their columns. What comes out is the same to the last digit.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer


class WordCounts:
    """Counts of the words that one vectorizer knows, of the texts that were asked for last."""

    def __init__(self, vectorizer: TfidfVectorizer):
        self.vectorizer = vectorizer
        self._texts: list[Any] | None = None
        self._counts: Any = None

    def covers(self, other: TfidfVectorizer) -> bool:
        """Whether another vectorizer reads texts in the same way and knows only some of these words."""
        same = type(other) is TfidfVectorizer and other.get_params() == self.vectorizer.get_params()
        return same and other.vocabulary_.keys() <= self.vectorizer.vocabulary_.keys()

    def of(self, texts: Any) -> Any:
        asked = list(texts)
        if self._texts is None or asked != self._texts:  # the same objects are equal at once
            self._texts, self._counts = asked, CountVectorizer.transform(self.vectorizer, asked)
        return self._counts


class FromCounts(TransformerMixin, BaseEstimator):
    """A fitted vectorizer that takes its counts from a shared count of words."""

    def __init__(self, vectorizer: TfidfVectorizer, counts: WordCounts):
        self.vectorizer = vectorizer
        self.counts = counts

    def transform(self, X: Any) -> Any:
        vectorizer, known = self.vectorizer, self.counts.vectorizer.vocabulary_
        words = sorted(vectorizer.vocabulary_, key=vectorizer.vocabulary_.__getitem__)
        counts = self.counts.of(X)
        if vectorizer is not self.counts.vectorizer:
            counts = counts[:, [known[word] for word in words]]
            counts.sort_indices()
        names = ("norm", "use_idf", "smooth_idf", "sublinear_tf")
        weighing = TfidfTransformer(**{name: getattr(vectorizer, name) for name in names})
        weighing.idf_ = vectorizer.idf_
        weighing.n_features_in_ = len(words)
        return weighing.transform(counts, copy=True)


def counting_once(prefixes: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The first steps of members, with vectorizers that share their counts where one knows the words of another."""
    vectorizers = [vectorizer for steps in prefixes for step in steps for vectorizer in vectorizers_of(step)]
    vectorizers.sort(key=lambda vectorizer: -len(vectorizer.vocabulary_))
    covering: list[WordCounts] = []
    shared: dict[int, FromCounts] = {}
    for vectorizer in {id(each): each for each in vectorizers}.values():
        counts = next((each for each in covering if each.covers(vectorizer)), None)
        if counts is None:
            counts = WordCounts(vectorizer)
            covering.append(counts)
        shared[id(vectorizer)] = FromCounts(vectorizer, counts)
    return [[_with(step, shared) for step in steps] for steps in prefixes]


def vectorizers_of(step: Any) -> list[TfidfVectorizer]:
    """The vectorizers that a step is, or has for some of the columns."""
    parts = [part for _, part, _ in step.transformers_] if type(step) is ColumnTransformer else [step]
    return [part for part in parts if type(part) is TfidfVectorizer and part.use_idf]


def _with(step: Any, shared: dict[int, FromCounts]) -> Any:
    if type(step) is not ColumnTransformer:
        return shared.get(id(step), step)
    whole = copy(step)
    whole.transformers_ = [(name, shared.get(id(part), part), columns) for name, part, columns in step.transformers_]
    return whole
