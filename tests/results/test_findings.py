"""Findings as a table, as plain data and as text."""

import json

import pytest

from foldless.results import CheckedFinding, Finding, Findings, Impact

CHANGE = Impact(0.91, 0.86, -0.08, -0.02, "with one of each", "logistic-regression", 300)


@pytest.fixture
def findings():
    copies = CheckedFinding(
        Finding("FL004", "14 rows appear more than once", rows=range(14), remedy="keep one"), "issue", CHANGE
    )
    dates = CheckedFinding(Finding("FL021", "later dates", columns=["when"]), "tip", untold="no label is of that time")
    return Findings(
        (copies, dates), {"FL001": "rare classes"}, {"FL006": "there is no pool"}, {"FL012": "errors"}, {}, "300 rows"
    )


def test_the_table_has_the_estimate_before_and_after(findings):
    table = findings.table()
    assert table["code"].tolist() == ["FL004", "FL021"]
    assert table["before"].tolist()[0] == 0.91
    assert table["impact"].tolist() == ["accuracy .91 → .86 with one of each", "no label is of that time"]
    assert list(Findings().table().columns) == list(table.columns)


def test_issues_and_tips_are_told_apart(findings):
    assert [finding.code for finding in findings.issues] == ["FL004"]
    assert [finding.code for finding in findings.tips] == ["FL021"]


def test_everything_is_plain_data(findings):
    plain = json.loads(json.dumps(findings.to_dict()))
    assert plain["findings"][0]["impact"]["after"] == 0.86
    assert plain["findings"][0]["rows"] == list(range(14))
    assert plain["findings"][1]["untold"] == "no label is of that time"
    assert plain["not_applicable"] == {"FL006": "there is no pool"}


def test_as_text_it_has_a_line_each(findings):
    lines = str(findings).splitlines()
    assert lines[0] == "300 rows"
    assert lines[1] == "FL004 issue  14 rows appear more than once; accuracy .91 → .86 with one of each"
    assert lines[3] == "1 more check found nothing; 1 does not apply; 1 skipped as they take time"


def test_a_change_within_noise_says_so():
    assert str(Impact(0.5, 0.52, -0.02, 0.06, "without it", "m", 60)).endswith("(within noise)")
    assert not Impact(0.5, 0.52, -0.02, 0.06, "without it", "m", 60).beyond_noise


def test_a_notebook_shows_the_table(findings):
    html = findings._repr_html_()
    assert "FL004" in html
    assert "accuracy .91 → .86" in html
