"""Damaged journals of the labeling page are refused in one sentence and left as they are, or hold possible labels."""

import json
import random
from pathlib import Path

import pytest

from foldless.app._label_journal import LabelJournal
from foldless.errors import BadInput

pytestmark = pytest.mark.slow  # hundreds of damaged files

FEW, MANY, ROWS = 200, 2000, 50
ABOUT = {"label": "topic", "pool": "0f"}
VALUES = (
    b"null", b"[]", b"{}", b"-1", b"50", b"1e400", b"NaN", b"Infinity", b"true", b'"\xff"', b'"\\ud800"', b"9" * 5000,
    b"[" * 2000 + b"]" * 2000, b'{"a":' * 300 + b"1" + b"}" * 300, b"0.5", b'"a"', b"1" + b"0" * 30, b"",
)  # fmt: skip
KEYS = (b'"row"', b'"label"', b'"p"', b'"batch"', b'"of"', b'"skip"', b'"undo"', b'"round"', b'"foldless labels"')


def sound(rng: random.Random, path: Path) -> bytes:
    journal = LabelJournal(path, ABOUT, ROWS)
    for _ in range(rng.randrange(1, 12)):
        entry = {"row": rng.randrange(ROWS), "label": rng.choice(["a", "b", 3, "ä\u2028"])}
        if rng.random() < 0.5:
            entry |= {"p": rng.choice([None, 0.25]), "batch": 1, "of": 30}
        journal.append(rng.choice([entry, {"row": entry["row"], "skip": True}, {"round": {"labels": 3}}]))
    journal.close()
    return path.read_bytes()


def mutated(rng: random.Random, content: bytes) -> bytes:
    """The journal after one to three accidents."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(content) + 1)
        lines = content.split(b"\n")
        line = rng.randrange(len(lines))
        how = rng.randrange(8)
        if how == 0:
            content = content[:at]
        elif how == 1 and at < len(content):
            content = content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]
        elif how == 2:
            content = content[:at] + rng.choice(VALUES) + content[at:]
        elif how == 3:
            lines[line] = (
                b"{"
                + rng.choice(KEYS)
                + b":"
                + rng.choice(VALUES)
                + b'\
,"row":1}'
            )
            content = b"\n".join(lines)
        elif how == 4:
            lines.insert(line, lines[rng.randrange(len(lines))])
            content = b"\n".join(lines)
        elif how == 5:
            del lines[line]
            content = b"\n".join(lines)
        elif how == 6:
            content = content.replace(rng.choice(KEYS), rng.choice(KEYS))
        else:
            content = content.replace(rng.choice([b":1", b":30", b'"a"', b"null"]), b":" + rng.choice(VALUES))
    return content


def fault(seed: int, folder: Path) -> str:
    """What is wrong with how a damaged journal is taken; empty where nothing is."""
    rng = random.Random(seed)
    folder.mkdir()
    path = folder / "labels.jsonl"
    content = mutated(rng, sound(rng, path))
    path.write_bytes(content)
    try:
        journal = LabelJournal(path, ABOUT, ROWS)
    except BadInput as error:
        left = [each.name for each in folder.iterdir()]
        return "" if path.read_bytes() == content and left == [path.name] else f"changed though refused: {error}"
    labels, skipped = journal.state()
    json.dumps(journal.drawn())
    if not all(0 <= row < ROWS for row in (*labels, *skipped)):
        return f"rows out of range: {labels}"
    if not all(isinstance(label, str | int | float) for label in labels.values()):
        return f"labels that are none: {labels}"
    journal.append({"row": 1, "label": "a"})
    journal.close()
    again = LabelJournal(path, ABOUT, ROWS)
    again.close()
    torn = b"".join(each.read_bytes() for each in folder.glob("*.torn-*"))
    if content[len(content) - len(torn) :] != torn or (again.labels | {1: "a"}) != (labels | {1: "a"}):
        return "a part of it is lost"
    return ""


def faults(folder: Path, n: int) -> list[str]:
    said = {seed: fault(seed, folder / str(seed)) for seed in range(n)}
    return [f"{seed}: {wrong}" for seed, wrong in said.items() if wrong]


def test_a_damaged_journal_is_refused_or_sound(tmp_path: Path) -> None:
    assert faults(tmp_path, FEW) == []


@pytest.mark.nightly
def test_two_thousand_damaged_journals_are_refused_or_sound(tmp_path: Path) -> None:
    assert faults(tmp_path, MANY) == []
