"""foldless.check of arrays, texts, sparse rows, frames and searches; how much faults matter."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from foldless import FoldlessSearch, check
from foldless.errors import BadInput

rng = np.random.default_rng(0)
N = 120
y = rng.integers(2, size=N)
X = rng.normal(size=(N, 3)) + y[:, None] * [1.0, 0.5, 0]
FAST = {"fast": True, "random_state": 0}


def unread(findings):
    return [reason for reason in findings.not_applicable.values() if reason.startswith("rows cannot be read")]


def test_clean_arrays_have_no_issue():
    findings = check(
        X, y, X_unlabeled=rng.normal(size=(200, 3)) + rng.integers(2, size=(200, 1)) * [1.0, 0.5, 0], **FAST
    )
    assert findings.issues == ()
    assert unread(findings) == []
    assert findings.about == "the labels 120 rows, the pool 200 rows, 3 columns (3 numbers), 2 classes"


@pytest.mark.parametrize("kind", [sparse.csr_array, pd.DataFrame, np.asarray])
def test_copies_are_found_in_all_containers(kind):
    rows = np.vstack([X, X[:8]])
    findings = check(kind(rows), np.append(y, y[:8]), **FAST)
    assert "FL004" in {finding.code for finding in findings.issues}
    assert unread(findings) == []


def test_texts_are_a_column():
    texts = [" ".join(rng.choice([f"word{at}" for at in range(200)], 9)) for _ in range(60)]
    findings = check([*texts, *(text.upper() for text in texts[:5])], np.arange(65) % 2, **FAST)
    assert "FL009" in {finding.code for finding in findings.issues}
    assert unread(findings) == []


def test_numbers_to_predict_are_checked_too():
    findings = check(np.vstack([X, X[:8]]), rng.normal(size=N + 8), **FAST)
    assert "FL004" in {finding.code for finding in findings.issues}
    assert findings.not_applicable["FL001"] == "labels are numbers to predict, not classes"
    assert findings.about.endswith("numbers to predict")


@pytest.mark.slow
def test_a_leak_and_copies_matter_as_much_as_they_do():
    """Labels are coins: copies and a leak are all that a model can know."""
    coins = np.random.default_rng(1).integers(2, size=100)
    rows = pd.DataFrame(np.random.default_rng(2).normal(size=(100, 3)), columns=list("abc"))
    three = pd.concat([rows] * 4, ignore_index=True)
    findings = check(three, np.tile(coins, 4), time_budget=1e4, random_state=0)
    (copies,) = [entry for entry in findings.entries if entry.finding.code == "FL004"]
    assert copies.impact.before > 0.9
    assert copies.impact.after < 0.65
    assert copies.impact.beyond_noise
    leaking = check(rows.assign(status=coins + 0.01 * rng.normal(size=100)), coins, time_budget=1e4, random_state=0)
    assert leaking.entries[0].finding.code == "FL011"
    assert leaking.entries[0].impact.before > 0.95
    assert leaking.entries[0].impact.after < 0.65
    assert any("without column" in str(note) for note in leaking.notes)


def test_the_pool_may_have_other_columns():
    frame = pd.DataFrame(X, columns=list("abc"))
    findings = check(frame, y, X_unlabeled=frame.drop(columns="a").assign(b="words", d=1.0), **FAST)
    sentences = [finding.problem for finding in findings.issues if finding.code == "FL025"]
    assert sentences == [
        'column "a" of the labels is not in the pool',
        'column "b" holds numbers in the labels and words in the pool',
    ]
    unread = [finding.problem for finding in findings.tips if finding.code == "FL025"]
    assert unread == ['column "d" of the pool is not in the labels']
    with pytest.raises(BadInput, match="no column in common"):
        check(frame, y, X_unlabeled=pd.DataFrame({"z": [1.0] * 20}))


def test_a_search_is_looked_at_too():
    search = FoldlessSearch(LogisticRegression(), {"C": [1e-6, 1e-5, 1e-4]}, criterion="k_fold", random_state=0).fit(
        X, y
    )
    findings = check(X, y, search=search, **FAST)
    assert "FL026" not in findings.not_applicable
    with pytest.raises(BadInput, match="search must be"):
        check(X, y, search="mine")


def test_rows_without_a_label_are_the_pool():
    marked = np.where(np.arange(N) < 80, y, -1)
    findings = check(X, marked, unlabeled=-1, **FAST)
    assert findings.about.startswith("the labels 80 rows, the pool 40 rows")


def test_without_time_nothing_is_measured():
    findings = check(np.vstack([X, X[:8]]), np.append(y, y[:8]), time_budget=1e-9, random_state=0)
    assert {entry.untold for entry in findings.entries if entry.finding.code == "FL004"} == {
        "the time budget was spent"
    }


@pytest.mark.slow
def test_numbers_to_predict_are_measured_by_r2():
    """Three of four rows are copies, and a model that knows their twins seems better than it is."""
    draws = np.random.default_rng(3)
    rows = draws.normal(size=(80, 3))
    target = rows[:, 0] + draws.normal(size=80)
    findings = check(np.tile(rows, (4, 1)), np.tile(target, 4), time_budget=1e4, random_state=0)
    (copies,) = [entry for entry in findings.entries if entry.finding.code == "FL004"]
    assert copies.impact.quantity == "R²"
    assert str(copies.impact).startswith("R² ")
    assert copies.impact.before > copies.impact.after + 0.1
    assert copies.impact.beyond_noise


def test_checks_for_which_there_was_no_time_are_named():
    """A leak that was not looked for is no leak that was not found: it happened on a busy machine."""
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame(rng.normal(size=(100, 3)), columns=list("abc")), rng.integers(2, size=100)
    findings = check(X.assign(closed=np.where(y, "no", "yes")), y, time_budget=1e-9, random_state=0)
    assert {"FL011", "FL012", "FL027", "FL029"} <= set(findings.skipped)
    assert "FL011" not in findings.not_applicable
    assert [note for note in findings.notes if "FL011, FL012, FL027 and FL029" in note and "time budget" in note]
    assert check(X, y, fast=True, random_state=0).notes == ()
