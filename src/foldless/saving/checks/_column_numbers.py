"""Transformers that write sparse matrices: SciPy does not look whether the columns they name are there.

Those of texts have a rule for words besides, which must cut a text in time that is at most quadratic in its length.
Python's ``re`` tries one way after the other. Something that is repeated inside a repetition, as in ``(a+)+$``, has
exponentially many ways, and k repetitions in a row a power of the length. So an alternative of a pattern may repeat one
character class, such as ``\\w+``; groups may be optional, not repeated, and nothing refers back.
"""

import re
from typing import Any

import numpy as np

from foldless.saving._plain_shapes import within

MAX_HASHED = 2**31
MAX_N_GRAM = 30  # words or characters of an n-gram
ONE = re.compile(r"\\[^\d]|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)  # what stands for one character
REFUSED = re.compile(r"\\|\)[*+{]|\(\?P=|\(\?\(")  # references, repeated groups, conditions
REPEATED = re.compile(r"[*+{]")
OPTIONAL = re.compile(r"(?<!\()\?")
MAX_OPTIONAL = 8  # each may double the ways


def _is_vocabulary(model: Any) -> bool:
    """Words have the columns 0, 1, … in some order."""
    if not hasattr(model, "vocabulary_"):
        return True
    columns = list(model.vocabulary_.values())
    return all(isinstance(at, int | np.integer) for at in columns) and sorted(columns) == list(range(len(columns)))


def _reads_words(model: Any) -> bool:
    """Whether texts are cut into words, in time that grows with their length."""
    shortest, longest = model.ngram_range
    return (
        model.input == "content"  # not the files that texts name
        and 0 < shortest <= longest <= MAX_N_GRAM
        and (model.token_pattern is None or is_quick(model.token_pattern))
    )


def _counts_words(model: Any) -> bool:
    return _reads_words(model) and _is_vocabulary(model)


def _is_one_hot(model: Any) -> bool:
    """Categories that can be found have as many columns as are kept for them."""
    if not hasattr(model, "categories_"):
        return True
    widths = list(model._compute_n_features_outs())
    if len(widths) != model.n_features_in_ or widths != list(model._n_features_outs):
        return False
    dropped = model._drop_idx_after_grouping
    drops = [None] * len(widths) if dropped is None else list(dropped)
    n_columns = [width + (drop is not None) for width, drop in zip(widths, drops, strict=True)]
    in_order = all(_is_sorted(values) for values in model.categories_)
    known = all(drop is None or 0 <= drop < n for drop, n in zip(drops, n_columns, strict=True))
    return in_order and known and (not model._infrequent_enabled or _are_grouped(model, n_columns))


def _are_grouped(model: Any, n_columns: list[int]) -> bool:
    """Whether rare categories are one column that is there."""
    groups = zip(
        model.categories_, model._infrequent_indices, model._default_to_infrequent_mappings, n_columns, strict=True
    )
    return all(
        (rare is None) == (mapping is None)
        and (rare is None or (np.shape(mapping) == (len(values),) and within(mapping, n) and within(rare, len(values))))
        for values, rare, mapping, n in groups
    )


def _is_sorted(values: Any) -> bool:
    """Numbers are searched for by halves; words are looked up one by one."""
    if values.dtype.kind in "OUS":
        return True
    return bool(np.array_equal(np.unique(values), values, equal_nan=values.dtype.kind == "f"))


def _is_hashed(model: Any) -> bool:
    return isinstance(model.n_features, int | np.integer) and 0 < int(model.n_features) < MAX_HASHED


CHECKS = {
    "sklearn.feature_extraction._dict_vectorizer.DictVectorizer": _is_vocabulary,
    "sklearn.feature_extraction.text.CountVectorizer": _counts_words,
    "sklearn.feature_extraction.text.TfidfVectorizer": _counts_words,
    "sklearn.preprocessing._encoders.OneHotEncoder": _is_one_hot,
    "sklearn.feature_extraction._hash.FeatureHasher": _is_hashed,
    "sklearn.feature_extraction.text.HashingVectorizer": lambda model: _reads_words(model) and _is_hashed(model),
    "foldless.saving.HashedCategories": _is_hashed,
}


def is_quick(pattern: str) -> bool:
    """Whether a pattern is one of those that are quick on every text.

    Examples
    --------
    >>> is_quick(r"(?u)\\b\\w\\w+\\b"), is_quick(r"[a-z]+|\\d+"), is_quick(r"(a+)+$")
    (True, True, False)
    """
    plain = ONE.sub("x", pattern)
    if REFUSED.search(plain) or len(OPTIONAL.findall(plain)) > MAX_OPTIONAL:
        return False
    return all(len(REPEATED.findall(part)) <= 1 for part in _alternatives(plain))


def _alternatives(pattern: str) -> list[str]:
    """What lies between the bars that are in no group."""
    parts, depth = [""], 0
    for sign in pattern:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
