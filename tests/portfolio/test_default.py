"""The preset portfolio reads tables and texts, and its average is a model that saves and predicts."""

import numpy as np
import pandas as pd
import pytest

from foldless import FoldlessSearch
from foldless.data._columns import recognize
from foldless.portfolio import Facts, candidates, default_candidates, with_presets
from foldless.saving.model_files import load, save

WORDS = {"a": "sun moon bright sky", "b": "rain cloud storm wind", "c": "stone sand earth rock"}


def frame(n: int, *, text: bool) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.choice(list("abc"), n)
    x = rng.normal(size=(n, 3)) + 1.5 * np.eye(3)[np.searchsorted(list("abc"), y)]
    columns = pd.DataFrame(x, columns=["x1", "x2", "x3"]).assign(color=rng.choice(["red", "blue"], n))
    if text:
        columns["body"] = [" ".join(rng.choice((WORDS[c] + " the of and").split(), 5)) for c in y]
    return columns, y


def test_texts_have_another_list():
    tables, texts = with_presets("portfolio"), with_presets("portfolio", Facts(text=True))
    assert "gradient-boosting" in tables
    assert "naive-bayes" not in tables
    assert "naive-bayes" in texts
    assert "gradient-boosting" not in texts  # it reads no sparse matrix
    assert tables["pool-features"]
    assert texts["pool-features"]


def test_texts_beside_numbers_have_trees_that_read_both():
    X, y = frame(60, text=True)
    assert "text-components" in default_candidates(X)
    assert "text-components" in candidates("portfolio", recognize(X, "X"))
    for rows in (X[["body"]], X.drop(columns="body"), X["body"].tolist()):
        assert "text-components" not in default_candidates(rows)
    pipeline, grid = default_candidates(X)["text-components"]
    trees = pipeline.set_params(**{key: values[0] for key, values in grid[0].items()})
    both = trees[:-1].fit_transform(X)
    assert isinstance(both, np.ndarray)
    assert 5 < both.shape[1] <= 5 + 50  # three numbers, two colors, directions of words
    assert trees.fit(X[:40], np.unique(y, return_inverse=True)[1][:40]).predict(X[40:]).shape == (20,)


def test_short_texts_have_members_that_read_parts_of_words():
    texts = [f"the cat {at} sat down and birds {at} fly very high" for at in range(20)]
    assert "text-characters" in default_candidates(texts)
    assert "text-characters" in candidates("portfolio", recognize(pd.DataFrame({"body": texts, "at": range(20)}), "X"))
    long = [" ".join([text] * 50) for text in texts]
    for rows, pool in ((long, True), (pd.DataFrame({"body": long}), True), (texts, False)):
        assert "text-characters" not in default_candidates(rows, pool=pool)
    pipeline, _ = default_candidates(texts)["text-characters"]
    once, misspelled = pipeline[:-1].fit(texts).transform(["the birds fly", "the brids flyy"])
    assert once.multiply(misspelled).sum() > 0  # the words that they share are parts of words


@pytest.mark.slow
@pytest.mark.parametrize("text", [False, True])
def test_the_average_is_chosen_saved_and_predicts(text, tmp_path):
    X, y = frame(240, text=text)
    train = np.r_[np.flatnonzero(y != "c")[:39], np.flatnonzero(y == "c")[:1]]  # a class with one row is no error
    rest = np.setdiff1d(np.arange(240), train)
    chosen = candidates("portfolio", recognize(X, "X"))
    search = FoldlessSearch(chosen, criterion="combination", random_state=0)
    search.fit(X.iloc[train], y[train], X_unlabeled=X.iloc[rest[:150]])
    known = rest[150:][y[rest[150:]] != "c"]
    assert search.score(X.iloc[known], y[known]) > 0.7
    assert not search.selection_.failed
    save(search.selection_, tmp_path / "model.skops")
    again = load(tmp_path / "model.skops").model
    np.testing.assert_allclose(again.predict_proba(X.iloc[known]), search.predict_proba(X.iloc[known]))
