"""Results older than the code they measure are known as such, whatever the history of the repository says."""

import json
import subprocess

import pytest
from benchmarks import ages, figures
from benchmarks.measurements import MEASUREMENTS, QUIET, Measurement


def write(folder, text):
    (folder / "criteria").mkdir(exist_ok=True)
    (folder / "criteria" / "ada.py").write_text(text)
    return ages.digest(["criteria", "criteria/ada.py", "none.py"], folder)


def test_words_do_not_make_results_older_and_code_does(tmp_path):
    first = write(
        tmp_path, '"""A criterion."""\n\nLEAST = 5  # rows\n\n\ndef score():\n    """The score."""\n    return "#"\n'
    )
    assert (
        write(tmp_path, '"""Words."""\nLEAST = 5\ndef score():\n    # why\n    """More."""\n    return "#"\n') == first
    )
    assert write(tmp_path, '"""A criterion."""\n\nLEAST = 6\n\n\ndef score():\n    return "#"\n') != first
    (tmp_path / "criteria" / "ada.py").rename(tmp_path / "criteria" / "tri.py")
    assert ages.digest(["criteria"], tmp_path) != first


def test_every_page_says_how_old_its_results_are(tmp_path, monkeypatch):
    code = ages.digest(MEASUREMENTS["quantify"].measures)
    kept = {"quantify": {"commit": "12345678", "date": "2026-11-16", "code": code}}
    monkeypatch.setattr(ages, "KEPT", tmp_path / "measured.json")
    ages.KEPT.write_text(json.dumps(kept))
    page = "text\n<!-- figures: shares beside QuaPy -->\n<!-- end of figures -->\n"
    monkeypatch.setitem(figures.TABLES, "shares beside QuaPy", lambda: "| |")
    new = figures.filled(page)
    assert new.endswith(
        "\n\n<!-- ages -->\nResults on this page: `quantify`, stored on 2026-11-16 (commit 12345678), by the code as "
        "it is now.\n"
    )
    assert figures.filled(new) == new
    kept["quantify"]["code"] = "other"
    ages.KEPT.write_text(json.dumps(kept))
    old = figures.filled(new)
    assert old != new
    assert old.endswith("(commit 12345678), the code they measure has changed since.\n")


def test_a_page_says_that_what_was_printed_is_not_stored(tmp_path, monkeypatch):
    code = ages.digest(MEASUREMENTS["league"].measures)
    monkeypatch.setattr(ages, "KEPT", tmp_path / "measured.json")
    ages.KEPT.write_text(json.dumps({"league": {"commit": "12345678", "date": "2026-11-16", "code": code}}))
    assert figures.filled("<!-- printed by: league -->\n| |\n").endswith(
        "Results on this page: `league`, printed on 2026-11-16 (commit 12345678) and not stored, by the code as it "
        "is now.\n"
    )


def test_a_page_says_of_which_code_the_short_form_is(tmp_path, monkeypatch):
    line = {"commit": "12345678", "date": "2026-11-16", "code": ages.digest(MEASUREMENTS["league"].measures)}
    monkeypatch.setattr(ages, "KEPT", tmp_path / "measured.json")
    ages.KEPT.write_text(json.dumps({"league": line | {"code": "other"}, "league_short": line}))
    assert ages.sentence(["league"]).count("(commit 12345678)") == 2
    assert "the code they measure has changed since; `league_short`, " in ages.sentence(["league"])
    assert ages.sentence(["league"]).endswith("by the code as it is now.")


@pytest.fixture
def two(tmp_path, monkeypatch):
    """Results of two measurements of modules that are not there, and none of a third."""
    for name in ("MEASUREMENTS", "RESULTS", "KEPT"):
        monkeypatch.setattr(ages, name, {"MEASUREMENTS": {}, "RESULTS": tmp_path}.get(name, tmp_path / "m.json"))
    for at, name in enumerate("abc"):
        ages.MEASUREMENTS[name] = Measurement("", (f"none_{name}.py",), at)
    for name in "ab":
        (tmp_path / name).mkdir()
    lines = {name: {"commit": "1", "date": f"2026-11-1{at}", "code": "old"} for name, at in (("a", 2), ("b", 1))}
    ages.KEPT.write_text(json.dumps(lines))


@pytest.mark.usefixtures("two")
def test_what_was_never_kept_is_measured_first_and_then_the_oldest():
    assert ages.to_measure() == ["c", "b", "a"]
    ages.note("b")
    assert ages.to_measure() == ["c", "a"]
    assert not ages.is_older("b")
    ages.note("a", code="digest when the run began")
    assert ages.is_older("a")


@pytest.mark.usefixtures("two")
def test_results_can_be_of_the_code_of_a_commit():
    ages.MEASUREMENTS["b"] = Measurement("", ("core/vote.py", "core/ask.py"), 1)
    ages.note_of_commit("b", "HEAD")
    line = json.loads(ages.KEPT.read_text())["b"]
    assert len(line["commit"]) >= 8
    assert line["code"] != ages.digest(["core/none.py"])
    assert line["date"] > "2026-11-15"


@pytest.mark.usefixtures("two")
def test_a_refactoring_with_the_same_golden_runs_leaves_results_as_they_are(monkeypatch, tmp_path):
    ages.MEASUREMENTS["a"] = Measurement("", ("core/ask.py",), 1)
    ages.MEASUREMENTS["c"] = Measurement("", ("core/ask.py",), 1, needs=QUIET)
    ages.note_of_commit("a", "HEAD")
    ages.note_of_commit("c", "HEAD")
    before = json.loads(ages.KEPT.read_text())
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "ask.py").write_text("another = 1\n")
    digest = ages.digest
    monkeypatch.setattr(ages, "digest", lambda parts, source=tmp_path: digest(parts, source))
    monkeypatch.setattr(ages, "GOLDEN", tmp_path / "golden.py")
    (tmp_path / "golden.py").write_text("raise SystemExit(2)")
    with pytest.raises(subprocess.CalledProcessError):
        ages.note_rewritten("HEAD")
    assert json.loads(ages.KEPT.read_text()) == before
    (tmp_path / "golden.py").write_text("")
    assert ages.note_rewritten("HEAD") == ["a"]  # b is of other code, and golden runs say nothing of the times of c
    assert ages.is_older("c")
    assert "(commit " + before["a"]["commit"] + "), by code that was rewritten since" in ages.sentence(["a"])
    (tmp_path / "core" / "ask.py").write_text("another = 2\n")
    assert ages.sentence(["a"]).endswith("the code they measure has changed since.")


def test_what_results_measure_is_there():
    assert set(figures.FOLDERS) == set(figures.TABLES)
    assert set(figures.FOLDERS.values()) <= set(MEASUREMENTS)
    assert {folder.name for folder in ages.RESULTS.iterdir() if folder.is_dir()} <= set(MEASUREMENTS)
    for name, measurement in MEASUREMENTS.items():
        assert [part for part in measurement.measures if not (ages.SOURCE / part).exists()] == [], name
