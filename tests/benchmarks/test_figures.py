"""Tables of the pages are those of the results."""

import pandas as pd
from benchmarks import figures
from benchmarks.league import end_to_end_page


def test_no_table_differs_from_its_results():
    assert figures.stale() == []


def test_every_table_has_a_page():
    text = "\n".join(page.read_text(encoding="utf-8") for page in figures.pages())
    assert {at["name"] for at in figures.MARKED.finditer(text)} == set(figures.TABLES)


def test_a_number_that_was_typed_by_hand_is_found(monkeypatch):
    monkeypatch.setitem(figures.TABLES, "end to end", lambda: "| | .999 |")
    assert figures.stale() == ["docs/portfolio.md"]
    assert figures.filled("a\n<!-- figures: end to end -->\nold\n<!-- end of figures -->\nb") == (
        "a\n<!-- figures: end to end -->\n| | .999 |\n<!-- end of figures -->\nb"
    )


def test_differences_are_means_over_sets_that_both_ran():
    ran = [("foldless", "a", 0, 0.8), ("SVM", "a", 0, 0.7), ("foldless", "a", 1, 0.9), ("SVM", "a", 1, 0.6)]
    ran += [("foldless", "b", 0, 0.5), ("SVM", "b", 0, 0.6), ("foldless", "c", 0, 0.1)]
    table = pd.DataFrame(ran, columns=["row", "set", "seed", "accuracy"]).assign(n=20)
    assert end_to_end_page.gains(table, "SVM").round(6).to_dict() == {"a": 20.0, "b": -10.0}
    assert end_to_end_page.gains(table, "AutoGluon medium").empty
