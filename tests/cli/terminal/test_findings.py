"""What was found in the data is printed once with its option, and has its rows in --json and in the report."""

from types import SimpleNamespace

import pytest
from helpers.selections import selection

from foldless.cli import _documents as documents
from foldless.cli.terminal import _printing as printing
from foldless.errors import DropColumns
from foldless.results import Finding

FINDINGS = [
    Finding(f"FL{at:03}", f"{at} rows were found", rows=range(at), remedy=DropColumns(("id",))) for at in range(1, 9)
]


@pytest.fixture
def problem():
    """Files whose reading found the first two; the second was found again in the arrays."""
    return SimpleNamespace(notes=(*FINDINGS[:2], "a plain note"), to_dict=dict, describe=list)


def document(problem, findings):
    points = [{"estimator": "linear-svc", "C": value} for value in (0.1, 1.0)]
    return documents.of_selection(problem, selection(points, [0.7, 0.8]).noting(findings), [], {})


def test_the_document_merges_findings_of_files_and_arrays(problem):
    merged = document(problem, FINDINGS[1:4])
    assert [finding["code"] for finding in merged["findings"]] == ["FL001", "FL002", "FL003", "FL004"]
    assert all("--drop id" in finding["sentence"] for finding in merged["findings"])
    assert merged["findings"][2]["rows"] == [0, 1, 2]
    assert merged["notes"].count(merged["findings"][1]["sentence"]) == 1


def test_a_finding_is_printed_once_and_at_most_five_are(problem, capsys):
    printing.selection({**document(problem, FINDINGS), "model": None}, problem, None)
    shown = capsys.readouterr().out
    for at in range(1, 9):
        assert shown.count(f"{at} rows were found") == (at <= 5)
    assert "  FL005 5 rows were found: leave it out with --drop id\n" in shown
    assert "and 3 more, in --report FILE or --json" in shown
    assert "Note: a plain note" in shown


def test_without_findings_there_is_no_such_part(capsys):
    problem = SimpleNamespace(notes=(), to_dict=dict, describe=list)
    printing.selection(document(problem, []), problem, None)
    assert "Found in the data" not in capsys.readouterr().out
