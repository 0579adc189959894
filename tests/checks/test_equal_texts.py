"""FL009: texts that differ by case and punctuation only are copies; short categories are not."""

import numpy as np
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless.checks._check import DoesNotApply

WORDS = [f"word{at}" for at in range(200)]


def texts(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, 8)) for _ in range(n)]


def test_other_spellings_are_copies():
    rows = texts()
    (one,) = diagnoses("FL009", {"text": [*rows, *(f"{text.upper()} !" for text in rows[:4])]})
    assert one.finding.rows == (0, 1, 2, 3, 60, 61, 62, 63)
    assert codes_of("FL009", {"text": rows}) == []
    assert codes_of("FL009", {"text": [*rows, *rows[:4]]}) == []  # FL004 names exact copies


def test_other_columns_count_too():
    rows, extra = texts(), numbers(64, 1)["x0"]
    both = {"text": [*rows, *(text.upper() for text in rows[:4])], "x": extra}
    assert codes_of("FL009", both) == []
    both["x"] = np.append(extra[:60], extra[:4])
    assert codes_of("FL009", both) == ["FL009"]


def test_it_needs_texts():
    with pytest.raises(DoesNotApply, match="no column of texts"):
        diagnoses("FL009", numbers(20))
