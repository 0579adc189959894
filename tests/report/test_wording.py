import numpy as np
import pytest

from foldless.errors import counted
from foldless.report._wording import clean, cut, inner, number, shorten, value_text


def test_what_no_document_may_hold_becomes_a_sign():
    assert clean("a\x00b\x1bc\x7fd") == "a␀b␛c␡d"
    assert clean("\ud800\uffff\x9b") == "\ufffd" * 3
    clean("\ud800 \x00 \uffff").encode("utf-8")


def test_line_breaks_stay_only_where_they_are_wanted():
    assert clean("a\nb\tc\u2028d") == "a b c d"
    assert clean("a\nb\r", lines=True) == "a\nb "


def test_emoji_and_right_to_left_text_are_left_alone():
    assert clean("👩‍👩‍👧 שלום 漢字 $x$") == "👩‍👩‍👧 שלום 漢字 $x$"


@pytest.mark.parametrize("length", [10, 11, 40])
def test_long_names_keep_both_ends(length):
    short = shorten("begin" + "x" * 10_000 + "end", length)
    assert len(short) == length
    assert short.startswith("begin")
    assert short.endswith("end")
    assert shorten("x" * length, length) == "x" * length


def test_cut_says_how_much():
    assert cut("abcdef", 4) == "abcd… (2 more characters)"
    assert cut("abcd", 4) == "abcd"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1, "0.1"), (np.float64(1e-5), "1e-05"), (np.int64(3), "3"), ("l2", "l2"), (None, "None"), ((1, 2), "(1, 2)")],
)
def test_values_as_one_writes_them(value, text):
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.95, "0.9500"), (-0.5, "−0.5000"), (0.0, "0.0000"), (1.5e-7, "1.5e−07"), (123456.0, "1.235e+05"),
     (np.nan, "–"), (np.inf, "+∞"), (-np.inf, "-∞")],
)  # fmt: skip
def test_numbers(value, text):
    assert number(value) == text


def test_counts_have_their_noun():
    assert (counted(1, "fit"), counted(2000, "fit"), counted(2, "class", "classes")) == (
        "1 fit",
        "2,000 fits",
        "2 classes",
    )


@pytest.mark.parametrize(
    ("names", "apart"),
    [
        (["svm(C=1)", "svm(C=10)"], ["C=1", "C=10"]),
        (["svm(C=1)", "nb(alpha=1)"], ["svm(C=1)", "nb(alpha=1)"]),
        (["svm(C=1)"], ["svm(C=1)"]),
        (["svm", "svm(C=1)"], ["svm", "svm(C=1)"]),
        (["C=1", "C=(2)"], ["C=1", "C=(2)"]),
    ],
)
def test_names_are_shown_by_what_differs(names, apart):
    assert inner(names) == apart
