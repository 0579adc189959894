"""Wrong input on the command line: one sentence with the value and the remedy, exit status 2, no file touched."""

import gzip
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from click.testing import CliRunner
from helpers.slow import slow_beyond

from foldless.cli import main
from foldless.engine._journal import Journal

LABEL = ("--label", "topic")
POOL = ("--unlabeled", "pool.csv")
TEST = ("--test", "test.csv")


def rows(n: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 2
    return pd.DataFrame(
        {"x": rng.normal(size=n) + 2 * codes, "y": rng.normal(size=n), "color": np.array(["red", "blue"])[codes],
         "topic": np.array(["a", "b"])[codes]}
    )  # fmt: skip


TRAIN, UNLABELED, TRUTH = rows(12), rows(20, 1).drop(columns="topic"), rows(10, 2)


def csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


def parquet(frame: pd.DataFrame) -> bytes:
    return frame.to_parquet(index=False)


def jsonl(frame: pd.DataFrame) -> bytes:
    return frame.to_json(orient="records", lines=True).encode()


def arrow(frame: pd.DataFrame) -> bytes:
    sink, table = pa.BufferOutputStream(), pa.Table.from_pandas(frame)
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def tagged(tags: object) -> bytes:
    """The training table with lists of labels, as Parquet."""
    kind = pd.ArrowDtype(pa.list_(pa.string()))
    return parquet(TRAIN.assign(topic=pd.Series(tags, dtype=kind)))


def cell(frame: pd.DataFrame, row: int, column: str, value: object) -> bytes:
    """A table with one value changed; rows count from 1, as messages do."""
    changed = frame.astype({column: object})
    changed.loc[row - 1, column] = value
    return csv(changed)


@dataclass(frozen=True)
class Case:
    """A wrong command, the files that make it wrong, and words its message must hold: the value and the remedy."""

    args: tuple[str, ...]
    words: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    piped: bytes | None = None

    def write(self, folder: Path) -> None:
        for file, content in self.files.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_bytes(content)


def train(content: bytes, *words: str, args: tuple[str, ...] = (), name: str = "train.csv") -> Case:
    """A case whose training file is wrong."""
    return Case(("select", name, *LABEL, *POOL, *args), (*words,), {name: content})


def pool(content: bytes, *words: str, name: str = "pool.csv") -> Case:
    return Case(("select", "train.csv", *LABEL, "--unlabeled", name), (*words,), {name: content})


def truth(content: bytes, *words: str, name: str = "test.csv", args: tuple[str, ...] = ()) -> Case:
    return Case(("select", "train.csv", *LABEL, *POOL, "--test", name, *args), (*words,), {name: content})


def svm(content: bytes, *words: str, args: tuple[str, ...] = ()) -> Case:
    return Case(("select", "train.svm", *args), (*words,), {"train.svm": content})


def piped(content: bytes, *words: str, args: tuple[str, ...] = ()) -> Case:
    return Case(("select", "-", *LABEL, *POOL, *args), (*words,), piped=content)


def certify(*args: str, words: tuple[str, ...], files: dict[str, bytes] | None = None) -> Case:
    """A certificate that cannot be made."""
    pool = () if "--unlabeled" in args or "--hold-out" in args else POOL
    return Case(("certify", "train.csv", *LABEL, *pool, *args), words, files or {})


def option(*args: str, words: tuple[str, ...]) -> Case:
    """A case whose options are wrong."""
    return Case(("select", "train.csv", *LABEL, *POOL, *args), words)


CASES = {
    # files
    "missing file": Case(("select", "trian.csv", *LABEL), ("no file trian.csv", "check the name")),
    "missing pool": Case(("select", "train.csv", *LABEL, "--unlabeled", "no.csv"), ("no file no.csv", "check")),
    "a folder": Case(("select", "folder.csv", *LABEL), ("folder.csv is a folder", "name a file")),
    "unknown ending": train(b"", "'.doc'", ".csv, .parquet", name="train.doc"),
    "no ending": train(b"", "no ending", ".csv, .parquet", name="train"),
    "empty file": train(b"", "train.csv is empty", "header and rows"),
    "header only": train(b"x,y,color,topic\n", "no rows", "add rows"),
    "truncated parquet": train(parquet(TRAIN)[:-30], "truncated", "write it again", name="train.parquet"),
    "text named parquet": train(csv(TRAIN), "not a Parquet file", "write it again", name="train.parquet"),
    "parquet named csv": train(parquet(TRAIN), "a Parquet file", "name it .parquet"),
    "compressed": train(b"\x1f\x8b\x08\x00", "gzip", "name it .gz", "unpack it"),
    "arrow named csv": train(arrow(TRAIN), "an Arrow file", "name it .arrow"),
    "csv named arrow": train(csv(TRAIN), "not an Arrow file", "write it again", name="train.arrow"),
    "arrow cut off": train(arrow(TRAIN)[:-40], "train.arrow", "truncated", "write it again", name="train.arrow"),
    "feather of version 1": train(b"FEA1...FEA1", "version 1", "write it again", name="train.feather"),
    "gzip cut off": train(gzip.compress(csv(TRAIN))[:-12], "gzip", "truncated", "compress it", name="train.csv.gz"),
    "gzip that is none": train(csv(TRAIN), "is not a gzip file", "compress it again", name="train.csv.gz"),
    "gzip of nothing": train(gzip.compress(b""), "train.csv.gz is empty", "header and rows", name="train.csv.gz"),
    "zstd that is none": train(csv(TRAIN), "is not a zstd file", "compress it again", name="train.csv.zst"),
    "gzip of a broken table": train(
        gzip.compress(csv(TRAIN) + b"1,2\n"), "line 14 of train.csv.gz", "complete the line", name="train.csv.gz"
    ),
    "parquet in gzip": train(
        gzip.compress(parquet(TRAIN)), "'.parquet.gz'", "text files may also be compressed", name="train.parquet.gz"
    ),
    "thousands or fractions": train(
        b"x;topic\n" + b"1.234;a\n5.678;b\n" * 6, "'1.234'", "thousand or a fraction", "--decimal .", "--decimal ,"
    ),
    "short line in tsv": pool(b"x\ty\tcolor\n1\t2\n", "line 2 of pool.tsv", "hold a tab", name="pool.tsv"),
    "json with a bad line": train(
        jsonl(TRAIN) + b'{"x": 1,\n', "line 13 of train.jsonl", "not JSON", "one object per line", name="train.jsonl"
    ),
    "json with an array": train(
        TRAIN.to_json(orient="records").encode(), "line 1", "an array", "one object per line", name="train.jsonl"
    ),
    "json with a line that is a number": pool(
        jsonl(UNLABELED) + b"7\n", "line 21 of pool.jsonl", "a number, not an object", name="pool.jsonl"
    ),
    "json with a key of two types": train(
        jsonl(TRAIN) + b'{"x": "wide"}\n', "'x' is a number in line 1", "a string in line 13", name="train.jsonl"
    ),
    "json with a key twice": train(
        b'{"x": 1, "x": 2, "topic": "a"}\n', "'x' occurs twice in line 1", "rename", name="train.jsonl"
    ),
    "json with objects inside": train(
        jsonl(TRAIN.assign(size=[{"w": 1}] * 12)), "'size'", "struct", "--drop size", name="train.jsonl"
    ),
    "json with a key missing": train(
        jsonl(TRAIN) + b'{"y": 1, "color": "red", "topic": "a"}\n', "'x'", "first in row 13", "--missing impute",
        name="train.jsonl",
    ),
    "json that is empty": train(b"", "train.jsonl is empty", "needs rows", name="train.jsonl"),
    "json not UTF-8": train(
        jsonl(TRAIN).replace(b"red", b"r\xe9d", 1), "0xe9 in line 1", "convert it to UTF-8", name="train.jsonl"
    ),
    "a folder without parquet": Case(
        ("select", "parts", *LABEL), ("parts is a folder without Parquet", "name a file"), {"parts/a.csv": csv(TRAIN)}
    ),
    "a folder of differing columns": Case(
        ("select", "parts", *LABEL), ("2.parquet lacks the column 'y' of", "1.parquet", "same columns"),
        {"parts/1.parquet": parquet(TRAIN), "parts/2.parquet": parquet(TRAIN.drop(columns="y"))},
    ),
    "a folder of differing types": Case(
        ("select", "parts", *LABEL), ("'y' is numeric in", "text in", "2.parquet", "as one type"),
        {"parts/1.parquet": parquet(TRAIN), "parts/2.parquet": parquet(TRAIN.assign(y="high"))},
    ),
    "a folder with a broken file": Case(
        ("select", "parts", *LABEL), ("2.parquet", "truncated", "write it again"),
        {"parts/1.parquet": parquet(TRAIN), "parts/2.parquet": parquet(TRAIN)[:-9]},
    ),
    # svmlight
    "svmlight with a bad line": svm(b"1 1:2\n0 1:2\n1 1;3\n", "line 3 of train.svm", "'1;3'", "such as +1 3:0.5"),
    "svmlight with a word as label": svm(b"1 1:2\nspam 1:2\n", "line 2", "the label 'spam'", "write a label"),
    "svmlight not sorted": svm(b"1 1:2\n0 7:1 3:1\n", "line 2", "feature 3 after feature 7", "rising"),
    "svmlight with a huge feature": svm(b"1 1:2\n0 99999999999:1\n", "99999999999", "renumber the features"),
    "svmlight that is not finite": svm(b"1 1:2\n0 3:inf\n", "row 2", "not a finite number", "replace it"),
    "svmlight without features": svm(b"1\n0\n", "train.svm has no features", "write a label"),
    "svmlight of measurements": svm(b"1.5 1:2\n0.25 1:1\n", "'label' of train.svm holds 1.5", "whole numbers"),
    "svmlight and a label by name": svm(b"1 1:2\n0 2:2\n" * 4, "svmlight", "leave the label column out", args=LABEL),
    "svmlight and a column": svm(b"1 1:2\n0 2:2\n" * 4, "'1' cannot be taken", "leave them out", args=("--text", "1")),
    "svmlight and a table as pool": svm(b"1 1:2\n0 2:2\n" * 4, "pool.csv is not", "same format", args=POOL),
    "a table and svmlight as pool": pool(b"1 1:2\n", "pool.svm is svmlight", "same format", name="pool.svm"),
    # standard input
    "piped twice": Case(("select", "-", *LABEL, "--unlabeled", "-"), ("named 2 times", "only one of the files")),
    "piped thrice": Case(
        ("select", "-", *LABEL, "--unlabeled", "-", "--test", "-"), ("named 3 times", "only one of the files")
    ),
    "nothing piped": piped(b"", "standard input is empty", "header and rows"),
    "piped header only": piped(b"x,y,color,topic\n", "standard input has a header and no rows", "add rows"),
    "piped short line": piped(csv(TRAIN) + b"1,2\n", "line 14 of standard input", "complete the line"),
    "piped gzip cut off": piped(gzip.compress(csv(TRAIN))[:-12], "standard input is not a gzip file", "truncated"),
    "piped in another format": piped(
        csv(TRAIN), "line 1 of standard input is not JSON", "one object per line", args=("--format", "jsonl")
    ),
    "piped without the label": piped(csv(UNLABELED), "standard input has no label column 'topic'", "its columns are"),
    "unknown format": option("--format", "xml", words=("'xml'", "'csv'", "'svmlight'")),
    "format of a file that tells it": option(
        "--format", "tsv", words=("the format tsv is for standard input", "train.csv", "leave the format out")
    ),
    "a wrong format for an unknown ending": train(
        csv(TRAIN), "train.dat", "not JSON", name="train.dat", args=("--format", "jsonl")
    ),
    "not UTF-8": train(
        csv(TRAIN).replace(b"red", b"\xcf\xf0\xe8", 1), "0xcf", "line 2", "convert it to UTF-8", "--encoding"
    ),
    "UTF-16 without its mark": train(csv(TRAIN).decode().encode("utf-16-le"), "NUL", "save it as plain UTF-8"),
    "NUL byte": train(csv(TRAIN) + b"1,2,\0,a\n", "NUL", "line 14", "save it as plain UTF-8"),
    "short line": train(csv(TRAIN) + b"1,2,red\n", "line 14", "3 values", "header has 4", "complete the line"),
    "long line": pool(csv(UNLABELED) + b"1,2,red,4\n", "line 22 of pool.csv", "4 values", "quote values"),
    "open quote": train(csv(TRAIN) + b'1,2,"red,a\n1,2,red,b\n', "quote in line 14", "close it"),
    "duplicate column": train(csv(TRAIN).replace(b"x,y", b"x,x", 1), "'x' occurs twice", "rename or delete"),
    "column without a name": train(csv(TRAIN).replace(b"x,y", b"x,", 1), "column 2", "no name", "name it"),
    # labels
    "no label column": Case(("select", "train.csv", "--label", "Topic"), ("'Topic'", "did you mean 'topic'")),
    "no such label at all": Case(("select", "train.csv", "--label", "qqq"), ("'qqq'", "its columns are 'x'")),
    "no label in any row": train(csv(TRAIN.assign(topic="")), "no row", "'topic'", "label at least"),
    "one class": train(csv(TRAIN.assign(topic="a")), "one class only, 'a'", "another class"),
    "a class with one row": train(
        cell(TRAIN, 3, "topic", "rare"), "class 'rare' has 1 labeled row", "--min-per-class 1", "label more",
        args=("--model", "linear-svc"),
    ),
    "too few of all classes": train(
        csv(TRAIN), "class 'a' has 6 labeled rows", "2 classes", "fewer than 7", args=("--min-per-class", "7")
    ),
    "labels that are measurements": train(
        csv(TRAIN.assign(topic=TRAIN.x)), "'topic'", "in row 1", "names or whole numbers", "--label",
        "--task regression", args=("--task", "classification"),
    ),
    "a classifier for measurements": train(
        csv(TRAIN.assign(topic=TRAIN.x)), "linear-svc is a classifier", "ridge", "--task classification",
        args=("--model", "linear-svc"),
    ),
    "a regressor for classes": train(
        csv(TRAIN), "ridge is a regressor", "--task regression", args=("--model", "ridge")
    ),
    "words for a regression": train(
        csv(TRAIN), "holds 'a' in row 1", "needs numbers", "--task classification", args=("--task", "regression")
    ),
    "a criterion of classes for measurements": train(
        csv(TRAIN.assign(topic=TRAIN.x)), "dagging needs classes", "auto, k_fold", args=("--criterion", "dagging")
    ),
    "minus one and one class": Case(
        ("select", "train.csv", *LABEL), ("−1", "--unlabeled", "--minus-one-is-class"),
        {"train.csv": csv(TRAIN.assign(topic=np.where(TRAIN.topic == "a", -1, 1)))},
    ),
    "lists without any label": train(
        tagged([[]] * 12), "no row of train.parquet has a label", "label at least", name="train.parquet"
    ),
    "lists of one class": train(
        tagged([["a"], ["a", "a"]] * 6), "one class only, 'a'", "another class", name="train.parquet"
    ),
    "a rare class in a list": train(
        tagged([["a"], ["b"]] * 5 + [["a", "c"], ["b"]]), "class 'c' has 1 labeled row", "--min-per-class 1",
        name="train.parquet", args=("--model", "linear-svc"),
    ),
    "lists of lists": train(
        jsonl(TRAIN.assign(topic=[[["a"]], [["b"]]] * 6)), "'topic'", "list<", "lists of them", name="train.jsonl"
    ),
    "lists of measurements": train(
        jsonl(TRAIN.assign(topic=[[0.5, 1.5]] * 12)), "holds 0.5 in row 1", "whole numbers", name="train.jsonl"
    ),
    "objects as labels": train(
        jsonl(TRAIN.assign(topic=[{"id": 1}] * 12)), "'topic'", "struct", "names, whole numbers", name="train.jsonl"
    ),
    "an indicator row as label": train(
        jsonl(TRAIN.assign(topic=[[0, 1], [1, 0]] * 6)[:1]), "0 has 1 labeled row", "--min-per-class 1",
        name="train.jsonl", args=("--model", "linear-svc"),
    ),
    "lists and a separator": train(
        tagged([["a"], ["b"]] * 6), "holds lists of labels", "leave the separator out", name="train.parquet",
        args=("--label-separator", ";"),
    ),
    "a separator of nothing": option("--label-separator", "", words=("the label separator is empty", "such as ';'")),
    "only separators": train(
        csv(TRAIN.assign(topic=";")), "no row of train.csv has a label", "label at least",
        args=("--label-separator", ";"),
    ),
    "a test row with an empty list": truth(
        jsonl(TRUTH.assign(topic=[["a"], []] * 5)), "row 2 of test.jsonl", "no label", "label it", name="test.jsonl"
    ),
    # features
    "text of an unknown column": option("--text", "colour", words=("'colour' to be taken as", "did you mean 'color'")),
    "categorical of an unknown column": option(
        "--categorical", "z", words=("'z' to be taken as categories", "its columns are 'x'")
    ),
    "text of the label": option("--text", "topic", words=("'topic' cannot be taken as text", "another label")),
    "two kinds for one column": option(
        "--text", "x", "--categorical", "x", words=("taken as text and be taken as categories", "once")
    ),
    "text of a dropped column": option("--drop", "x", "--text", "x", words=("dropped and be taken as text", "once")),
    "lists taken as text": train(
        parquet(TRAIN.assign(tags=[[1]] * 12)), "'tags'", "list", "--drop tags", name="train.parquet",
        args=("--text", "tags"),
    ),
    "no dates in the pool": Case(
        ("select", "train.csv", *LABEL, *POOL), ("'day' is a date in train.csv", "'soon' in row 3", "same type"),
        {
            "train.csv": csv(TRAIN.assign(day="2020-01-01")),
            "pool.csv": csv(UNLABELED.assign(day=["2020-01-01", "2020-01-02", "soon", "later"] * 5)),
        },
    ),
    "a missing date": train(
        csv(TRAIN.assign(day=["2020-01-01"] * 11 + [""])), "'day' of train.csv", "row 12", "--missing impute"
    ),
    "only a label": train(csv(TRAIN[["topic"]]), "no column beside the label 'topic'", "features"),
    "missing number": train(cell(TRAIN, 5, "x", None), "'x' of train.csv", "row 5", "--missing impute"),
    "missing word": train(cell(TRAIN, 7, "color", ""), "'color' of train.csv", "row 7", "--missing impute"),
    "missing in the pool": pool(cell(UNLABELED, 9, "y", None), "'y' of pool.csv", "row 9", "--missing impute"),
    "missing in the test rows": truth(cell(TRUTH, 2, "y", None), "'y' of test.csv", "row 2", "--missing impute"),
    "infinity": train(cell(TRAIN, 4, "y", "inf"), "'y' of train.csv", "infinite in row 4", "replace"),
    "beyond single precision": train(
        cell(TRAIN, 4, "y", "1e299"), "'y' of train.csv holds 1e+299 in row 4", "divide the column", "--missing impute"
    ),
    "infinity in the pool": pool(cell(UNLABELED, 6, "x", "-inf"), "'x' of pool.csv", "row 6", "replace"),
    "infinity is not imputed": train(
        cell(TRAIN, 4, "y", "inf"), "infinite in row 4", "replace", args=("--missing", "impute")
    ),
    "times of day": train(csv(TRAIN.assign(at="10:30:00")), "'at'", "time", "--drop at"),
    "an empty column": train(csv(TRAIN.assign(void="")), "'void'", "has no values", "--drop void"),
    "lists": train(
        parquet(TRAIN.assign(tags=[[1]] * len(TRAIN))), "'tags'", "list", "--drop tags", name="train.parquet"
    ),
    # pool and test
    "pool lacks a column": pool(csv(UNLABELED.drop(columns="y")), "pool.csv lacks column 'y'", "add it"),
    "pool has another column": pool(csv(UNLABELED.assign(id=1)), "pool.csv has column 'id'", "--drop"),
    "pool has words for numbers": pool(
        cell(UNLABELED, 8, "x", "wide"), "'x' is numeric in train.csv", "'wide' in row 8", "same type"
    ),
    "pool has numbers for words": pool(csv(UNLABELED.assign(color=1.5)), "'color' is categorical", "numeric in pool"),
    "pool of another type in parquet": pool(
        parquet(UNLABELED.assign(y=UNLABELED.y > 0)), "'y' is numeric", "boolean in pool.parquet", "same type",
        name="pool.parquet",
    ),
    "empty pool": pool(csv(UNLABELED[:0]), "pool.csv", "no rows", "add rows"),
    "test without labels": truth(csv(TRUTH.drop(columns="topic")), "test.csv has no label column", "its columns are"),
    "a test row without a label": truth(cell(TRUTH, 3, "topic", ""), "row 3 of test.csv", "no label", "label it"),
    "test lacks a column": truth(csv(TRUTH.drop(columns="x")), "test.csv lacks column 'x'", "add it"),
    "test labels of another type": Case(
        ("select", "train.csv", *LABEL, *TEST), ("numbers in train.csv", "'a' in test.csv", "same in both"),
        {"train.csv": csv(TRAIN.assign(topic=np.arange(12) % 2))},
    ),
    "predict without a pool": Case(("select", "train.csv", *LABEL, "--predict", "o.csv"), ("--predict", "--unlabeled")),
    # grids and models
    "unknown model": option("--model", "svm", words=("'svm'", "did you mean svc")),
    "unknown grid key": option("--grid", "gama=1", "--model", "svc", words=("'gama' in svc", "did you mean gamma")),
    "key of no model at all": option("--grid", "qqq=1", words=("'qqq' in linear-svc", "there are C, ")),
    "grid for a model not chosen": option("--grid", "svc.C=1", words=("'svc'", "linear-svc")),
    "grid without values": option("--grid", "C=", words=("'C='", "write C=1e-4:1e3:8")),
    "grid without a key": option("--grid", "1,2,3", words=("'1,2,3'", "write C=")),
    "grid with a hole": option("--grid", "C=1,,2", words=("'C=1,,2'", "empty value")),
    "range without a count": option("--grid", "C=1:10", words=("'C=1:10'", "from:to:how many")),
    "range of words": option("--grid", "C=low:high:3", words=("'C=low:high:3'", "from:to:how many")),
    "range of one value": option("--grid", "C=1:10:1", words=("'C=1:10:1'", "2 to 1000")),
    "range of far too many": option("--grid", "C=1:10:999999999", words=("999999999", "2 to 1000")),
    "a key twice": option("--grid", "C=1", "--grid", "C=2", words=("'C=2'", "second time", "once")),
    "negative C": option("--grid", "C=-1,-2", words=("all 2 candidates failed", "C=-1", "must be > 0")),
    "a candidate that raises": option(
        "--model", "nearest-neighbors", "--grid", "n_neighbors=500", words=("failed", "n_neighbors=500", "500")
    ),
    "text for gradient boosting": Case(
        ("select", "train.csv", *LABEL, "--model", "gradient-boosting"), ("gradient-boosting", "'body'", "--drop"),
        {"train.csv": csv(TRAIN.assign(body=[f"words {at} that differ" for at in range(12)]))},
    ),
    # criteria
    "unknown criterion": option("--criterion", "kfold", words=("'kfold'", "did you mean k-fold")),
    "folds that are no number": option("--criterion", "k-fold:ten", words=("k of k-fold", "'ten'", "5")),
    "one fold": option("--criterion", "k-fold:1", words=("1 folds", "between 2 and 12")),
    "unknown measure": option("--criterion", "quantification-bound:auc", words=("'auc'", "'macro_f1'")),
    "more folds than rows": Case(
        ("select", "train.csv", *LABEL, "--criterion", "k-fold"),
        ("5 folds", "between 2 and 4"),
        {"train.csv": csv(TRAIN[:4])},
    ),
    "a criterion twice": Case(
        ("compare", "train.csv", *LABEL, "--criteria", "k-fold,k_fold"), ("k-fold twice", "name each once")
    ),
    "an empty criterion": Case(("compare", "train.csv", *LABEL, "--criteria", "k-fold,"), ("''", "k-fold")),
    "a criterion's unknown parameter": option("--criterion", "k-fold:folds=3", words=("'folds'", "there are k, ")),
    "a criterion's parameter twice": option("--criterion", "k-fold:3:k=4", words=("k a second time", "once")),
    "a criterion's second parameter without a name": option(
        "--criterion", "hold-out:0.2:0.95", words=("'0.95'", "is not a parameter", "confidence")
    ),
    "a criterion's confidence in words": option(
        "--criterion", "semi-supervised-cv:confidence=high", words=("confidence of semi-supervised-cv", "'high'")
    ),
    "a hold-out's confidence in words": option(
        "--criterion", "hold-out:confidence=high", words=("confidence of hold-out", "'high'", "None")
    ),
    "a certain criterion": option("--criterion", "hold-out:confidence=1", words=("confidence", "(0, 1)", "got 1")),
    # certificates
    "no confidence": certify("--confidence", "0", words=("--confidence", "0.0", "0<x<1")),
    "certainty": certify("--confidence", "1", words=("--confidence", "1.0", "0<x<1")),
    "more than certainty": certify("--confidence", "1.5", words=("--confidence", "1.5", "0<x<1")),
    "confidence in words": certify("--confidence", "abc", words=("--confidence", "'abc'", "float")),
    "confidence that is no number": certify("--confidence", "nan", words=("confidence", "nan", "(0, 1)")),
    "a certificate without a pool": Case(
        ("certify", "train.csv", *LABEL, "--refit"), ("progressive(refit=True) needs unlabeled rows", "--unlabeled")
    ),
    "a certificate with the training file as pool": certify(
        "--unlabeled", "./train.csv", words=("train.csv itself", "other rows than the labeled", "nobody has labeled")
    ),
    "a certificate with a copy of the training file as pool": certify(
        "--unlabeled", "copy.csv", "--refit", files={"copy.csv": csv(TRAIN[::-1])},
        words=("the pool holds the labeled rows themselves", "nobody has labeled"),
    ),
    "more folds of a certificate than rows": certify("--folds", "13", words=("13 folds", "between 2 and 12")),
    "no fold of a certificate": certify("--folds", "0", words=("--folds", "0", "x>=1")),
    "folds of progressive fits": certify(
        "--method", "progressive", "--folds", "3", words=("--method progressive does not go with", "leave out --folds")
    ),
    "folds of a model that is trained again": certify(
        "--refit", "--folds", "3", words=("--refit does not go with", "leave out --folds")
    ),
    "training again what is trained on every label": certify(
        "--method", "semi-supervised-cv", "--refit", words=("trains its model on every label", "leave out --refit")
    ),
    "an unknown method": certify("--method", "magic", words=("--method", "'magic'", "progressive")),
    "an unknown disagreement": certify("--disagreement", "gauss", words=("--disagreement", "'gauss'", "betting")),
    "all labels held out": certify("--hold-out", "1", words=("--hold-out", "1.0", "0<x<1")),
    "folds of a hold-out": certify("--hold-out", "0.2", "--folds", "3", words=("--hold-out", "leave out --folds")),
    "a hold-out beside itself": certify(
        "--hold-out", "0.2", "--compare-hold-out", "0.3", words=("leave out --compare-hold-out",)
    ),
    "a criterion for certify": certify("--criterion", "k-fold", words=("--criterion",)),
    # views
    "two views without a name": option("--model", "co-training", words=("co-training", "got 0", "--view 'page_*'")),
    "one view": option("--model", "co-training", "--view", "x", words=("two views", "got 1", "--view 'page_*'")),
    "three views": option(
        "--model", "gp-co-training", "--view", "x", "--view", "y", "--view", "color", words=("views", "got 3", "--view")
    ),
    "a view for nobody": option("--view", "x", words=("--view 'x'", "co-regularized", "leave it out")),
    "views that overlap": option(
        "--model", "co-training", "--view", "x,color", "--view", "col*,x,y",
        words=("columns 'x', 'color' are in both views", "in one of them"),
    ),
    "a view of an unknown column": option(
        "--model", "co-training", "--view", "x", "--view", "y,colour", words=("'colour'", "did you mean 'color'")
    ),
    "a view of a pattern without columns": option(
        "--model", "co-training", "--view", "x", "--view", "page_*", words=("'page_*'", "its columns are 'x'")
    ),
    "a view without a name": option(
        "--model", "co-training", "--view", "x,", "--view", "y", words=("a view", "''", "its columns are")
    ),
    "a view of the label": option(
        "--model", "co-training", "--view", "x", "--view", "topic", words=("'topic'", "the label", "other columns")
    ),
    "a view of a dropped column": option(
        "--model", "co-training", "--view", "x", "--view", "y", "--drop", "y", words=("'y'", "its columns are 'x'")
    ),
    "views of svmlight": svm(
        b"1 1:2\n0 2:2\n" * 4, "co-training", "svmlight have no names", "another model", args=("--model", "co-training")
    ),
    # options
    "no label named": Case(("select", "train.csv"), ("--label",)),
    "no file named": Case(("select", *LABEL), ("TRAIN",)),
    "unknown option": option("--modle", "svc", words=("--modle", "--model")),
    "unknown command": Case(("choose", "train.csv"), ("'choose'",)),
    "predict for compare": Case(
        ("compare", "train.csv", *LABEL, "--criteria", "k-fold", "--predict", "o.csv"), ("--predict",)
    ),
    "drop of an unknown column": option("--drop", "colour", words=("'colour'", "did you mean 'color'")),
    "drop of the label": option("--drop", "topic", words=("'topic' cannot be dropped", "another label")),
    "drop of everything": option(
        "--drop", "x", "--drop", "y", "--drop", "color", words=("no column beside the label", "features")
    ),
    "no workers": option("--n-jobs", "0", words=("--n-jobs must not be 0", "-1 for all")),
    "no time": option("--time-budget", "0", words=("--time-budget", "0.0", "x>0")),
    "time that is no number": option("--time-budget", "nan", words=("nan", "above 0")),
    "a seed below zero": option("--seed", "-1", words=("--seed", "-1", "0<=x")),
    "a seed that is no number": option("--seed", "lucky", words=("--seed", "'lucky'")),
    "no row per class": option("--min-per-class", "0", words=("--min-per-class", "0", "x>=1")),
    "another way to treat missing values": option("--missing", "drop", words=("'drop'", "impute")),
    # outputs
    "output as svmlight": option("--predict", "out.svm", words=("'.svm'", "written as .csv")),
    "output as compressed parquet": option(
        "--predict", "out.parquet.gz", words=("'.parquet.gz'", "text files may also be compressed")
    ),
    "output as a pipe": option("--predict", "-", words=("- has no ending", "written as .csv")),
    "output into a folder that is read": Case(
        ("select", "parts", *LABEL, *POOL, "--predict", "parts/out.parquet"), ("also read", "another file"),
        {"parts/1.parquet": parquet(TRAIN)},
    ),
    "output of an unknown ending": option("--predict", "out.txt", words=("'.txt'", ".csv, .parquet")),
    "output in a missing folder": option("--predict", "no/out.csv", words=("folder of no/out.csv", "create ")),
    "output is a folder": option("--predict", "folder.csv", words=("folder.csv is a folder", "name a file")),
    "output over the training file": option("--predict", "train.csv", words=("train.csv is also read", "another file")),
    "output over the pool": option("--predict", "./folder.csv/../pool.csv", words=("also read", "another file")),
    "output over the journal": option(
        "--predict", "run.csv", "--journal", "run.csv", words=("run.csv is also read", "another file")
    ),
    "journal over an input": option("--journal", "pool.csv", words=("the journal pool.csv", "another file")),
    "journal in a missing folder": option("--journal", "no/run.journal", words=("existing folder", "'no/run.journal'")),
    "journal that is another file": option("--journal", "notes.txt", words=("notes.txt", "another file")),
    "journal that is another database": option("--journal", "other.db", words=("other.db", "another file")),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with good inputs and with files that a wrong run must not touch."""
    monkeypatch.chdir(tmp_path)
    for name, content in {"train.csv": csv(TRAIN), "pool.csv": csv(UNLABELED), "test.csv": csv(TRUTH)}.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "out.csv").write_text("an older result\n")
    (tmp_path / "notes.txt").write_text("no database\n" * 100)
    with sqlite3.connect(tmp_path / "other.db") as db:
        db.execute("CREATE TABLE mine (a)")
    db.close()
    Journal(tmp_path / "run.journal")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def completed(args: tuple[str, ...]) -> list[str]:
    """The command with a journal and an output that are there already, unless it names its own."""
    extra = [] if "--journal" in args or "train.csv" not in args else ["--journal", "run.journal"]
    if args[0] == "select" and "--predict" not in args and "--unlabeled" in args:
        extra += ["--predict", "out.csv"]
    return [*args, *extra]


@pytest.mark.parametrize("name", slow_beyond(130, CASES))
def test_one_sentence_status_2_and_no_file_touched(folder: Path, name: str) -> None:
    case = CASES[name]
    case.write(folder)
    before = contents(folder)
    result = CliRunner().invoke(main, completed(case.args), input=case.piped)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    for word in case.words:
        assert word in result.stderr
    assert contents(folder) == before


def test_the_table_is_long_enough_and_its_twin_without_faults_runs(folder: Path) -> None:
    assert len(CASES) >= 130
    good = completed(("select", "train.csv", *LABEL, *POOL, *TEST, "--grid", "C=1,10"))
    assert CliRunner().invoke(main, good).exit_code == 0
    assert pd.read_csv("out.csv")["predicted_topic"].isin(["a", "b"]).all()


def test_a_separator_that_never_occurs_is_a_note(folder: Path) -> None:
    args = ["select", "train.csv", *LABEL, *POOL, "--label-separator", "|", "--grid", "C=1", "-v"]
    result = CliRunner().invoke(main, args)
    assert result.exit_code == 0
    assert "Note: the separator '|' occurs in no label of column 'topic' of train.csv" in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_beyond(1, ["truncated parquet", "negative C", "nothing piped"]))
def test_as_an_installed_command(folder: Path, name: str) -> None:
    case = CASES[name]
    case.write(folder)
    before = contents(folder)
    command = [str(Path(sys.executable).parent / "foldless"), *completed(case.args)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, input="")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert all(word in done.stderr for word in case.words)
    assert contents(folder) == before


def test_polars_files_with_faults_are_told_alike(folder: Path) -> None:
    pl.DataFrame({"x": [1.0, None], "topic": ["a", "b"]}).write_parquet("train.parquet")
    result = CliRunner().invoke(main, ["select", "train.parquet", *LABEL, "--min-per-class", "1"])
    assert result.exit_code == 2
    assert "'x' of train.parquet has no value in 1 row, first in row 2" in result.stderr
