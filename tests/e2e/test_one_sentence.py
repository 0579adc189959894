"""Inputs that ended in tracebacks: each is one sentence now, or simply works."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from helpers.command import run
from helpers.slow import slow_beyond

from foldless.cli import main
from foldless.errors import BadInput
from foldless.tables import predict_table

N, DIGITS, LONG = 40, "1" * 5000, "x" * 300
LABELS = ["a", "b"] * (N // 2)
SELECT = ("--label", "y", "--grid", "C=1", "--criterion", "k-fold")
COMMAND = [sys.executable, "-c", "from foldless.cli import main; main()"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("x,y\n" + "".join(f"{at % 2 * 9 + at % 5},{LABELS[at]}\n" for at in range(N)))


def refused(*args: str) -> str:
    message = run(*args, status=2).stderr
    assert message.count("\n") == 1
    assert len(message) < 500
    return message


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("select", "t.csv", "--label", "y", "--grid", f"C={DIGITS}"), "has 5000 digits"),
        (("select", "t.csv", "--label", "y", "--grid", f"C=1:2:{DIGITS}"), "is not a range"),
        (("select", "t.csv", "--label", "y", "--criterion", f"k-fold:{DIGITS}"), "has 5000 digits"),
        (("select", "t.csv", "--label", "y" * 100_000), "has no label column 'yyy"),
        (("select", LONG + ".csv", *SELECT), "File name too long"),
        (("select", "t.csv", *SELECT, "--unlabeled", LONG + ".csv"), "File name too long"),
        (("select", "t.csv", *SELECT, "--save", LONG + ".skops"), "File name too long"),
        (("select", "t.csv", *SELECT, "--journal", LONG), "the journal must be a file in an existing folder"),
        (("predict", LONG, "t.csv"), "File name too long"),
        (("stream", "train", LONG, "--label", "y", "--save", "m.skops"), "File name too long"),
        (("stream", "train", "t.csv", "--label", "y", "--save", "m.skops", "--checkpoint", LONG), "File name too long"),
        (("select", "a\0b.csv", *SELECT), "NUL character"),
        (("select", "\udcff.csv", *SELECT), "there is no file \\udcff.csv"),
    ],
)  # fmt: skip
def test_arguments(args: tuple[str, ...], words: str) -> None:
    assert words in refused(*args)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jsonl", f'{{"x": "q", "y": "a"}}\n{{"x": {DIGITS}, "y": "b"}}\n', "cannot be read (Exceeds the limit"),
        ("a.jsonl", '{"x": 1, "y": "a"}\n{"x": ' + "[" * 20_000 + "]" * 20_000 + "}\n", "line 2 of a.jsonl is nested"),
        ("a.svm", f"1 {DIGITS}:1\n2 1:2\n", "line 1 of a.svm holds '111"),
        ("a.csv", "h" * 140_000 + ",y\n1,a\n2,b\n", "field larger than field limit"),
        ("a.csv", "x,y\n1," + "q" * 100_000 + "\n2,b\n3,b\n", "has 1 labeled row"),
        ("a.csv", "x,y\n1," + "q r's " * 20_000 + "\n2,b\n3,b\n", "has 1 labeled row"),
    ],
)  # fmt: skip
def test_text_files(name: str, content: str, words: str) -> None:
    Path(name).write_text(content)
    label = () if name.endswith("svm") else ("--label", "y")
    assert words in refused("select", name, *label, "--model", "linear-svc")


@pytest.mark.slow
def test_a_text_column_may_have_any_name() -> None:
    words = ["sun", "moon"]
    rows = "".join(f"word{at} and {words[at % 2]} text here,{LABELS[at]}\n" for at in range(N))
    Path("a.csv").write_text("post__body,y\n" + rows)
    run("select", "a.csv", *SELECT, "--save", "m.skops")
    assert len(run("predict", "m.skops", "a.csv").stdout.splitlines()) == N + 1
    run("stream", "train", "a.csv", "--label", "y", "--save", "s.skops")


def union() -> pa.Array:
    places = pa.array([at // 2 for at in range(N)], pa.int32())
    parts = [pa.array(range(N // 2)), pa.array(["a"] * (N // 2))]
    return pa.UnionArray.from_dense(pa.array([0, 1] * (N // 2), pa.int8()), places, parts)


ARROW = {
    "union": union(),
    "run end": pa.RunEndEncodedArray.from_arrays(pa.array([N // 2, N], pa.int32()), pa.array([1, 2])),
    "interval": pa.array([pa.MonthDayNano([1, 2, 3])] * N),
    "binary view": pa.array([b"x", b"y"] * (N // 2), pa.binary_view()),
    "list view": pa.array([[1]] * N, pa.list_view(pa.int64())),
    "time zone": pa.array([1, 2] * (N // 2), pa.timestamp("us", tz="Mars/Olympus")),
    "date": pa.array([2**31 - 1, 2] * (N // 2), pa.int32()).view(pa.date32()),
    "bytes": pa.array([b"x", b"\xff"] * (N // 2)).dictionary_encode(),
}


@pytest.mark.parametrize("kind", slow_beyond(2, ARROW))
def test_types_of_arrow(kind: str) -> None:
    """As a column, as the label, and as a column that a model does not read, in each format."""
    run("select", "t.csv", *SELECT, "--save", "m.skops")
    x = np.arange(N) % 2 * 9.0 + np.arange(N) % 5
    tables = {"column": {"x": x, "z": ARROW[kind], "y": LABELS}, "label": {"x": x, "y": ARROW[kind]}}
    for name, columns in tables.items():
        table = pa.table(columns)
        with pa.ipc.new_file(f"{name}.arrow", table.schema) as writer:
            writer.write_table(table)
        status(run_any("select", f"{name}.arrow", *SELECT))
        if kind in ("binary view", "time zone", "date", "bytes"):  # of the others Parquet has none
            pq.write_table(table, f"{name}.parquet")
            code, message = run_any("stream", "train", f"{name}.parquet", "--label", "y", "--batch", "8")
            status((code, message.splitlines()[-1] if code else ""))
    for ending in ("csv", "jsonl", "parquet"):
        status(run_any("predict", "m.skops", "column.arrow", "--output", f"out.{ending}"))
    status(run_any("predict", "m.skops", "column.arrow"))


def test_a_stream_leaves_out_rows_whose_date_nobody_has() -> None:
    days = pa.array([2**31 - 1, *range(1, N)], pa.int32())
    for kind, factor in ((pa.date32(), 1), (pa.date64(), 86_400_000)):
        when = days.cast(pa.int64()).to_numpy() * factor
        values = pa.array(when, pa.int64() if factor > 1 else pa.int32()).view(kind)
        pq.write_table(pa.table({"x": np.arange(N) % 5, "when": values, "y": LABELS}), "d.parquet")
        train = ("stream", "train", "d.parquet", "--label", "y", "--batch", "8")
        assert "row 1 of d.parquet holds a date beyond the years 1 to 9999 in column 'when'" in run_any(*train)[1]
        code, message = run_any(*train, "--on-error", "skip")
        assert code == 0, message


def run_any(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, args)
    assert result.exception is None or isinstance(result.exception, SystemExit), (args, repr(result.exception))
    return result.exit_code, result.stderr


def status(found: tuple[int, str]) -> None:
    code, message = found
    assert code == 0 or (code == 2 and len(message) < 500 and message.startswith("Error: ")), found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_or_closed_output() -> None:
    run("select", "t.csv", *SELECT, "--save", "m.skops")
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, "predict", "m.skops", "t.csv"], stdout=full, stderr=-1, text=True, check=False)
    assert done.returncode == 2
    assert "standard output cannot be written (No space left on device)" in done.stderr
    assert "Traceback" not in done.stderr
    closed = " ".join(f"'{word}'" for word in [*COMMAND, "predict", "m.skops", "t.csv"]) + " >&-"
    done = subprocess.run(["sh", "-c", closed], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_probabilities_that_are_no_numbers_are_null() -> None:
    run("select", "t.csv", *SELECT, "--model", "logistic-regression", "--save", "m.skops")
    found = predict_table("m.skops", "t.csv", probabilities=True)
    next(iter(found.probabilities.values()))[0] = np.nan
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["probabilities"]["P(a)"][0] is None


def test_messages_quote_long_data_by_its_ends() -> None:
    assert len(str(BadInput(f"column {'c' * 100_000!r} holds {'two words ' * 10_000!r}"))) < 300
