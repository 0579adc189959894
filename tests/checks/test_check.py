"""The seam of checks: codes are unique, levels add up, and each check has a page entry and a test file."""

import os
import re
import time
from pathlib import Path

import numpy as np
import pytest
from helpers.checked_data import data_of, numbers

from foldless.checks._check import FALSE_ISSUES, Diagnosis, check, registered
from foldless.checks._running import run_checks
from foldless.core.time_budget import woken_after
from foldless.errors import BadInput, Overtime
from foldless.results.finding import Finding

DOCS = Path(__file__).parents[2] / "docs" / "check.md"
CHECKS = registered()


def test_all_issues_together_stay_below_one_file_in_twenty():
    assert sum(one.level for one in CHECKS.values() if one.kind == "issue") <= FALSE_ISSUES


def test_codes_are_those_of_the_page_in_order():
    rows = re.findall(r"^\| (FL\d{3})(\*?) \| (issue|tip) \|", DOCS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert [row[0] for row in rows] == list(CHECKS)
    for code, star, kind in rows:
        assert CHECKS[code].kind == kind, code
        assert CHECKS[code].fast == (star == ""), code


@pytest.mark.parametrize("code", CHECKS)
def test_each_check_has_a_test_file(code):
    stem = CHECKS[code].run.__module__.rpartition(".")[2]
    path = Path(__file__).parent / f"test{stem}.py"
    assert path.exists(), path
    assert code in path.read_text(encoding="utf-8")


def test_a_code_is_taken_once():
    with pytest.raises(ValueError, match="there is a check FL004 already"):
        check("FL004", "something else", kind="tip")(lambda data: [])


def test_what_does_not_apply_is_said_and_what_is_ignored_is_not_made():
    findings = run_checks(data_of(numbers(), fast=True), ignore=["FL015"])
    assert findings.not_applicable["FL006"] == "there is no pool"
    assert "FL015" in findings.ignored
    assert "FL012" in findings.skipped
    assert not any(reason.startswith("rows cannot be read") for reason in findings.not_applicable.values())
    every = [*findings.passed, *findings.not_applicable, *findings.skipped, *findings.ignored]
    assert sorted(every + [finding.code for finding in findings.findings]) == sorted(CHECKS)


def test_a_code_that_is_not_there_is_refused():
    with pytest.raises(BadInput, match="there is no check 'FL999'"):
        run_checks(data_of(numbers(), fast=True), ignore=["FL999"])


def test_a_finding_has_the_kind_of_its_check_or_its_own():
    one = CHECKS["FL008"]
    plain = Diagnosis(Finding("FL008", "x"))
    assert one.kind == "issue"
    assert plain.kind is None
    coded = {"patient": np.repeat(np.arange(20), 5).astype(str), **numbers()}
    kinds = {each.kind for each in one.diagnoses(data_of(coded))}
    assert kinds <= {"issue", "tip"}
    assert None not in kinds


@pytest.mark.skipif(os.name == "nt", reason="no timers")
def test_the_time_of_a_caller_ends_all_checks(monkeypatch):
    monkeypatch.setattr(type(CHECKS["FL004"]), "diagnoses", lambda *_: time.sleep(60))
    with pytest.raises(Overtime), woken_after(0.1):
        run_checks(data_of(numbers(20)))
