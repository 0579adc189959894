"""How probable a text is: by hand, and with what makes it cheap."""

import numpy as np

from foldless.checks._word_order import in_a_row, log_shares, written_again


def test_words_one_behind_the_other() -> None:
    words = in_a_row(["a b", "", "b"])
    assert words.codes.tolist() == [0, 1, 1]
    assert (words.texts.tolist(), words.places.tolist(), words.n_texts) == ([0, 0, 2], [0, 1, 0], 3)


def test_shares_by_hand() -> None:
    """The largest share of a word: of all words, after the last, two behind, after both; at least one of the texts."""
    shares = np.exp(log_shares(in_a_row(["a b c", "a b d", "e f c", "g h i"])))
    a, b, c = shares[:3]
    assert np.isclose(a, 1 / 3)  # of the three other words that begin a text
    assert np.isclose(b, 1)  # of the one other word behind "a"
    assert np.isclose(c, 1 / 4)  # one in four texts: 1 / 11 of the others, and never behind "b" or two behind "a"


def test_a_long_text_is_rare_whatever_its_words() -> None:
    rng = np.random.default_rng(0)
    again = written_again([" ".join(rng.choice(list("abcdefghij"), 30)) for _ in range(100)])
    assert (again.probability < 1e-10).all()
    assert (again.ways == 1).all()


def test_spelling_is_not_another_text() -> None:
    """Else each of them would make the other one probable."""
    texts = ["one two three four", "ONE two, three four!", "five six", "seven eight"]
    np.testing.assert_allclose(written_again(texts).probability[:2], 3.0**-4)


def test_without_the_word_that_is_changed() -> None:
    texts = [*(f"order {number} is here" for number in range(20)), ""]
    every, one = (written_again(texts, np.full(21, changed)) for changed in (False, True))
    np.testing.assert_allclose(every.probability[:20], 1 / 21)
    np.testing.assert_allclose(one.probability, 1)
    assert one.ways.tolist() == [4] * 20 + [1]
