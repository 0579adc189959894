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


SENTENCES = [f"this is the sentence of number {at} that we wrote before" for at in range(20)]
BY_CHANCE = {
    "answers": lambda rng: rng.choice(["yes I do", "no I do not", "I do not know at all", "maybe some other day"], 150),
    "a template": lambda rng: [f"Order {k} was shipped to your address" for k in rng.integers(1000, size=150)],
    "two things in a template": lambda rng: [
        f"Machine {a} failed with code {b} and was repaired" for a, b in rng.integers(20, size=(150, 2))
    ],
    "two sentences of twenty": lambda rng: [" ".join(rng.choice(SENTENCES, 2)) for _ in range(150)],
    "a few words": lambda rng: [" ".join(rng.choice(WORDS[:10], 4)) for _ in range(200)],
    "yes and no": lambda rng: [" ".join(rng.choice(["yes", "no"], 10)) for _ in range(200)],
}


def respelled(rows, rng):
    return [text.upper() + " !" if rng.random() < 0.5 else text for text in rows]


@pytest.mark.parametrize("length", [8, 12, 22])
def test_the_order_of_words_tells_copies_in_a_small_vocabulary(length):
    rng = np.random.default_rng(0)
    rows = [" ".join(rng.choice(WORDS[:40], length)) for _ in range(188)]
    (one,) = diagnoses("FL009", {"text": [*rows, *(text.upper() for text in rows[:12])]})
    assert one.finding.rows == (*range(12), *range(188, 200))
    assert len(diagnoses("FL004", {"text": [*rows, *rows[:12]]})[0].finding.rows) == 24


@pytest.mark.parametrize("name", BY_CHANCE)
def test_texts_that_repeat_by_chance_are_no_copies(name):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        rows = list(BY_CHANCE[name](rng))
        assert len(set(rows)) < len(rows)
        assert codes_of("FL009", {"text": respelled(rows, rng)}) == []
        assert codes_of("FL004", {"text": rows}) == []
        assert codes_of("FL005", {"text": respelled(rows, rng)}) == []


def test_texts_of_a_pool_that_repeat_by_chance_are_no_copies():
    rng = np.random.default_rng(0)
    rows = [" ".join(rng.choice(SENTENCES, 2)) for _ in range(150)]
    pool = {"text": rows[50:]}
    assert [codes_of(code, {"text": rows[:50]}, pool=pool) for code in ("FL006", "FL030")] == [[], []]
    pool["text"] = [*texts(100, seed=1), *texts(100, seed=1)[:5], *texts()[:5]]
    assert [codes_of(code, {"text": texts()}, pool=pool) for code in ("FL006", "FL030")] == [["FL006"], ["FL030"]]


def test_other_columns_count_too():
    rows, extra = texts(), numbers(64, 1)["x0"]
    both = {"text": [*rows, *(text.upper() for text in rows[:4])], "x": extra}
    assert codes_of("FL009", both) == []
    both["x"] = np.append(extra[:60], extra[:4])
    assert codes_of("FL009", both) == ["FL009"]


def test_it_needs_texts():
    with pytest.raises(DoesNotApply, match="no column of texts"):
        diagnoses("FL009", numbers(20))
