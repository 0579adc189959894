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


def test_numbers_may_be_in_lines_of_json_and_in_what_was_printed(tmp_path, monkeypatch):
    (tmp_path / "printed.txt").write_text("law 1,234 draws: .971 (0.5 to 7.4e-03), covered 97.5%\n")
    (tmp_path / "draws.jsonl").write_text('{"set": "a", "won": 0.25}\n{"set": "b", "won": 0.75}\n')
    page = tmp_path / "page.md"
    numbers = "| | |\n|---|---|\n| a | 1,234, .971, 0.0074, 97.5 % |\n| mean | .5 ± .25, 0.74 |\n"
    page.write_text(f"<!-- numbers of: printed.txt draws.jsonl -->\n{numbers}")
    for name in ("RESULTS", "ROOT"):
        monkeypatch.setattr(figures, name, tmp_path)
    monkeypatch.setattr(figures, "pages", lambda: [page])
    assert figures.strangers() == []
    page.write_text(f"<!-- numbers of: draws.jsonl -->\n{numbers}")
    assert len(figures.strangers()) == 5


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
WITHOUT_MEASUREMENTS = {"command_line.md", "public.md"}  # grids and versions
NO_MEASUREMENTS = (
    "| code | kind | what it finds",
    "| test | what it sees",
    "| claim |",
)  # `claim`: of the tables below it
TESTED = "make fuzz"  # what tests measure


def test_every_table_of_measurements_names_its_source():
    """By a marker; what tests measure is named in the section."""
    nowhere = []
    for page in figures.pages():
        for section in re.split(r"(?m)^(?=## )", page.read_text(encoding="utf-8")):
            for at in re.finditer(r"(?:^\|.*\n)+", section, flags=re.MULTILINE):
                named = section[: at.start()].rstrip().endswith("-->") or TESTED in section
                if len(MEASURED.findall(at[0])) >= 4 and not named and not at[0].startswith(NO_MEASUREMENTS):
                    nowhere.append(f"{page.name}: {at[0].splitlines()[0]}")
    assert [line for line in nowhere if line.partition(":")[0] not in WITHOUT_MEASUREMENTS] == []


def test_the_points_of_the_readme_are_those_of_the_page_on_the_default_model():
    points = re.compile(r"[+−][\d.]+ ± [\d.]+")
    table = re.search(
        r"<!-- printed by: end_to_end -->\n((?:\|.*\n)+)", (figures.ROOT / "README.md").read_text("utf-8")
    )
    assert set(points.findall(table[1])) <= set(points.findall(figures.TABLES["end to end, differences"]()))
    assert len(points.findall(table[1])) >= 5
