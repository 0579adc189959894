"""Texts as the mean of the vectors of their words, which come with a package: x = Σ_w n_w v_w / ‖Σ_w n_w v_w‖.

The vectors know words that no labeled row has. They were learned from text of others, most of it English, and stay in
the package: a saved model names them and reads them again.

References
----------
Miller (2024). WordLlama: recycled token embeddings from large language models.
"""

import logging
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.preprocessing import normalize
from sklearn.utils.validation import check_is_fitted

from foldless.core import Array
from foldless.errors import BadInput
from foldless.saving._names import saved

PACKAGE = "wordllama"
TOGETHER = 2000  # texts whose words are looked up at once
WORD = re.compile(r"\w+")
LONGEST = 1000  # characters of a text that are read: what follows changes a mean little, and takes its time
KNOWN = 200_000  # words that stay taken apart, for the fits of all folds


def vectors_installed() -> bool:
    """Whether the package with the vectors is there."""
    return find_spec(PACKAGE) is not None


@saved("foldless.text")
class WordVectors(TransformerMixin, BaseEstimator):
    """Texts as the mean vector of their words. It needs ``pip install 'foldless[text]'``, and no download.

    The vectors are those of wordllama, 256 numbers for each of 32,000 pieces of words.

    Attributes
    ----------
    n_features_out_ : int
        The length of a vector.

    Examples
    --------
    >>> from foldless.text import WordVectors
    >>> vectors = WordVectors().fit_transform(["rain and snow", "sleet", "stock prices"])  # doctest: +SKIP
    >>> vectors[1] @ vectors[0] > vectors[1] @ vectors[2]  # doctest: +SKIP
    True
    """

    def fit(self, X: Any, y: Any = None) -> "WordVectors":  # noqa: ARG002 (as every transformer)
        """Look for the vectors; nothing is learned from the texts."""
        _texts(X)
        self.n_features_out_ = _vectors().table.shape[1]
        return self

    def transform(self, X: Any) -> Array:
        """One row of length 1 for each text; zeros for a text without a word."""
        check_is_fitted(self)
        texts = _texts(X)
        parts = [texts[start : start + TOGETHER] for start in range(0, len(texts), TOGETHER)]
        rows = [_means(part) for part in parts]
        return np.concatenate(rows) if rows else np.zeros((0, self.n_features_out_), dtype=np.float32)

    def get_feature_names_out(self, input_features: Any = None) -> Array:  # noqa: ARG002 (as every transformer)
        """Numbers as names: the columns of a vector have no words."""
        check_is_fitted(self)
        return np.array([f"vector{at}" for at in range(self.n_features_out_)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = True
        return tags


class _Vectors(NamedTuple):
    """The vectors of pieces of words, what takes words apart, and the pieces of words that were met."""

    table: Array
    tokenizer: Any
    pieces: dict[str, list[int]]

    def taken_apart(self, words: Sequence[str]) -> list[list[int]]:
        if len(self.pieces) > KNOWN:
            self.pieces.clear()
        unmet = [word for word in words if word not in self.pieces]
        if unmet:
            encoded = self.tokenizer.encode_batch(unmet, add_special_tokens=False)
            self.pieces.update(zip(unmet, (word.ids for word in encoded), strict=True))
        return [self.pieces[word] for word in words]


@lru_cache(maxsize=1)
def _vectors() -> _Vectors:
    if not vectors_installed():
        raise BadInput(f"word vectors need {PACKAGE}, which is not installed: pip install 'foldless[text]'")
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    import wordllama

    root.setLevel(level)  # importing it turns the messages of all packages on
    root.handlers[:] = handlers
    loaded = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    loaded.tokenizer.no_padding()
    return _Vectors(loaded.embedding, loaded.tokenizer, {})


def _means(texts: Sequence[str]) -> Array:
    """Each word is taken apart once, however often it occurs: its pieces do not depend on its neighbors."""
    split = [WORD.findall(text[:LONGEST]) for text in texts]
    place: dict[str, int] = {}
    columns = [place.setdefault(word, len(place)) for words in split for word in words]
    counts = _counts(columns, [len(words) for words in split], len(place))
    vectors = _vectors()
    pieces = vectors.taken_apart(list(place))
    spelled = _counts([at for ids in pieces for at in ids], [len(ids) for ids in pieces], len(vectors.table))
    return np.asarray(normalize(counts @ spelled @ vectors.table), dtype=np.float32)


def _counts(columns: Sequence[int], lengths: Sequence[int], width: int) -> Any:
    """A sparse matrix whose rows have that many of the columns each."""
    ends = np.cumsum([0, *lengths])
    return sparse.csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=(len(lengths), width))


def _texts(X: Any) -> list[str]:
    values = list(X)
    others = [value for value in values if not isinstance(value, str)]
    if others:
        raise BadInput(f"word vectors are of texts, one string for each row, got {others[0]!r}", value=others[0])
    return values
