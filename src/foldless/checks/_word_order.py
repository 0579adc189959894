"""How probable is it that a text is written a second time? By the order of its words, from the other texts.

A text w_1 … w_L has the probability Π p_t, where p_t is the largest of the shares of w_t among all words, among those
that follow w_(t−1), those two places behind w_(t−2), and those that follow both. Each is counted without the word
itself, and p_t is at least 1 / n with n texts. So a template is no rarer than what is filled in, and a phrase no rarer
than its first words.

References
----------
Cleary & Witten (1984). Data compression using adaptive coding and partial string matching. IEEE Trans. Communications.
"""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import pandas as pd

from foldless.checks._tables import plain_text
from foldless.core import Array


class Words(NamedTuple):
    """The words of all texts one behind the other, as codes; the text of each, and its place in it."""

    codes: Array
    texts: Array
    places: Array
    n_texts: int


def in_a_row(texts: list[str]) -> Words:
    words = [text.split() for text in texts]
    lengths = np.array([len(text) for text in words], dtype=int)
    codes = pd.factorize(np.array([*chain.from_iterable(words)], dtype=object))[0]
    places = np.arange(len(codes)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return Words(codes, np.repeat(np.arange(len(texts)), lengths), places, len(texts))


def log_shares(words: Words) -> Array:
    """The logarithm of p_t of each word.

    Examples
    --------
    >>> words = in_a_row(["order 1 is here", "order 2 is here", "order 3 is here"])
    >>> np.exp(log_shares(words)).round(2).tolist()[4:8]  # "2" is one of three, the others follow
    [1.0, 0.33, 1.0, 1.0]
    """
    none = int(words.codes.max(initial=-1)) + 1
    last, before = (np.where(words.places >= by, np.roll(words.codes, by), none) for by in (1, 2))
    shares = np.full(len(words.codes), 1 / max(1, words.n_texts))
    for context in (np.zeros_like(last), last, before, last * (none + 1) + before):
        of = pd.factorize(context)[0]
        with_word = pd.factorize(of * (none + 1) + words.codes)[0]
        others = np.maximum(1, np.bincount(of)[of] - 1)
        shares = np.maximum(shares, (np.bincount(with_word)[with_word] - 1) / others)
    return np.log(shares)


class Again(NamedTuple):
    """Of each text, the probability of its words, and in how many ways a second text may be equal to it."""

    probability: Array
    ways: Array


def written_again(texts: list[str], changed: Array | None = None, beside: Sequence[str] = ()) -> Again:
    """How probable it is that each text is written again, whatever its case and punctuation.

    Where ``changed``, one word may be another: the rarest counts as that, and it may be any of them. Words are counted
    in the texts ``beside`` too.
    """
    numbers: dict[str, int] = {}
    every = [numbers.setdefault(plain_text(text), len(numbers)) for text in chain(texts, beside)]
    plain = np.array(every[: len(texts)], dtype=int)
    words = in_a_row(list(numbers))
    logs, lengths = log_shares(words), np.bincount(words.texts, minlength=len(numbers))[plain]
    sums, rarest = np.bincount(words.texts, logs, minlength=len(numbers)), np.zeros(len(numbers))
    if changed is None:
        return Again(np.exp(sums)[plain], np.ones(len(texts)))
    np.minimum.at(rarest, words.texts, logs)
    probability = np.exp(np.where(changed, (sums - rarest)[plain], sums[plain]))
    return Again(probability, np.where(changed, np.maximum(1, lengths), 1))
