"""The words of a model are one part of its file, and come back as they were."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from foldless import FoldlessSearch
from foldless.errors import BadInput
from foldless.saving import model_files
from foldless.saving._words import written_as_one

TEXTS = [f"word{at} thing{at % 3} {'good' if at % 2 else 'bad'}" for at in range(60)]
LABELS = np.arange(60) % 2


def trained(max_features: int | None = None):
    return make_pipeline(TfidfVectorizer(max_features=max_features), LogisticRegression()).fit(TEXTS, LABELS)


@pytest.mark.parametrize("max_features", [None, 40])
def test_a_model_of_texts_comes_back(tmp_path: Path, max_features: int | None) -> None:
    pipeline = make_pipeline(TfidfVectorizer(max_features=max_features), LogisticRegression())
    search = FoldlessSearch(pipeline, {"logisticregression__C": [1.0]}, criterion="k_fold", estimate=False)
    model = search.fit(TEXTS, LABELS).best_estimator_
    words = model[0].vocabulary_
    model_files.save(search.selection_, tmp_path / "m.skops")
    assert model[0].vocabulary_ is words
    again = model_files.load(tmp_path / "m.skops").model
    assert type(again[0].vocabulary_) is dict
    assert again[0].vocabulary_ == words
    np.testing.assert_array_equal(again.predict_proba(TEXTS), model.predict_proba(TEXTS))


def test_a_file_has_no_part_for_each_word(tmp_path: Path) -> None:
    """Of the most frequent words scikit-learn has a number each that skops writes as an array."""
    model_files.keep(trained(40), tmp_path / "m.skops", [0, 1], {})
    with zipfile.ZipFile(tmp_path / "m.skops") as archive:
        assert len(archive.namelist()) < 20
        assert len(json.dumps(json.loads(archive.read("schema.json")))) < 20_000


def test_a_model_can_be_asked_while_it_is_written() -> None:
    model = trained()
    before = model.predict_proba(TEXTS)
    with written_as_one(model):
        np.testing.assert_array_equal(model.predict_proba(TEXTS), before)


def test_words_that_are_no_columns_in_a_row_are_written_as_they_are(tmp_path: Path) -> None:
    model = make_pipeline(CountVectorizer(), LogisticRegression()).fit(TEXTS, LABELS)
    model[0].vocabulary_["bad"] = 10**6
    with pytest.raises(BadInput, match="CountVectorizer that foldless cannot check"):
        model_files.keep(model, tmp_path / "m.skops", [0, 1], {})
