from collections import Counter

from foldless.data._label_spelling import near_equal, one_spelling, spelling_findings, spelling_key, strange_spellings

LABELS = ["stays"] * 5 + ["STAYS "] * 2 + ["goes"] * 3 + [" Goes"] + ["other"]


def test_names_are_equal_but_for_case_spaces_and_unicode_form() -> None:
    assert spelling_key("Straße  A") == spelling_key(" strasse a")
    assert spelling_key("ﬁt") == spelling_key("FIT")
    assert spelling_key("a b") != spelling_key("ab")
    assert near_equal(Counter(LABELS)) == [[("stays", 5), ("STAYS ", 2)], [("goes", 3), (" Goes", 1)]]
    assert not near_equal(Counter([1, 2, "a", "b"]))


def test_a_class_has_its_most_frequent_name_or_the_known_one() -> None:
    assert one_spelling(LABELS) == {
        "stays": "stays", "STAYS ": "stays", "goes": "goes", " Goes": "goes", "other": "other"
    }  # fmt: skip
    assert one_spelling(["a", "a", "A"], ["A", 3]) == {"a": "A", "A": "A"}


def test_labels_that_are_no_class_but_for_their_spelling() -> None:
    assert strange_spellings(LABELS, ["stays", "goes"]) == [[("stays", 5), ("STAYS ", 2)], [("goes", 3), (" Goes", 1)]]
    assert not strange_spellings(LABELS, ["stays", "STAYS ", "goes", " Goes"])


def test_the_sentence_has_counts() -> None:
    (finding,) = spelling_findings(near_equal(Counter(LABELS)), "kind", remedy="merge")
    assert finding == (
        "classes 'stays' (5) and 'STAYS ' (2), also 'goes' (3) and ' Goes' (1), differ by case and spaces only: merge"
    )
    assert (finding.code, finding.columns) == ("FL002", ("kind",))
    assert not spelling_findings([], "kind")
    many = [[(f"{at}a", 1), (f"{at}A", 1)] for at in range(5)]
    assert ", and 2 more, differ" in spelling_findings(many, None, merged=True)[0]
