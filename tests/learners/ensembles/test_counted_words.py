"""Words that several members know are counted once, and every member gets the numbers it would have made itself."""

from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from foldless.learners.ensembles._counted_words import counting_once
from foldless.learners.ensembles._shared_steps import FirstSteps

RNG = np.random.default_rng(0)
TEXTS = [" ".join(f"w{word}" for word in RNG.zipf(1.3, 30) if word < 500) for _ in range(200)]
Y = np.arange(200) % 2


def columns():
    return ColumnTransformer([("n", StandardScaler(), ["n"]), ("text", TfidfVectorizer(sublinear_tf=True), "text")])


def same(a, b):
    assert a.dtype == b.dtype
    np.testing.assert_array_equal(a.toarray(), b.toarray())


def test_a_part_of_the_rows_knows_a_part_of_the_words():
    large, small = (TfidfVectorizer(sublinear_tf=True).fit(TEXTS[:n]) for n in (150, 40))
    other = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2)).fit(TEXTS[:40])
    with patch.object(CountVectorizer, "transform", autospec=True, side_effect=CountVectorizer.transform) as counted:
        shared = [steps[0].transform(TEXTS) for steps in counting_once([[small], [large], [other]])]
    assert counted.call_count == 2  # the last one reads texts in another way
    for rows, vectorizer in zip(shared, (small, large, other), strict=True):
        same(rows, vectorizer.transform(TEXTS))


def test_other_texts_are_counted_again():
    large, small = (TfidfVectorizer().fit(TEXTS[:n]) for n in (150, 40))
    (first,), (second,) = counting_once([[large], [small]])
    same(first.transform(TEXTS[:9]), large.transform(TEXTS[:9]))
    same(second.transform(TEXTS[9:]), small.transform(TEXTS[9:]))


def test_members_of_frames_answer_as_they_would_alone():
    frame = pd.DataFrame({"n": RNG.normal(size=200), "text": TEXTS})
    members = [make_pipeline(columns(), LinearSVC()).fit(frame[:n], Y[:n]) for n in (150, 40)]
    first = FirstSteps(members, frame)
    for member in members:
        rest, rows = first.behind(member)
        assert rest is member.steps[-1][1]
        np.testing.assert_array_equal(rest.decision_function(rows), member.decision_function(frame))


def test_texts_alone_answer_as_they_would_alone():
    members = [make_pipeline(TfidfVectorizer(), LinearSVC()).fit(TEXTS[:n], Y[:n]) for n in (150, 40)]
    first = FirstSteps(members, TEXTS)
    for member in members:
        rest, rows = first.behind(member)
        np.testing.assert_array_equal(rest.decision_function(rows), member.decision_function(TEXTS))
