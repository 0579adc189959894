"""Near copies of texts: equal but for spelling, one word, or a few runs of words; texts of one template are none."""

from itertools import combinations

import numpy as np
import pytest
from helpers.checked_data import diagnoses
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from foldless.checks._near_texts import near_texts


def without_each(words):
    return {(*words[:at], *words[at + 1 :]) for at in range(len(words))} | {tuple(words)}


def test_texts_with_nearly_the_same_runs_of_words() -> None:
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(list("abcdefghij"), rng.integers(12))) for _ in range(200)]
    texts += [f"{text} k" for text in texts[:50]]
    texts += [f"{text} k l m" for text in texts[150:200]]
    words = [text.split() for text in texts]
    runs = [{tuple(each[at : at + 3]) for at in range(len(each) - 2)} for each in words]
    shorter = {text: without_each(text.split()) for text in texts}
    alike = [shorter[a] & shorter[b] for a, b in combinations(texts, 2)]
    of_two = {each for each in set().union(*alike) if sum(each in some for some in shorter.values()) == 2}
    near = [
        (a, b)
        for (a, b), same in zip(combinations(range(len(texts)), 2), alike, strict=True)
        if texts[a] == texts[b]
        or (same & of_two)
        or (min(len(runs[a]), len(runs[b])) >= 5 and len(runs[a] & runs[b]) >= 0.9 * len(runs[a] | runs[b]))
    ]
    sets = near_texts(texts).sets
    graph = sparse.coo_matrix((np.ones(len(near)), np.transpose(near)), shape=(len(texts),) * 2)
    expected = connected_components(graph, directed=False)[1]
    assert len(near) > 20
    np.testing.assert_array_equal(sets[:, None] == sets, expected[:, None] == expected)


def test_texts_that_hardly_differ() -> None:
    long = "the quick brown fox jumps over the lazy dog while seven wise owls watch from the old oak tree and sing"
    texts = [
        long,
        long.upper() + " !",
        long.replace(" ", "  "),
        long + " softly",
        long.replace("owls", "cats"),
        long.replace("owls", "cats").replace("lazy", "old"),
        long.replace("quick brown", "slow").replace("old oak", "new elm"),
        "other words",
    ]
    assert near_texts(texts).sets.tolist() == [0, 0, 0, 0, 0, 0, 1, 2]
    sets, changed = near_texts(["Straße", "STRASSE", "ﬁne words", "fine words", "fine work"])
    assert sets.tolist() == [0, 0, 1, 1, 1]
    assert changed.tolist() == [False, False, True, True, True]


def test_texts_that_differ_in_one_place_only_are_a_template() -> None:
    assert near_texts([f"your order {number} is on its way" for number in range(3)]).sets.tolist() == [0, 1, 2]
    assert near_texts([f"your order {number} is on its way" for number in range(2)]).sets.tolist() == [0, 0]
    assert near_texts([]).sets.tolist() == []


WORDS = [f"word{at}" for at in range(40)]


def drawn(rng, n=120, length=22):
    return [" ".join(rng.choice(WORDS, length)) for _ in range(n)]


def with_one(rng, text, other):
    words = text.split()
    words[rng.integers(len(words))] = other
    return " ".join(words)


@pytest.mark.parametrize("other", ["word3", "wrod3"])
@pytest.mark.parametrize("length", [12, 22])
def test_one_word_that_differs_is_found_in_a_small_vocabulary(other, length) -> None:
    rng = np.random.default_rng(length)
    rows = drawn(rng, length=length)
    near = [text if "word3" in text.split() else with_one(rng, text, other) for text in rows[:12]]
    (one,) = diagnoses("FL005", {"text": [*rows, *near]})
    new = {at for at in range(12) if near[at] != rows[at]}
    assert len(new) > 3
    assert set(one.finding.rows) == new | {120 + at for at in new}


def cities(rng):
    return zip(rng.integers(300, size=150), rng.choice(["Rome", "Oslo", "Lima"], 150), strict=True)


CLEAN = {
    "a template": lambda rng: [f"Dear customer, your order {k} has been shipped today" for k in range(150)],
    "a template among others": lambda rng: [
        *drawn(rng),
        *(f"Order {k} was shipped and is on its way" for k in range(60)),
    ],
    "two things in a template": lambda rng: [
        f"Order {k} has been shipped to {city} at last" for k, city in cities(rng)
    ],
    "short answers": lambda rng: [" ".join(rng.choice(WORDS[:8], 4)) for _ in range(150)],
    "two answers": lambda rng: ["yes I do", "no I do not"] * 60,
}


@pytest.mark.parametrize("name", CLEAN)
def test_texts_that_are_near_by_nature_are_no_copies(name) -> None:
    assert [diagnoses("FL005", {"text": CLEAN[name](np.random.default_rng(seed))}) for seed in range(5)] == [[]] * 5
