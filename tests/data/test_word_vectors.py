"""Texts as vectors of words: the nearer in meaning, the nearer; nothing of the vectors is in a saved model."""

import logging
import pickle
import sys

import numpy as np
import pandas as pd
import pytest

from foldless.data import word_vectors
from foldless.data.word_vectors import vectors_installed
from foldless.errors import BadInput
from foldless.portfolio import default_candidates
from foldless.text import WordVectors

TEXTS = ["rain and snow tomorrow", "sleet", "stock prices fell", ""]
needs_vectors = pytest.mark.skipif(not vectors_installed(), reason="needs foldless[text]")


@needs_vectors
def test_words_that_no_text_has_in_common_are_near():
    rows = WordVectors().fit_transform(TEXTS)
    assert rows.shape == (4, 256)
    assert rows[1] @ rows[0] > rows[1] @ rows[2]
    np.testing.assert_allclose((rows**2).sum(axis=1), [1, 1, 1, 0], rtol=1e-5)
    np.testing.assert_array_equal(WordVectors().fit_transform(pd.Series(TEXTS)), rows)
    np.testing.assert_allclose(WordVectors().fit(TEXTS).transform(TEXTS[1:2]), rows[1:2], atol=1e-6)
    assert WordVectors().fit(TEXTS).transform([]).shape == (0, 256)


@needs_vectors
def test_a_model_has_none_of_the_vectors():
    assert len(pickle.dumps(WordVectors().fit(TEXTS))) < 1000


@needs_vectors
def test_loading_them_leaves_messages_of_other_packages_off():
    word_vectors._vectors.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "wordllama"]:
        del sys.modules[name]
    root = logging.getLogger()
    before = root.level, list(root.handlers)
    WordVectors().fit(TEXTS)
    assert (root.level, root.handlers) == before


def test_without_the_package_a_saved_model_says_what_to_install(monkeypatch):
    fitted = WordVectors()
    fitted.n_features_out_ = 256
    word_vectors._vectors.cache_clear()
    monkeypatch.setattr(word_vectors, "PACKAGE", "a_package_that_nobody_has")
    assert not vectors_installed()
    for call in (lambda: fitted.transform(TEXTS), lambda: WordVectors().fit(TEXTS)):
        with pytest.raises(BadInput, match=r"pip install 'foldless\[text\]'"):
            call()


def test_what_is_no_text():
    with pytest.raises(BadInput, match=r"one string for each row, got 3"):
        WordVectors().fit(["a text", 3])


def test_texts_have_them_among_their_models_where_they_are_installed():
    assert ("word-vectors" in default_candidates(TEXTS)) == vectors_installed()
    assert "word-vectors" not in default_candidates(np.eye(4))
