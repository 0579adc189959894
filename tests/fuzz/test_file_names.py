"""Files may have any name: bytes that are no text, line ends, options, patterns, the longest that there are."""

import hashlib
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fuzz.apart import each_apart
from fuzz.whole_commands import READS, WRITES, drawn, ended_badly, table, words_of, write_models

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of files are other ones there"),
]

FEW, MANY, PATH_MAX = 60, 1000, 1000
ENDINGS = (
    b".csv", b".CSV", b".csv.gz.csv", b".parquet.csv", b".skops.csv", b".csv.csv", b".csv.parquet", b".csv.gz", b".gz",
    b".zst", b".csv.zst", b".zip", b".tar", b".xlsx", b".ods", b".sqlite", b".duckdb", b".json", b".jsonl", b".svm",
    b".txt", b".", b"", b".csv.", b".csv ", b".pkl", b".arrow", b".feather", b".tsv", b".csv\n", b".c\xffsv", b".skops",
    b".SKOPS", b".html", b".HTML", b".skops.html", b".svg", b".png", b".csv.unfinished",
)  # fmt: skip
KINDS = ("file",) * 12 + ("folder", "link", "lost link", "loop")
OTHER = 0.3  # of endings are of another kind
NAMES = (
    b"\xff\xfe", b"caf\xe9", b"\xc3\x28", b"a\nb", b"a\rb", b"a\tb", b"\x1b[31mred", b"-v", b"--json", b" ", b"a b",
    b"'", b'"', b"*", b"[ab]", b"{x}", b"%s%n", b"$(id)", b"`id`", b";", b"&", b"|", b"http:", b"s3:", b"a,b", b"~",
    b"..a", b"a.", b".a",
    b"\xe2\x80\xae", b"\xf0\x9f\x98\x80", b"\xef\xbb\xbf", b"CON", b"a\\b", b"x" * 240, b"x" * 255, b"\xc3\xa4" * 120,
    b"d/" * 20 + b"x", b"d/" * 3000 + b"x", b"y", b"\x01", b"\x7f",
)  # fmt: skip


def work_in(root: Path, models: dict[str, bytes]) -> Callable[[int], str]:
    contents = {"train": table(), "pool": table(40, 50, label=False), **models}
    endings = {"train": b".csv", "pool": b".csv", "model": b".skops", "stream": b".skops"}

    def work(seed: int) -> str:
        rng = random.Random(seed)
        folder = root / str(seed)
        folder.mkdir()
        os.chdir(folder)
        odd = set(rng.sample([*endings, "output"], rng.randint(1, 3)))
        names, digests = dict[str, str](), dict[bytes, str]()
        for what, content in contents.items():
            ending = rng.choice(ENDINGS) if what in odd and rng.random() < OTHER else endings[what]
            name = (rng.choice(NAMES) if what in odd else b"") + what.encode() + ending
            if put(name, content, rng.choice(KINDS) if what in odd else "file"):
                digests[name] = hashlib.sha256(content).hexdigest()
            names[what] = os.fsdecode(name)
        names["output"] = os.fsdecode(rng.choice(NAMES) if "output" in odd else b"output")
        template = drawn(rng, READS | {f"{name} writes": words for name, words in WRITES.items()})
        if "output" in odd and rng.random() < OTHER:
            names["output"] += os.fsdecode(rng.choice(ENDINGS))
            template = tuple("{output}" if word.startswith("{output}") else word for word in template)
        words = with_dashes(template, words_of(template, names), rng)
        wrong = ended_badly(words, rng.choice([None, "utf-8", "ascii", "cp1252"]))
        changed = [name for name, digest in digests.items() if _digest(name) != digest]
        return wrong or (f"{words}: changed {changed}" if changed else "")

    return work


def put(name: bytes, content: bytes, kind: str) -> bool:
    """Put a file there, or something else of that name; whether a file with that content is there."""
    try:
        if len(name) < PATH_MAX:
            os.makedirs(os.path.dirname(name) or b".", exist_ok=True)
        beside = os.path.basename(name)
        if kind == "folder":
            os.mkdir(name)
        elif kind != "file":
            os.symlink({"loop": beside}.get(kind, beside + b"-target"), name)
        if kind in ("file", "link"):
            with open(name, "wb") as file:  # a link leads to what is made
                file.write(content)
        return kind in ("file", "link")
    except OSError:  # too long for this file system: the command says so too
        return False


def with_dashes(template: tuple[str, ...], words: list[str], rng: random.Random) -> list[str]:
    """Names that look like options in the ways in which users write them, also the wrong one."""
    dashed = [word.startswith("-") and place.startswith("{") for place, word in zip(template, words, strict=True)]
    named = [place.startswith("{") and not template[at - 1].startswith("-") for at, place in enumerate(template)]
    how = rng.choice(["./", "./", "--", "as it is"])
    if how == "./":
        return [f"./{word}" if dash else word for word, dash in zip(words, dashed, strict=True)]
    if how == "--":
        options = [word for word, name in zip(words, named, strict=True) if not name]
        return [*options, "--", *(word for word, name in zip(words, named, strict=True) if name)]
    return words


def _digest(name: bytes) -> str:
    with open(name, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def faults(root: Path, n: int) -> list[tuple[int, str]]:
    models = write_models(root)
    return [(seed, wrong) for seed, wrong in enumerate(each_apart(work_in(root, models), n)) if wrong]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_any_name_is_read_and_written_or_refused(root: Path) -> None:
    assert faults(root, FEW) == []


@pytest.mark.nightly
def test_a_thousand_names_are_read_and_written_or_refused(root: Path) -> None:
    assert faults(root, MANY) == []
