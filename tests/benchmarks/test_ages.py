"""Results older than the code they measure are known as such, whatever the history of the repository says."""

import json

from benchmarks import ages, figures


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
    kept = {"quantify": {"commit": "12345678", "date": "2026-11-16", "code": ages.digest(ages.MEASURED["quantify"])}}
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


def test_what_results_measure_is_there():
    assert set(figures.FOLDERS) == set(figures.TABLES)
    assert set(figures.FOLDERS.values()) <= set(ages.MEASURED)
    for parts in ages.MEASURED.values():
        assert [part for part in parts if not (ages.SOURCE / part).exists()] == []
