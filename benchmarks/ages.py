"""Whether the code that kept results measure has changed since they were kept.

    python -m benchmarks.ages FOLDER …                   after a run: these results are of the code as it is now
    python -m benchmarks.ages FOLDER … --commit COMMIT   or of the code of that commit
    python -m benchmarks.ages --rewritten COMMIT         after a refactoring: golden runs are those of that commit

``results/measured.json`` has for each folder of results the commit and day they were kept, and a digest of the modules
they measure (`measurements`), without comments, docstrings and empty lines: words do not change a number. Results whose
modules have another digest today are older than the code, and every page with a table of them says so in its last
paragraph, which ``python -m benchmarks.figures`` writes. A refactoring changes the digest and no number: where the
golden runs of two commits are the same to the last digit, results of the first are those of the second too, and pages
say so; times are not, for golden runs have none. Numbers that were printed before what is printed was kept have a line
in the file too, and no folder.
"""

import argparse
import ast
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from functools import cache
from pathlib import Path

from benchmarks.measurements import MEASUREMENTS, QUIET
from benchmarks.measuring import commit
from benchmarks.places import RESULTS, ROOT

KEPT = RESULTS / "measured.json"
SOURCE = ROOT / "src" / "foldless"
GOLDEN = ROOT / "tests" / "golden" / "compare.py"
NOW = "by the code as it is now"


def digest(parts: Iterable[str], source: Path = SOURCE) -> str:
    """The code of modules and packages; those that are not there count as empty."""
    hashed = hashlib.sha256()
    for file in sorted({file for part in parts for file in (source / part, *(source / part).rglob("*.py"))}):
        if not file.is_file():
            continue
        code = _code(file, file.stat().st_mtime_ns)
        hashed.update(f"{file.relative_to(source).as_posix()}\n{code}".encode())
    return hashed.hexdigest()[:16]


def is_older(folder: str) -> bool:
    """Whether results are older than the code they measure."""
    return _kept()[folder]["code"] != digest(MEASUREMENTS[folder].measures)


def to_measure() -> list[str]:
    """Names of what was never kept or is older than the code it measures, the oldest first."""
    days = {name: _kept().get(name, {}).get("date", "") if _is_kept(name) else "" for name in MEASUREMENTS}
    return sorted((name for name in days if not days[name] or is_older(name)), key=days.__getitem__)


def note(folder: str, of: str | None = None, code: str | None = None) -> None:
    """Results are of the code as it is now, or of the commit and the digest with which their run began."""
    code = digest(MEASUREMENTS[folder].measures) if code is None else code
    _write(folder, of or commit(), datetime.now(tz=timezone.utc).date().isoformat(), code)


def note_of_commit(folder: str, of: str) -> None:
    """Results are of the code of a commit."""
    with _source_of(of) as source:
        code = digest(MEASUREMENTS[folder].measures, source)
    asked = ["git", "log", "-1", "--abbrev=8", "--date=short", "--format=%h %cd", of]
    short, date = subprocess.check_output(asked, cwd=ROOT, text=True).split()
    _write(folder, short, date, code)


def note_rewritten(base: str) -> list[str]:
    """Keep results of a commit whose golden runs are those of the files as they are; an error where runs differ."""
    subprocess.run([sys.executable, GOLDEN, "--base", base], cwd=ROOT, check=True)
    known, rewritten = _kept(), []
    with _source_of(base) as source:
        for name, line in known.items():
            measured = MEASUREMENTS[name]
            if measured.needs != QUIET and is_older(name) and line["code"] == digest(measured.measures, source):
                line |= {"code": digest(measured.measures), "rewritten": "until " + commit()}
                rewritten.append(name)
    _keep(known)
    return rewritten


@contextmanager
def _source_of(of: str) -> Iterator[Path]:
    """The package as it was in a commit."""
    with tempfile.TemporaryDirectory() as there:
        packed = subprocess.check_output(["git", "archive", of, "src/foldless"], cwd=ROOT)
        subprocess.run(["tar", "-x", "-C", there], input=packed, check=True)
        yield Path(there) / "src" / "foldless"


def sentence(folders: Iterable[str]) -> str:
    """What the last paragraph of a page says of its results."""
    said, known = [], _kept()
    for folder in sorted({*folders} | {short for name in folders if (short := f"{name}_short") in known}):
        kept = known[folder]
        since = "by code that was rewritten since, with the same golden runs" if "rewritten" in kept else NOW
        since = "the code they measure has changed since" if is_older(folder) else since
        of = f"on {kept['date']} (commit {kept['commit']})"
        how = f"stored {of}" if _is_kept(folder) else f"printed {of} and not stored"
        said.append(f"`{folder}`, {how}, {since}")
    return f"Results on this page: {'; '.join(said)}."


@cache
def _code(file: Path, _changed: int) -> str:
    """The lines of a module that are code; read once, as long as it does not change."""
    text, words = file.read_text(encoding="utf-8"), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            words |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code = (re.sub(r"\s+# .*$", "", line) for number, line in enumerate(text.splitlines(), 1) if number not in words)
    return "\n".join(line.rstrip() for line in code if line.strip() and not line.lstrip().startswith("#"))


def _write(folder: str, of: str, date: str, code: str) -> None:
    _keep(_kept() | {folder: {"commit": of, "date": date, "code": code}})


def _keep(lines: dict[str, dict[str, str]]) -> None:
    KEPT.write_text(json.dumps(lines, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _is_kept(folder: str) -> bool:
    return (RESULTS / folder).is_dir()


def _kept() -> dict[str, dict[str, str]]:
    kept: dict[str, dict[str, str]] = json.loads(KEPT.read_text(encoding="utf-8"))
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="of results, a name of `measurements`")
    parser.add_argument("--commit", help="whose code they measure; else the code as it is now")
    parser.add_argument("--rewritten", metavar="COMMIT", help="the last one before the code was rewritten")
    typed = parser.parse_args()
    if unknown := [name for name in typed.folders if name not in MEASUREMENTS]:
        parser.error(f"no measurement is called {unknown[0]!r}, but {', '.join(MEASUREMENTS)}")
    if typed.rewritten:
        print("of rewritten code:", ", ".join(note_rewritten(typed.rewritten)) or "nothing")
    for folder in typed.folders:
        note_of_commit(folder, typed.commit) if typed.commit else note(folder)


if __name__ == "__main__":
    main()
