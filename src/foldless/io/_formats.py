"""Which format a file has: by its ending, or by its content where nothing else says it.

Compressed text has two endings, the second of which says how: ``.csv.gz``, ``.jsonl.zst``.
"""

import re
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, get_args

from foldless.errors import BadInput, ReadAs
from foldless.io._sources import CODECS, Codec, Source

Format = Literal["csv", "tsv", "jsonl", "svmlight", "parquet", "arrow", "xlsx", "ods", "sqlite", "duckdb"]

FORMATS: tuple[Format, ...] = get_args(Format)
TEXT: tuple[Format, ...] = ("csv", "tsv", "jsonl", "svmlight")
WRITTEN: tuple[Format, ...] = ("csv", "tsv", "jsonl", "parquet")
STREAMED: tuple[Format, ...] = ("csv", "tsv", "parquet")
ENDINGS: dict[str, Format] = {
    ".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".tsv": "tsv", ".tab": "tsv", ".txt": "csv",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".xlsx": "xlsx",
    ".xlsm": "xlsx", ".xls": "xlsx", ".ods": "ods", ".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite",
    ".duckdb": "duckdb", ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight",
}  # fmt: skip
READ_ONLY = ".txt"  # which may hold anything: what is written says by its ending what it is
SVMLIGHT = re.compile(rb"\s*([-+\d.eE,]+\s+)?(qid:\d+\s+)?\d+:[-+\d.eE]+(\s|$)")


def by_ending(path: Path) -> tuple[Format | None, Codec | None]:
    """The format and the compression that the name of a file says."""
    name, codec = path.name.lower(), None
    for ending, its in CODECS.items():
        if name.endswith(ending):
            name, codec = name.removesuffix(ending), its
    return ENDINGS.get(Path(name).suffix), codec


def by_content(source: Source) -> Format:
    """The format of unpacked bytes; anything that looks like no other is CSV."""
    head = source.head(4096)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"SQLite format 3\0"):
        return "sqlite"
    if head.startswith((b"ARROW1", b"FEA1", b"\xff\xff\xff\xff")):
        return "arrow"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"{", b"[")):
        return "jsonl"
    first = next((line for line in text.splitlines() if not line.startswith(b"#")), b"")
    if SVMLIGHT.match(first):
        return "svmlight"
    return "tsv" if b"\t" in first and b"," not in first else "csv"


def check_known(path: Path, done: Literal["read", "written"]) -> tuple[Format, Codec | None]:
    """The format and the compression of a file that is read or written; an error where its ending names none."""
    kind, codec = by_ending(path)
    among = FORMATS if done == "read" else WRITTEN
    ending = "".join(path.suffixes[-2:] if codec else path.suffixes[-1:]).lower()
    read_only = done == "written" and ending.startswith(READ_ONLY)
    if kind not in among or read_only or (codec is not None and kind not in TEXT):
        shown = f"the ending {ending!r}" if ending else "no ending"
        endings = [
            ending for ending, its in ENDINGS.items() if its in among and (done == "read" or ending != READ_ONLY)
        ]
        problem = (
            f"{path} has {shown}, and tables are {done} as {', '.join(endings)}; text files may also be compressed "
            f"(.gz, .zst)"
        )
        near = get_close_matches(ending, endings, n=1) if codec is None else []
        named = [f"name it {path.with_suffix(near[0]).name} if that is its format"] if near else []
        as_text = [ReadAs((("format", "csv"),), "read it as text")] if done == "read" else []
        raise BadInput(problem, value=ending, place=str(path), remedy=(*named, *as_text))
    return kind, codec
