"""How models read a column of texts: as words, as leading directions of the words, or as vectors of the words."""

from collections.abc import Callable
from typing import Any

from sklearn.pipeline import make_pipeline

from foldless.data._columns import READ_WORDS
from foldless.data.word_vectors import WordVectors
from foldless.learners.pool_taught.taught_view import WordDirections
from foldless.portfolio._catalog import TextForm

DIRECTIONS = 50  # of a text beside other columns: as many as trees can read with few rows


def text_reader(form: TextForm) -> Callable[[], Any]:
    """What makes the transformer of one column of texts."""
    readers: dict[TextForm, Callable[[], Any]] = {
        "words": READ_WORDS,
        "components": _components,
        "vectors": WordVectors,
    }
    return readers[form]


def _components() -> Any:
    return make_pipeline(READ_WORDS(), WordDirections(DIRECTIONS))
