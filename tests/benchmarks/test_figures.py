"""Tables of the pages are those of the results."""

import re

import pandas as pd
from benchmarks import figures
from benchmarks.league import end_to_end_page


def test_no_table_differs_from_its_results():
    assert figures.stale() == []


def test_every_number_of_a_table_laid_out_by_hand_is_in_its_files():
    assert figures.strangers() == []


def test_a_number_that_is_in_no_file_is_found(tmp_path, monkeypatch):
    (tmp_path / "errors.csv").write_text("set,error,of\na,0.15348,3 of 5\nb,-0.25,\n")
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- numbers of: errors.csv -->\n| | error |\n|---|---|\n| 99 | .153, **15.3** % |\n| b | −.25, 5 |\n"
    )
    for name in ("RESULTS", "ROOT"):
        monkeypatch.setattr(figures, name, tmp_path)
    monkeypatch.setattr(figures, "pages", lambda: [page])
    assert figures.strangers() == []
    page.write_text(page.read_text().replace(".153,", ".154,"))
    assert figures.strangers() == [".154 of page.md is not in errors.csv"]


def test_every_table_has_a_page():
    text = "\n".join(page.read_text(encoding="utf-8") for page in figures.pages())
    assert {at["name"] for at in figures.MARKED.finditer(text)} == set(figures.TABLES)


def test_a_number_that_was_typed_by_hand_is_found(monkeypatch):
    monkeypatch.setitem(figures.TABLES, "end to end", lambda: "| | .999 |")
    assert figures.stale() == ["docs/portfolio.md"]
    assert figures.filled("a\n<!-- figures: end to end -->\nold\n<!-- end of figures -->\nb").startswith(
        "a\n<!-- figures: end to end -->\n| | .999 |\n<!-- end of figures -->\nb\n\n<!-- ages -->\n"
    )


def test_differences_are_means_over_sets_that_both_ran():
    ran = [("foldless", "a", 0, 0.8), ("SVM", "a", 0, 0.7), ("foldless", "a", 1, 0.9), ("SVM", "a", 1, 0.6)]
    ran += [("foldless", "b", 0, 0.5), ("SVM", "b", 0, 0.6), ("foldless", "c", 0, 0.1)]
    table = pd.DataFrame(ran, columns=["row", "set", "seed", "accuracy"]).assign(n=20)
    assert end_to_end_page.gains(table, "SVM").round(6).to_dict() == {"a": 20.0, "b": -10.0}
    assert end_to_end_page.gains(table, "AutoGluon medium").empty


MEASURED = re.compile(r"(?<!\w)\d*\.\d+")
NAMED = re.compile(r"python -m benchmarks\.\w+|make (league|league-peers|check-peers|benchmark|reproduce|fuzz)\b")
WITHOUT_MEASUREMENTS = {"command_line.md", "public.md"}  # grids and versions
EXAMPLES = "| code | kind | what it finds | an example |"


def test_every_table_of_measurements_names_its_source():
    """By a marker, or by a command in its section or at the top of its page."""
    nowhere = []
    for page in figures.pages():
        text = page.read_text(encoding="utf-8")
        first, *sections = re.split(r"(?m)^(?=## )", text)
        for section in [first, *sections]:
            for at in re.finditer(r"(?:^\|.*\n)+", section, flags=re.MULTILINE):
                marked = section[: at.start()].rstrip().endswith("-->")
                named = NAMED.search(section) or NAMED.search(first)
                if len(MEASURED.findall(at[0])) >= 4 and not (marked or named or at[0].startswith(EXAMPLES)):
                    nowhere.append(f"{page.name}: {at[0].splitlines()[0]}")
    assert [line for line in nowhere if line.partition(":")[0] not in WITHOUT_MEASUREMENTS] == []
