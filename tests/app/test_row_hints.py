"""Likely classes, and the words that speak for the leading one, of linear models and of others."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from foldless.app._row_hints import likely_classes, row_hints, speaking_words

TEXTS = ["Apple pie 😀 apple", "pie and plum", "plum the plum", "the cherry", "cherry and the pie"] * 4
FRUITS = np.array(["apple", "plum", "plum", "cherry", "cherry"] * 4)
FRAME = pd.DataFrame({"text": TEXTS, "n": 0.0})
BOTH = {"likely": True, "words": True}


def fitted(model, **words):
    columns = ColumnTransformer([("n", "passthrough", ["n"]), ("text", TfidfVectorizer(**words), "text")])
    return make_pipeline(columns, model).fit(FRAME, FRUITS)


@pytest.mark.parametrize(
    "model",
    [fitted(LogisticRegression(C=100)), fitted(LinearSVC()), fitted(MultinomialNB(alpha=0.1)),
     fitted(LogisticRegression(C=100), analyzer="char_wb", ngram_range=(2, 3))],
)  # fmt: skip
def test_the_word_of_a_class_speaks_for_it(model):
    marked = speaking_words(model, FRAME.iloc[:5], ["text"])
    for text, fruit, of_row in zip(TEXTS[:5], FRUITS[:5], marked, strict=True):
        units = text.encode("utf-16-le")
        strongest = {
            units[2 * a : 2 * b].decode("utf-16-le").lower() for a, b, strength in of_row["text"] if strength == 3
        }
        assert strongest == {fruit}
        places = [(a, b) for a, b, _ in of_row["text"]]
        assert all(end <= start for (_, end), (start, _) in pairwise(places))


def test_two_classes_have_the_words_of_the_leading_one():
    two = FRUITS[:]
    model = fitted(LinearSVC())
    model.fit(FRAME, two == "apple")
    marked = speaking_words(model, FRAME.iloc[[0, 3]], ["text"])
    words = [[TEXTS[at][a:b] for a, b, s in row["text"] if s == 3] for at, row in zip((0, 3), marked, strict=True)]
    assert words[0][0] == "Apple"
    assert "cherry" in words[1]


def test_likely_classes_come_in_their_order():
    assert [each[0] for each in likely_classes(fitted(MultinomialNB(alpha=0.1)), FRAME.iloc[:5])] == FRUITS[:5].tolist()
    assert [each[0] for each in likely_classes(fitted(LinearSVC()), FRAME.iloc[:5])] == FRUITS[:5].tolist()


def test_passages_of_long_texts_are_marked():
    filler = " ".join(f"w{at}" for at in range(2000))
    long = pd.DataFrame({"text": [f"{filler} cherry cherry cherry {filler}"], "n": 0.0})
    (of_row,) = speaking_words(fitted(MultinomialNB(alpha=0.1)), long, ["text"])
    start, end, _ = next(span for span in of_row["text"] if span[2] == 3)
    assert "cherry" in long["text"][0][start:end]
    assert end - start < 4000


def test_nothing_is_computed_that_nobody_wants():
    nothing = {"on": {"likely": False, "words": False}, "likely": {}, "words": {}}
    assert row_hints(object(), FRAME, [1, 2], ["text"], nothing["on"]) == nothing
    assert row_hints(None, FRAME, [1, 2], ["text"], BOTH) == {**nothing, "on": BOTH}
    hints = row_hints(fitted(LinearSVC()), FRAME, [3, 1], ["text"], BOTH)
    assert hints["likely"][3][0] == "cherry"
    assert set(hints["words"]) == {1, 3}
    assert row_hints(fitted(LinearSVC()), FRAME, [3], [], BOTH)["words"] == {3: {}}
