"""How models read a column of texts: as words, as directions of them, with n-grams of characters, as vectors."""

from collections.abc import Callable
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import FeatureUnion, make_pipeline

from foldless.data._columns import READ_WORDS
from foldless.data.word_vectors import WordVectors
from foldless.learners.pool_taught.taught_view import WordDirections
from foldless.portfolio._catalog import TextForm

DIRECTIONS = 50  # of a text beside other columns: as many as trees can read with few rows

N_GRAMS, MAX_N_GRAMS = (3, 5), 30_000  # the most frequent; a text has some hundreds


def text_reader(form: TextForm) -> Callable[[], Any]:
    """What makes the transformer of one column of texts."""
    readers: dict[TextForm, Callable[[], Any]] = {
        "words": READ_WORDS,
        "components": lambda: make_pipeline(READ_WORDS(), WordDirections(DIRECTIONS)),
        "characters": _with_characters,
        "vectors": WordVectors,
    }
    return readers[form]


def _with_characters() -> Any:
    """Words, and parts of words: misspelled and inflected ones have most of them in common, in any language."""
    parts = TfidfVectorizer(analyzer="char_wb", ngram_range=N_GRAMS, sublinear_tf=True, max_features=MAX_N_GRAMS)
    return FeatureUnion([("words", READ_WORDS()), ("characters", parts)])
