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
NAMES = (
    b"\xff\xfe", b"caf\xe9", b"\xc3\x28", b"a\nb", b"a\rb", b"a\tb", b"\x1b[31mred", b"-v", b"--json", b" ", b"a b",
    b"'", b'"', b"*", b"[ab]", b"{x}", b"%s%n", b"$(id)", b"`id`", b";", b"&", b"|", b"http:", b"s3:", b"a,b", b"~",
    b"..a", b"a.", b".a",
    b"\xe2\x80\xae", b"\xf0\x9f\x98\x80", b"\xef\xbb\xbf", b"CON", b"a\\b", b"x" * 240, b"x" * 255, b"\xc3\xa4" * 120,
    b"d/" * 20 + b"x", b"d/" * 3000 + b"x", b"y", b"\x01", b"\x7f",
)  # fmt: skip


def work_in(root: Path, models: dict[str, bytes]) -> Callable[[int], str]:
    contents = {"train": table(), "pool": table(40, 50, label=False), **models}

    def work(seed: int) -> str:
        rng = random.Random(seed)
        folder = root / str(seed)
        folder.mkdir()
        os.chdir(folder)
        endings = {"train": ".csv", "pool": ".csv", "model": ".skops", "stream": ".skops"}
        odd = set(rng.sample([*endings, "output"], rng.randint(1, 3)))
        names, digests = dict[str, str](), dict[bytes, str]()
        for what, content in contents.items():
            name = (rng.choice(NAMES) if what in odd else b"") + what.encode() + endings[what].encode()
            try:
                if len(name) < PATH_MAX:
                    os.makedirs(os.path.dirname(name) or b".", exist_ok=True)
                with open(name, "wb") as file:
                    file.write(content)
                digests[name] = hashlib.sha256(content).hexdigest()
            except OSError:  # too long for this file system: the command says so too
                pass
            names[what] = os.fsdecode(name)
        names["output"] = os.fsdecode(rng.choice(NAMES) if "output" in odd else b"output")
        words = words_of(drawn(rng, READS | {f"{name} writes": words for name, words in WRITES.items()}), names)
        places = [at for at, word in enumerate(words) if word in names.values() and word.startswith("-")]
        for at in places:
            words[at] = f"./{words[at]}"
        wrong = ended_badly(words)
        changed = [name for name, digest in digests.items() if _digest(name) != digest]
        return wrong or (f"{words}: changed {changed}" if changed else "")

    return work


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
