"""The words that a model knows, as one string of its file.

skops writes a part of the file for each of 30,000 words, and scikit-learn numbers the most frequent ones by an array
each: half a minute for a model that is trained in a second.
"""

import json
from collections import UserDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from foldless.saving._names import saved
from foldless.saving._trusted import references


@saved("foldless.saving")
class WrittenWords(UserDict[str, int]):
    """A vocabulary as it is written: the list of its words, in the order of their columns, as JSON.

    What a file makes of it again is a plain dict.
    """

    def __new__(cls, words: str) -> Any:
        """Words and their columns."""
        return {word: at for at, word in enumerate(json.loads(words))}

    @classmethod
    def of(cls, columns: dict[str, int]) -> "WrittenWords":
        vocabulary: WrittenWords = object.__new__(cls)
        vocabulary.data = columns
        return vocabulary

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return WrittenWords, (json.dumps(sorted(self, key=self.__getitem__)),)


@contextmanager
def written_as_one(model: Any) -> Iterator[None]:
    """The vocabularies inside a model are written as one string each; others may ask the model meanwhile."""
    found = [(part, part.vocabulary_) for *_, part in references(model) if _numbers_words(part)]
    try:
        for part, columns in found:
            part.vocabulary_ = WrittenWords.of(columns)
        yield
    finally:
        for part, columns in found:
            part.vocabulary_ = columns


def _numbers_words(part: Any) -> bool:
    """Whether a part has a vocabulary of words, with the columns 0, 1, …"""
    columns = getattr(part, "__dict__", {}).get("vocabulary_")
    if type(columns) is not dict or not all(type(word) is str for word in columns):
        return False
    return sorted(columns.values()) == list(range(len(columns)))
