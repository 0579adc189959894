"""Row numbers, ids and hashes are recognized; what is distinct by nature is not."""

import uuid
from hashlib import md5
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from foldless.data._id_columns import depends, id_columns, id_findings, is_id_name, log_distinct

N, POOL = 300, 1000
BOTH = N + POOL
RNG = np.random.default_rng(0)
Y = RNG.integers(2, size=N)
ORDER = RNG.permutation(BOTH)
WIDE = RNG.choice(10**6, BOTH, replace=False)
DAYS = pd.date_range("1990-01-01", periods=BOTH)
RANKS = np.r_[np.argsort(np.argsort(Y + 0.3 * RNG.normal(size=N))) * 4, np.setdiff1d(np.arange(BOTH), np.arange(N) * 4)]


def left_out(values: Any, name: str = "a", n: int = N) -> bool:
    """Whether a column is left out, of which n values are labeled and the others are the pool."""
    column = pd.Series(values)
    tables = [pd.DataFrame({name: part.reset_index(drop=True)}) for part in (column[:n], column[n:]) if len(part)]
    verdicts = id_columns(tables, np.arange(n), Y[:n])
    return name in verdicts and verdicts[name].left_out


@pytest.mark.parametrize(
    ("name", "values"),
    {
        "row numbers": np.arange(BOTH),
        "row numbers of each file": np.r_[np.arange(N), 1 + np.arange(POOL)],
        "row numbers as floats": np.arange(BOTH, dtype=float),
        "row numbers in another order": ORDER,
        "increasing numbers with gaps": np.sort(RNG.choice(5000, BOTH, replace=False)),
        "numbers with gaps": RNG.choice(5000, BOTH, replace=False),
        "user_id": WIDE,
        "id": RANKS[:BOTH],
        "hashes as numbers": RNG.integers(-(2**63), 2**63 - 1, size=BOTH),
        "uuid strings": [str(uuid.UUID(int=int(bits))) for bits in RNG.integers(2**62, size=BOTH)],
        "digests": [md5(str(at).encode()).hexdigest() for at in range(BOTH)],
        "a prefix": [f"cust-{at}" for at in ORDER],
        "zeros in front": [f"ID{at:09d}" for at in WIDE],
        "files": [f"img_{at}.png" for at in ORDER],
        "two numbers": [f"order-2024-{at:04}" for at in ORDER],
    }.items(),
)
def test_ids_are_found(name: str, values: Any) -> None:
    assert left_out(values, name)


@pytest.mark.parametrize(
    ("name", "values"),
    {
        "price": WIDE,
        "measured": RNG.normal(size=BOTH),
        "id": RNG.normal(size=BOTH),
        "count": RNG.poisson(10**5, size=BOTH),
        "zip": RNG.choice(np.arange(10_000, 99_999), BOTH, replace=False),
        "founded": 1900 + RNG.permutation(200),
        "year": np.arange(BOTH),
        "timestamp": 1_600_000_000 + np.arange(BOTH),
        "seconds of hours": 1_600_000_000 + 3600 * np.arange(BOTH),
        "nanoseconds": 1_600_000_000_000_000_000 + RNG.integers(10**16, size=BOTH),
        "dates": DAYS,
        "dates as strings": DAYS.strftime("%Y-%m-%d"),
        "dates as numbers": DAYS.strftime("%Y%m%d").astype(int),
        "days of a month": [f"{at:02d}.01.2024" for at in range(1, 32)],
        "weights": [f"{number} kg" for number in WIDE],
        "names": [f"first{a} last{b}" for a, b in enumerate(ORDER)],
        "texts": ["about " + " ".join(map(str, RNG.integers(99, size=6))) for _ in range(BOTH)],
        "large floats": RNG.normal(size=BOTH) * 1e20,
        "labels follow it": RANKS[:BOTH],
        "few values": np.arange(BOTH) // 2,
        "booleans": np.arange(BOTH) % 2 == 0,
    }.items(),
)
def test_what_is_distinct_by_nature_is_no_id(name: str, values: Any) -> None:
    assert not left_out(values, name)


def test_few_rows_say_little() -> None:
    assert left_out(np.arange(12), n=12)
    assert left_out(np.arange(1, 13), n=12)
    assert not left_out(np.random.default_rng(1).permutation(20), n=20)
    assert left_out(np.random.default_rng(1).permutation(20), "case_no", n=20)
    assert not left_out(np.arange(5), n=5)
    assert not left_out(np.arange(5), "id", n=5)


def test_an_id_may_repeat_where_whole_rows_do() -> None:
    frame = pd.DataFrame({"id": ORDER, "x": RNG.normal(size=BOTH)})
    copied = pd.concat([frame, frame[:20]], ignore_index=True)
    assert list(id_columns([copied], np.arange(0), None)) == ["id"]
    assert not id_columns([copied.assign(x=RNG.normal(size=len(copied)))], np.arange(0), None)


def test_labels_of_files_that_are_sorted_do_not_save_row_numbers() -> None:
    frame = pd.DataFrame({"row": np.arange(N)})
    assert id_columns([frame], np.arange(N), np.sort(Y))["row"].left_out


@pytest.mark.parametrize(
    "name", ["id", "ID", "PassengerId", "Unnamed: 0", "customerID", "userid", "id_customer", "index", "row_index",
             "case_number", "CUSTOMER_ID", "Nr.", "uuid", "key", "#"]
)  # fmt: skip
def test_names_of_ids(name: str) -> None:
    assert is_id_name(name)


@pytest.mark.parametrize("name", ["paid", "valid", "no_of_rooms", "price_index", "x1", "", "humidity", "keys_found"])
def test_other_names(name: str) -> None:
    assert not is_id_name(name)


def test_the_chance_of_distinct_draws() -> None:
    assert np.exp(log_distinct(3, 6)) == pytest.approx(6 * 5 * 4 / 6**3)
    assert log_distinct(7, 6) == -np.inf
    assert log_distinct(1000, 10**18) == pytest.approx(-1000 * 999 / 2 / 10**18)


def test_dependence_has_its_level_and_sees_middles() -> None:
    rng = np.random.default_rng(5)
    false_alarms = [depends(rng.integers(3, size=100), rng.permutation(100).astype(float)) for _ in range(2000)]
    assert np.mean(false_alarms) < 0.005
    values = rng.permutation(200).astype(float)
    assert depends(((values > 60) & (values < 140)).astype(int), values)
    assert depends(values + 50 * rng.normal(size=200), values)
    assert depends((values - 100) ** 2, values)
    assert not depends(rng.normal(size=200), values)


def test_sentences_name_columns_and_ways_out() -> None:
    frame = pd.DataFrame({"a": ORDER, "id": np.arange(BOTH), "rang": RANKS[:BOTH]})
    tables = [frame[:N], frame[N:]]
    gone, kept = id_findings(id_columns(tables, np.arange(N), Y))
    assert (gone.code, gone.columns, kept.columns) == ("FL010", ("a", "id"), ("rang",))
    assert gone.startswith("2 columns that identify rows are left out ('a' holds another whole number in each row")
    assert gone.endswith("read them all the same with keep=['a', 'id']")
    assert "labels depend on it: if it only identifies the row, leave it out with drop=['rang']" in kept
    assert len(id_findings(id_columns(tables, np.arange(N), Y), left_out=False)) == 3


def test_lists_of_a_file_have_no_copies():
    """JSON lines have lists of Arrow, which cannot be compared: an id that occurs twice beside them is no id."""
    ids = [f"a{at:08d}" for at in range(300)]
    lists = pd.Series(pd.array([["x", "y"]] * 300, dtype=pd.ArrowDtype(pa.list_(pa.string()))))
    frame = pd.DataFrame({"id": [*ids[:-1], ids[0]], "words": lists})
    assert list(id_columns([frame], np.ones(300, dtype=bool), None, ["id"])) == []
