"""Tables as users have them, and as nobody should: odd names, odd values, cut off files, wrong endings."""

import gzip
import io
import json
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
from fuzz.chooser import Chooser

NUMBERS = ("0", "1", "2", "3.5", "-1", "007", "1e3", "12345678901234567891", "+49123", "0x1F", "1_000")
ODD = (
    "", "NA", "nan", "inf", "-inf", "null", "None", "1e400", "9" * 5000, "true", "FALSE", "2024-02-30", "2024-02-29",
    "99999-01-01", "\x1b[2J", "a\rb", "a\nb", 'a"b', "a,b", "a\tb", " ", "ä", "\u202e", "\ufeff", "=1+1", "x" * 200_000,
    "-", "[1]", '{"a": 1}', "2024-01-01T00:00:00+25:00", "1,5", "\U0001f600", "1.0", "1", "01",
)  # fmt: skip
NAMES = (
    "x", "z", "w", "color", "text", "day", "P(a)", "post__body", "__index_level_0__", "", " ", "y ", "Y", "a,b",
    "n" * 300, "ä", "\x1b[31m", "x.1", "0", "estimator__C", "steps", "x\ny", "-1", "y", "__label__",
)  # fmt: skip
LABELS = (["a", "b"], ["0", "1"], ["-1", "1"], ["007", "7"], ["a", "b", "c"], ["1.0", "1"], ["", "a", "b"], ["a"],
          ["true", "false"], ["\x1b[31mred", "b"], ["9007199254740992", "9007199254740993"])  # fmt: skip


ODD_CELLS = 0.12
TEXT, TABLES = ("csv", "csv", "tsv", "csv.gz"), ("jsonl", "parquet", "arrow")
ENDINGS = (*TEXT, *TABLES, "svm", "txt", "xls", "")


class File(NamedTuple):
    """A file with its name."""

    name: str
    content: bytes


def pair(choose: Chooser, columns: tuple[str, ...], endings: tuple[str, ...]) -> tuple[File, File]:
    """A table and a pool of a few rows; most of them are sound, and have the same columns."""
    names = list(columns) or choose.some(NAMES[:6], 3)
    if choose.chance(ODD_CELLS):
        names.append(choose.one(NAMES))
    labels = choose.one([["a", "b"], ["a", "b", "c"], ["0", "1"]], LABELS)
    ending = choose.one(endings, ENDINGS)
    first = _table(choose, "t", names, labels, ending, 0)
    other = _table(
        choose, "pool", names if choose.chance(0.95) else names[:1], labels, choose.one([ending], ENDINGS), 50
    )
    return first, other


def _table(choose: Chooser, stem: str, names: list[str], labels: list[str], ending: str, begin: int) -> File:
    n = choose.one([12, 16, 24], [3, 1, 0])
    values = {name: [_value(name, at, len(labels)) for at in range(begin, begin + n)] for name in names}
    values["y"] = [labels[at % len(labels)] for at in range(n)]
    while n and choose.chance(ODD_CELLS):
        values[choose.one(list(values))][choose.below(n)] = choose.one(ODD + NUMBERS)
    content = written(names, values, ending)
    content = damaged(
        content, choose.one(["none"], ["cut", "byte", "twice", "empty", "bom", "utf16"]), choose.below(10**6)
    )
    return File(f"{stem}.{ending}" if ending else stem, content)


def _value(name: str, at: int, k: int) -> str:
    if name == "color":
        return ["red", "blue", "green"][at % 3]
    if name == "text":
        return f"some words{at % k} in row {at} of a text"
    if name == "day":
        return f"2024-01-{at % 28 + 1:02}"
    return str(round((at * 7919 % 1013) / 300 + at % k * 2, 3))


def written(names: list[str], columns: dict[str, list[str]], ending: str) -> bytes:
    """A table in the format of its ending; text where there is none."""
    heads = [*names, "y"]
    rows = [[columns[name][at] for name in heads] for at in range(len(columns["y"]))]
    if ending == "jsonl":
        return "".join(json.dumps(dict(zip(heads, map(_plain, row), strict=True))) + "\n" for row in rows).encode()
    if ending in ("parquet", "arrow"):
        return _columnar({name: columns[name] for name in heads}, ending)
    if ending == "svm":
        return "".join(f"{row[-1]} " + " ".join(f"{at + 1}:{v}" for at, v in enumerate(row[:-1])) + "\n"
                       for row in rows).encode()  # fmt: skip
    text = pd.DataFrame(rows, columns=heads).to_csv(index=False, sep="\t" if ending == "tsv" else ",")
    return gzip.compress(text.encode()) if ending.endswith("gz") else text.encode()


def _plain(value: str) -> Any:
    try:
        return json.loads(value) if len(value) < 100 else value
    except ValueError:
        return value


def _columnar(columns: dict[str, list[str]], ending: str) -> bytes:
    arrays = []
    for values in columns.values():
        try:
            arrays.append(pa.array([float(value) for value in values]))
        except ValueError:
            arrays.append(pa.array(values))
    frame = pa.table(arrays, names=list(columns))
    buffer = io.BytesIO()
    if ending == "parquet":
        from pyarrow import parquet

        parquet.write_table(frame, buffer)
    else:
        with pa.ipc.new_file(buffer, frame.schema) as writer:
            writer.write_table(frame)
    return buffer.getvalue()


def damaged(content: bytes, how: str, at: int) -> bytes:
    """A file that something happened to."""
    if how == "cut":
        return content[: at % (len(content) + 1)]
    if how == "byte" and content:
        return content[: at % len(content)] + bytes([at % 256]) + content[at % len(content) + 1 :]
    if how == "utf16":
        return content.decode("utf-8", "replace").encode("utf-16")
    return {"twice": content * 2, "empty": b"", "bom": b"\xef\xbb\xbf" + content}.get(how, content)
