"""Texts that hardly differ: equal but for case, spaces, punctuation and Unicode form, for one word, or in few runs.

Texts that differ by one word, also by one that only one of them has, are equal without it: they are found by hashes of
each text without each of its words in turn. Three texts or more that are equal without one word are a template, and no
copies. Other texts are near copies if nine tenths of their runs of three words are the same.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.checks._nearness import joined
from foldless.checks._tables import plain_text
from foldless.checks._word_order import Words, in_a_row
from foldless.core import Array

RUN, SAME_RUNS, FEWEST_RUNS, COMMON = 3, 0.9, 5, 100  # words; share of equal runs; runs of a text; texts with a run
BASE = 0x9E3779B97F4A7C15  # of the hashes of texts: odd, so that it has an inverse


class NearTexts(NamedTuple):
    """A number for each text, equal for near copies, and which texts are not only spelled otherwise than these."""

    sets: Array
    changed: Array


def near_texts(texts: list[str]) -> NearTexts:
    """Sets of texts that hardly differ, whether by chance or not.

    Examples
    --------
    >>> near_texts(["The cat sat on a mat.", "A dog", "the cat  sat on a mat", "A cat sat on a mat"]).sets.tolist()
    [0, 1, 0, 0]
    """
    numbers: dict[str, int] = {}
    plain = np.array([numbers.setdefault(plain_text(text), len(numbers)) for text in texts], dtype=int)
    words = in_a_row(list(numbers))
    sets = joined(np.concatenate([_one_word_apart(words), _same_runs(words)]), len(numbers))
    respelled = (np.bincount(sets)[sets] == 1) & (np.bincount(plain) > 1)
    return NearTexts(pd.factorize(sets[plain])[0], ~respelled[plain])


def _one_word_apart(words: Words) -> Array:
    """Pairs of texts that are equal without one word of either or both, and that no third text is equal to."""
    lengths = np.bincount(words.texts, minlength=words.n_texts)
    with np.errstate(over="ignore"):  # hashes are modulo 2^64
        powers = np.cumprod(np.full(int(lengths.max(initial=0)) + 1, BASE, dtype=np.uint64))
        drawn = np.random.default_rng(0).integers(2**63, size=int(words.codes.max(initial=0)) + 1, dtype=np.uint64)
        along = np.cumsum(np.append(np.uint64(0), drawn[words.codes] * powers[words.places]))
        ends = np.cumsum(lengths)
        start, end = along[ends - lengths], along[ends]
        one_back = np.uint64(pow(BASE, -1, 2**64))
        before, behind = along[:-1] - start[words.texts], end[words.texts] - along[1:]
        hashes = np.concatenate([end - start, before + behind * one_back])
    groups = pd.factorize(hashes)[0]
    several = np.bincount(groups)[groups] > 1
    members = np.concatenate([np.arange(words.n_texts), words.texts])[several]
    # either of two equal words may be left out
    groups, members = np.unique(np.stack([groups[several], members]), axis=1)
    first = np.flatnonzero(np.bincount(groups)[groups] == 2)[::2]
    return np.stack([members[first], members[first + 1]], axis=1)


def _same_runs(words: Words) -> Array:
    """Pairs of texts with nearly the same runs of words."""
    rows, codes = words.texts, words.codes
    starts = np.flatnonzero(rows[: max(0, len(rows) - RUN + 1)] == rows[RUN - 1 :])
    runs = codes[starts]
    for at in range(1, RUN):
        runs = np.unique(runs * (int(codes.max(initial=0)) + 1) + codes[starts + at], return_inverse=True)[1]
    shape = words.n_texts, 1 + int(runs.max(initial=0))
    there = sparse.csr_matrix((np.ones(len(runs)), (rows[starts], runs)), shape=shape)
    there.data[:] = 1  # a run counts once
    counts = np.asarray(there.sum(axis=1)).ravel()
    n_texts = np.asarray(there.sum(axis=0)).ravel()
    several = there[:, (n_texts > 1) & (n_texts <= COMMON)]  # runs of all texts would compare all with all
    shared = sparse.triu(several @ several.T, k=1).tocoo()
    a, b = shared.row, shared.col
    same = shared.data / (counts[a] + counts[b] - shared.data) >= SAME_RUNS
    return np.stack([a, b], axis=1)[same & (np.minimum(counts[a], counts[b]) >= FEWEST_RUNS)]
