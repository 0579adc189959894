"""foldless.check of whatever people pass: findings, or one sentence of what is wrong; never another error."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse

from foldless import check
from foldless.errors import FoldlessError

rng = np.random.default_rng(0)
N = 24
NUMBERS = rng.normal(size=(N, 3))
FRAME = pd.DataFrame(NUMBERS, columns=list("abc"))
Y = np.arange(N) % 2
MIXED = FRAME.assign(
    city=np.resize(["Rome", "Oslo"], N), when=pd.date_range("2026-01-01", periods=N), flag=Y == 0,
    none=None, list=[[1, 2]] * N, any=pd.Series([1, "x", None, 2.5] * 6, dtype=object),
    category=pd.Categorical(np.resize(["u", "v"], N)), integer=pd.array([1, None, 3] * 8, dtype="Int64"),
)  # fmt: skip
ARROW = FRAME.assign(
    word=pd.Series(np.resize(["Rome", "Oslo"], N), dtype=pd.ArrowDtype(pa.string())),
    list=pd.Series([[1, 2]] * N, dtype=pd.ArrowDtype(pa.list_(pa.int64()))),
    record=pd.Series([{"a": at} for at in range(N)], dtype=pd.ArrowDtype(pa.struct({"a": pa.int64()}))),
    bytes=pd.Series([b"x", b"y"] * (N // 2), dtype=pd.ArrowDtype(pa.binary())),
    clock=pd.Series([datetime.time(at) for at in range(N)], dtype=pd.ArrowDtype(pa.time64("us"))),
    took=pd.to_timedelta(np.arange(N), "D"), between=pd.arrays.IntervalArray.from_breaks(np.arange(N + 1.0)),
    arrays=[np.ones(at % 3) for at in range(N)],
)  # fmt: skip
TEXTS = [f"a text about {word} number {at}" for at, word in enumerate(np.resize(["goals", "banks", "hearts"], N))]


class Thing:
    """Something that no model reads."""


CASES = {
    "sparse": (sparse.csr_array(NUMBERS), Y, {"X_unlabeled": sparse.csr_array(NUMBERS[:9])}),
    "sparse without entries": (sparse.csr_array((N, 3)), Y, {}),
    "texts": (TEXTS, Y, {"X_unlabeled": TEXTS[:5]}),
    "a series of texts": (pd.Series(TEXTS), Y, {}),
    "an array of objects": (np.array([[1, "x"], [2.5, None]] * (N // 2), dtype=object), Y, {}),
    "things": ([Thing() for _ in range(N)], Y, {}),
    "mixed columns": (MIXED, Y, {"X_unlabeled": MIXED[:10], "X_test": MIXED[10:], "y_test": Y[10:]}),
    "types of Arrow": (ARROW, Y, {"X_unlabeled": ARROW[:10], "X_test": ARROW[10:], "y_test": Y[10:]}),
    "a structured array": (FRAME.to_records(index=False), Y, {}),
    "numbers to predict": (FRAME, NUMBERS[:, 0] + 0.5, {"X_test": FRAME[:5], "y_test": NUMBERS[:5, 0]}),
    "several labels in a row": (NUMBERS, np.eye(3, dtype=int)[np.arange(N) % 3], {}),
    "an empty pool": (FRAME, Y, {"X_unlabeled": FRAME[:0]}),
    "a pool of one row": (FRAME, Y, {"X_unlabeled": FRAME[:1]}),
    "one class": (FRAME, np.zeros(N, dtype=int), {}),
    "labels that are missing": (FRAME, np.where(Y, np.nan, 1.0), {}),
    "names that are missing": (FRAME, np.array(["a", None] * (N // 2), dtype=object), {}),
    "two rows": (FRAME[:2], [0, 1], {}),
    "one row": (FRAME[:1], [0], {}),
    "no rows": (FRAME[:0], [], {}),
    "no columns": (FRAME[[]], Y, {}),
    "values that are missing": (FRAME.mask(FRAME > -9), Y, {}),
    "infinite values": (FRAME.mask(FRAME > 1, np.inf), Y, {}),
    "images": (rng.normal(size=(N, 4, 4)), Y, {}),
    "other lengths": (FRAME, Y[:-1], {}),
    "a class in each row": (FRAME, [f"c{at}" for at in range(N)], {}),
    "booleans": (FRAME > 0, Y > 0, {"groups": np.arange(N) // 3}),
    "complex numbers": (NUMBERS + 1j, Y, {}),
    "numbers for columns": (pd.DataFrame(NUMBERS), Y, {"X_unlabeled": pd.DataFrame(NUMBERS) + 1}),
}


def _found(X, y, options):
    """The findings, or the sentence of the error."""
    try:
        return check(X, y, **options, time_budget=2, random_state=0)
    except FoldlessError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore")  # labels of several columns, or a class in each row, have a warning
@pytest.mark.parametrize("fast", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", CASES)
def test_anything_has_findings_or_one_sentence(case, fast):
    X, y, options = CASES[case]
    findings = _found(X, y, {**options, "fast": fast})
    if isinstance(findings, str):
        assert findings
        assert "\n" not in findings
        return
    assert str(findings)
    assert findings.to_dict()["about"]
    assert findings._repr_html_()
    assert len(findings.table()) == len(findings.entries)


def test_polars_frames_are_read():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": NUMBERS[:, 0], "city": np.resize(["Rome", "Oslo", "Lima"], N).tolist()})
    findings = check(frame, Y, X_unlabeled=frame[:8], fast=True)
    assert "2 columns (1 number, 1 category)" in findings.about
