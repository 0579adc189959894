"""FL023: words that no labeled text has, in many texts of the pool."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply

WORDS = [f"word{at}" for at in range(60)]


def texts(n, seed=0):
    rng = np.random.default_rng(seed)
    return {"text": [" ".join(rng.choice(WORDS, 8)) for _ in range(n)]}


def test_a_new_word_is_named():
    pool = texts(300, 1)
    pool["text"][:80] = [f"{text} pandemic" for text in pool["text"][:80]]
    (one,) = diagnoses("FL023", texts(100), pool=pool)
    assert "'pandemic' (80)" in one.finding.problem
    assert codes_of("FL023", texts(100), pool=texts(300, 1)) == []
    with pytest.raises(DoesNotApply, match="no column of texts"):
        diagnoses("FL023", numbers(20))
