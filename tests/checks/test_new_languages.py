"""FL024: languages of texts, by their frequent words and their script."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply
from foldless.checks._new_languages import FREQUENT, language_of


@pytest.mark.parametrize("language", FREQUENT)
def test_frequent_words_name_a_language(language):
    assert language_of(" ".join(FREQUENT[language].split()[:12])) == language


@pytest.mark.parametrize(
    ("text", "script"), [("мама мыла раму", "Cyrillic"), ("日本", "Han"), ("12 34", None), ("xyz", None)]
)
def test_other_scripts_are_known(text, script):
    assert language_of(text) == script


def texts(n, words, seed=0):
    rng = np.random.default_rng(seed)
    return [f"{' '.join(rng.choice(words.split(), 10))} {rng.integers(10**6)}" for _ in range(n)]


def test_a_new_language_is_named():
    english, german = FREQUENT["English"], FREQUENT["German"]
    pool = [*texts(150, english, 1), *texts(60, german, 2)]
    (one,) = diagnoses("FL024", {"text": texts(100, english)}, pool={"text": pool})
    assert one.finding.problem.startswith("the pool has texts in German (")
    assert codes_of("FL024", {"text": texts(100, english)}, pool={"text": texts(150, english, 1)}) == []
    with pytest.raises(DoesNotApply, match="no column of texts"):
        diagnoses("FL024", numbers(20))
