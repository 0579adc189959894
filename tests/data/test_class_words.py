"""Features by hand: which words are kept, their weights, and the length of rows."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldless import FoldlessSearch
from foldless.data.class_words import WORD, ClassWordTransformer, ClassWordVectorizer, frequent
from foldless.errors import BadInput
from foldless.learners import LinearSVC

DOCUMENTS = ["wheat wheat wheat corn ship", "wheat corn; (corn)", "gold gold silver", "gold: ship. The end!", "gold"]
Y = ["grain", "grain", "metal", "metal", "metal"]


@parametrize_with_checks([ClassWordTransformer()])
def test_contract(estimator, check):
    check(estimator)


def test_the_most_frequent_words_of_each_class():
    # grain: wheat 4, corn 3, ship 1; metal: gold 4, silver 1, ship 1, end 1
    words = lambda k: ClassWordVectorizer(k).fit(DOCUMENTS, Y).get_feature_names_out().tolist()  # noqa: E731
    assert words(1) == ["gold", "wheat"]
    assert words(2) == ["corn", "end", "gold", "ship", "silver", "wheat"]  # three are tied with the second of metal
    assert words(100) == words(2)
    assert "The" in ClassWordVectorizer(stop_words=None).fit(DOCUMENTS, Y).vocabulary_


def test_values_by_hand():
    vectorizer = ClassWordVectorizer(1)
    features = vectorizer.fit_transform(DOCUMENTS, Y).toarray()
    gold, wheat = np.log(5 / 3), np.log(5 / 2)
    plain = np.zeros((5, 2))
    plain[0, 1], plain[1, 1] = np.log(4) * wheat, np.log(2) * wheat
    plain[2, 0], plain[3, 0], plain[4, 0] = np.log(3) * gold, np.log(2) * gold, np.log(2) * gold
    length = np.mean(plain.sum(axis=1))  # one word each
    assert vectorizer.length_ == pytest.approx(length)
    np.testing.assert_allclose(features, np.where(plain > 0, length, 0))


def test_two_words_keep_their_ratio():
    vectorizer = ClassWordVectorizer(stop_words=None).fit(DOCUMENTS, Y)
    row = vectorizer.transform(["gold gold gold silver"]).toarray()[0]
    at = vectorizer.vocabulary_
    assert row[at["gold"]] / row[at["silver"]] == pytest.approx(np.log(4) * np.log(5 / 3) / (np.log(2) * np.log(5)))
    assert np.linalg.norm(row) == pytest.approx(vectorizer.length_)


def test_a_word_of_every_document_weighs_nothing():
    vectorizer = ClassWordVectorizer()
    features = vectorizer.fit_transform(["tea cup", "tea pot", "tea"], ["a", "b", "b"])
    assert vectorizer.idf_[vectorizer.vocabulary_["tea"]] == 0
    assert features[:, vectorizer.vocabulary_["tea"]].nnz == 0
    assert features[2].nnz == 0  # nothing else in it: it stays zero


def test_rows_of_training_have_the_mean_length():
    vectorizer = ClassWordVectorizer()
    lengths = sparse.linalg.norm(vectorizer.fit_transform([*DOCUMENTS, ""], [*Y, "grain"]), axis=1)
    np.testing.assert_allclose(lengths[:-1], vectorizer.length_)
    assert lengths[-1] == 0
    np.testing.assert_allclose(
        vectorizer.transform(DOCUMENTS).toarray(),
        vectorizer.fit_transform([*DOCUMENTS, ""], [*Y, "grain"]).toarray()[:-1],
    )


def test_unseen_words_and_empty_documents():
    vectorizer = ClassWordVectorizer(1).fit(DOCUMENTS, Y)
    features = vectorizer.transform(["", "platinum", "gold platinum", "GOLD"])
    assert features.shape == (4, 2)
    assert np.diff(features.indptr).tolist() == [0, 0, 1, 0]  # case is kept
    assert ClassWordVectorizer(1, lowercase=True).fit(DOCUMENTS, Y).transform(["GOLD"]).nnz == 1


@pytest.mark.parametrize("held", [np.array, pd.Series, iter, lambda texts: pd.DataFrame({"text": texts})])
def test_a_column_is_as_good_as_a_list(held):
    vectorizer = ClassWordVectorizer(2)
    plain = vectorizer.fit_transform(DOCUMENTS, Y)
    np.testing.assert_array_equal(vectorizer.fit_transform(held(DOCUMENTS), Y).toarray(), plain.toarray())
    np.testing.assert_array_equal(vectorizer.transform(held(DOCUMENTS)).toarray(), plain.toarray())


def test_words_are_cut_as_weka_does():
    vectorizer = ClassWordVectorizer(stop_words=["And"]).fit(['U.S. don\'t-stop (a/b) "q"?x!y\tand AND'], ["a"])
    assert set(vectorizer.vocabulary_) == {"U", "S", "don", "t-stop", "a/b", "q", "x", "y"}


def test_counts_of_all_documents_give_the_same():
    fresh = ["gold ship ship", "copper"]
    counter = CountVectorizer(token_pattern=WORD, lowercase=False).fit([*DOCUMENTS, *fresh])
    counts = counter.transform(DOCUMENTS)
    transformer = ClassWordTransformer(2).fit(counts, Y)
    vectorizer = ClassWordVectorizer(2, stop_words=None).fit(DOCUMENTS, Y)
    names = transformer.get_feature_names_out(counter.get_feature_names_out())
    assert names.tolist() == vectorizer.get_feature_names_out().tolist()
    ours = vectorizer.transform(fresh).toarray()
    np.testing.assert_allclose(transformer.transform(counter.transform(fresh)).toarray(), ours)
    np.testing.assert_allclose(
        transformer.fit_transform(counts, Y).toarray(), vectorizer.transform(DOCUMENTS).toarray()
    )


def test_ties_with_the_last_word_are_kept():
    counts = sparse.csr_matrix([[5, 3, 3, 3, 0], [0, 0, 0, 0, 1]])
    assert frequent(counts, np.array([0, 1]), 2).tolist() == [0, 1, 2, 3, 4]
    assert frequent(counts, np.array([0, 1]), 1).tolist() == [0, 4]


@pytest.mark.slow
def test_in_a_pipeline_in_a_search():
    texts = [
        f"{word} {other} noise{at % 7}" for at, (word, other) in enumerate([("cat", "purr"), ("dog", "bark")] * 20)
    ]
    y = ["cat", "dog"] * 20
    model = make_pipeline(ClassWordVectorizer(), LinearSVC())
    search = FoldlessSearch(
        model, {"classwordvectorizer__words_per_class": [1, 5]}, criterion="dagging", random_state=0
    )
    search.fit(texts[:10], y[:10], X_unlabeled=texts[10:])
    assert search.predict(["a cat", "bark"]).tolist() == ["cat", "dog"]
    assert pickle.loads(pickle.dumps(search)).predict(["a cat"]) == ["cat"]


@pytest.mark.parametrize(
    ("documents", "y", "settings", "message"),
    [
        ("one text", ["a"], {}, r"pass \[text\]"),
        (["a b"], ["x", "y"], {}, "1 documents and 2 classes"),
        (["...", ""], ["x", "y"], {}, "no words"),
        (["the", "and"], ["x", "y"], {}, "stop words"),
        (["cat", "dog"], ["x", "y"], {"stop_words": "french"}, "'french'"),
        (["cat", "dog"], ["x", "y"], {"words_per_class": 0}, "words_per_class"),
        (["cat", "dog"], None, {}, "requires y"),
        (["cat", None], ["x", "y"], {}, "document 1 must be text, got None"),
        (["cat", np.nan], ["x", "y"], {}, "document 1 must be text, got nan"),
        (pd.DataFrame({"a": ["cat"], "b": ["dog"]}), ["x"], {}, "one column of text, got 2"),
    ],
)
def test_what_it_cannot_use(documents, y, settings, message):
    with pytest.raises((BadInput, ValueError), match=message):
        ClassWordVectorizer(**settings).fit(documents, y)
