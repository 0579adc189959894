"""What the leading model thinks of rows, for those who want to see it before they label: likely classes, and words.

A word speaks for a class by its part of the class's linear score, coefficient times value. Models without such
coefficients predict again with the word left out: the word is worth what the class's score loses. In long texts one
passage at a time is left out.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array

LIKELY = 9  # classes of a row: there are nine digits
MAX_WORDS = 10  # marked in a text: more would mark nothing
MAX_PARTS, MIN_PARTS = 60, 8  # that are left out one at a time; each is a row to predict
WEAKEST = 0.2  # of what the strongest word is worth: weaker ones would mark every other word
MAX_READ = 100_000  # characters that a model reads again for a row: a batch of rows takes a few seconds
WORD = re.compile(r"\w+")
Span = tuple[int, int, int]


def likely_classes(model: Any, X: Any) -> list[list[str]]:
    """The names of the classes of each row, the likeliest first."""
    scores = _scores(model, X)
    names = [str(label) for label in model.classes_]
    return [[names[at] for at in np.argsort(-row, kind="stable")[:LIKELY]] for row in scores]


def speaking_words(model: Any, X: Any, columns: Sequence[str]) -> list[dict[str, list[Span]]]:
    """For each row and text column, where words stand that speak for the row's leading class, and how much, 1 to 3."""
    if not isinstance(X, pd.DataFrame) or not columns:
        return [{} for _ in range(len(X))]
    leading = np.argmax(_scores(model, X), axis=1)
    weights = _linear_weights(model, X, leading, columns)
    parts = _occluded(model, X, leading, columns) if weights is None else weights
    texts = [{column: str(X[column].iloc[at]) for column in columns} for at in range(len(X))]
    return [_strongest(of_row, of_texts) for of_row, of_texts in zip(parts, texts, strict=True)]


def _scores(model: Any, X: Any) -> Array:
    """A score of each class and row; the higher, the likelier."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X))
    if hasattr(model, "decision_function"):
        scores = np.asarray(model.decision_function(X))
        return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores
    return (np.asarray(model.predict(X))[:, None] == np.asarray(model.classes_)[None, :]).astype(float)


# column, start, end (in characters), what it is worth
Part = tuple[str, int, int, float]


def _linear_weights(model: Any, X: pd.DataFrame, leading: Array, columns: Sequence[str]) -> list[list[Part]] | None:
    """The parts of linear scores; None where the model has no coefficient for each word."""
    steps = getattr(model, "steps", None)
    if steps is None or len(steps) != 2 or not hasattr(steps[-1][1], "coef_"):
        return None
    prepared, linear = steps[0][1], steps[-1][1]
    words = _words_of(prepared, columns)
    if words is None:
        return None
    features, coefficients = prepared.transform(X), np.atleast_2d(linear.coef_)
    weights = []
    for at, code in enumerate(leading):
        row = features[[at]]
        values = np.asarray(row.todense() if hasattr(row, "todense") else row).ravel()
        of_class = (1 if code else -1) * coefficients[0] if len(coefficients) == 1 else coefficients[code]
        parts: list[Part] = []
        for column, (vectorizer, first) in words.items():
            text = str(X[column].iloc[at])
            for word in WORD.finditer(text):
                feature = vectorizer.vocabulary_.get(word[0].lower())
                if feature is not None:
                    worth = float(values[first + feature] * of_class[first + feature])
                    parts.append((column, word.start(), word.end(), worth))
        weights.append(parts)
    return weights


def _words_of(prepared: Any, columns: Sequence[str]) -> dict[str, tuple[Any, int]] | None:
    """The vectorizer of each text column with its first feature, where all of them count single words."""
    if not hasattr(prepared, "transformers_") or not hasattr(prepared, "output_indices_"):
        return None
    found = {}
    for name, transformer, column in prepared.transformers_:
        is_words = getattr(transformer, "analyzer", None) == "word" and hasattr(transformer, "vocabulary_")
        if is_words and transformer.ngram_range == (1, 1) and isinstance(column, str):
            found[column] = transformer, prepared.output_indices_[name].start
    return found if set(columns) <= set(found) else None


def _occluded(model: Any, X: pd.DataFrame, leading: Array, columns: Sequence[str]) -> list[list[Part]]:
    """What the score of each row's class loses without a word, or without a passage where there are many words."""
    texts = {column: [str(value) for value in X[column]] for column in columns}
    units = [unit for at in range(len(X)) for unit in _units_of_row(at, texts)]
    if not units:
        return [[] for _ in range(len(X))]
    rows = np.array([at for at, _, _ in units])
    without = X.iloc[rows].copy()  # all of them at once: models prepare columns once
    for column, values in texts.items():
        cut = [_cut(values[at], group) if column == name else values[at] for at, name, group in units]
        without[column] = pd.Series(cut, index=without.index, dtype=X[column].dtype)
    codes = leading[rows]
    lost = _scores(model, X)[rows, codes] - _scores(model, without)[np.arange(len(units)), codes]
    parts: list[list[Part]] = [[] for _ in range(len(X))]
    for (at, column, group), worth in zip(units, lost, strict=True):
        parts[at] += [(column, start, end, float(worth)) for start, end in group]
    return parts


def _units_of_row(at: int, texts: Mapping[str, Sequence[str]]) -> list[tuple[int, str, list[tuple[int, int]]]]:
    """A row, one of its columns, and places in it that are left out together."""
    length = sum(len(values[at]) for values in texts.values())
    limit = int(np.clip(MAX_READ // max(1, length), MIN_PARTS, MAX_PARTS)) // len(texts)
    return [(at, column, group) for column, values in texts.items() for group in _units(values[at], max(1, limit))]


def _units(text: str, limit: int) -> list[list[tuple[int, int]]]:
    """Where the parts of a text are that are left out together: all places of a word, or a passage."""
    spans = [word.span() for word in WORD.finditer(text)]
    places: dict[str, list[tuple[int, int]]] = {}
    for start, end in spans:
        places.setdefault(text[start:end].lower(), []).append((start, end))
    if len(places) <= limit:
        return list(places.values())
    length = -(-len(spans) // limit)
    passages = [spans[at : at + length] for at in range(0, len(spans), length)]
    return [[(passage[0][0], passage[-1][1])] for passage in passages]


def _cut(text: str, group: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in group:
        parts.append(text[at:start])
        at = end
    return "".join([*parts, text[at:]])


def _strongest(parts: Sequence[Part], texts: Mapping[str, str]) -> dict[str, list[Span]]:
    """The words with the most weight, in the order of the text; places are in units of UTF-16, as a page counts."""
    speaking = {(column, texts[column][start:end].lower()): worth for column, start, end, worth in parts if worth > 0}
    if not speaking:
        return {}
    largest = max(speaking.values())
    strongest = sorted(speaking.items(), key=lambda pair: -pair[1])[:MAX_WORDS]
    chosen = {word: worth for word, worth in strongest if worth >= WEAKEST * largest}
    spans: dict[str, list[Span]] = {}
    for column, start, end, _ in parts:
        worth = chosen.get((column, texts[column][start:end].lower()))
        if worth is not None:
            strength = 1 + int(min(2, 3 * worth / largest))
            text = texts[column]
            spans.setdefault(column, []).append((_utf16(text[:start]), _utf16(text[:end]), strength))
    return {column: sorted(places) for column, places in spans.items()}


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def row_hints(
    model: Any, pool: Any, rows: Sequence[int], texts: Sequence[str], wanted: Mapping[str, bool]
) -> dict[str, Any]:
    """What a page shows of these rows; nothing is computed that is not wanted. Before a race, ``model`` is None."""
    hints: dict[str, Any] = {"on": dict(wanted), "likely": {}, "words": {}}
    if model is None or not len(rows):
        return hints
    X = pool.iloc[list(rows)] if hasattr(pool, "iloc") else pool[list(rows)]
    if wanted["likely"]:
        hints["likely"] = dict(zip(rows, likely_classes(model, X), strict=True))
    if wanted["words"]:
        hints["words"] = dict(zip(rows, speaking_words(model, X, texts), strict=True))
    return hints
