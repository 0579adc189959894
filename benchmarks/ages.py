"""Whether the code that kept results measure has changed since they were kept.

    python -m benchmarks.ages FOLDER …      after a run: these results are of the code as it is now

``results/measured.json`` has for each folder of results the commit and day they were kept, and a digest of the modules
they measure, without comments, docstrings and empty lines: words do not change a number. Results whose modules have
another digest today are older than the code, and every page with a table of them says so in its last paragraph, which
``python -m benchmarks.figures`` writes.
"""

import argparse
import ast
import hashlib
import json
import re
import subprocess
from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path

from benchmarks.places import RESULTS, ROOT

KEPT = RESULTS / "measured.json"
SOURCE = ROOT / "src" / "foldless"
CHOOSING = ("criteria", "data", "engine", "judging", "learners", "portfolio", "selection", "solvers")
MEASURED = {
    "balikas2015": ("bounds", "criteria/quantification_bound.py", "learners/linear", "quantifiers"),
    "certificates": ("bounds", "criteria/hold_out.py", "criteria/progressive.py", "criteria/semi_supervised_cv.py"),
    "end_to_end": CHOOSING,
    "kaariainen2005": ("bounds", "criteria/semi_supervised_cv.py", "learners/kernel_svm"),
    "kar2016": ("learners/online", "measures", "solvers/online"),
    "pfahringer": ("criteria/dagging.py", "criteria/k_fold.py", "learners/ensembles", "learners/kernel_svm"),
    "quantify": ("quantifiers",),
    "quanz2012": ("criteria/evidence.py", "learners/co_training", "learners/gaussian_process"),
    "scale": ("engine/cluster",),
    "ssl_book": ("criteria/ada.py", "criteria/similar_data.py", "criteria/tri.py", "learners/linear"),
}  # the modules without which a number of the results could not have been computed


def digest(parts: Iterable[str], source: Path = SOURCE) -> str:
    """The code of modules and packages; those that are not there count as empty."""
    hashed = hashlib.sha256()
    for file in sorted({file for part in parts for file in (source / part, *(source / part).rglob("*.py"))}):
        if not file.is_file():
            continue
        hashed.update(f"{file.relative_to(source).as_posix()}\n{_code(file)}".encode())
    return hashed.hexdigest()[:16]


def is_older(folder: str) -> bool:
    """Whether results are older than the code they measure."""
    return _kept()[folder]["code"] != digest(MEASURED[folder])


def sentence(folders: Iterable[str]) -> str:
    """What the last paragraph of a page says of its results."""
    said = []
    for folder in sorted(set(folders)):
        kept = _kept()[folder]
        since = "the code they measure has changed since" if is_older(folder) else "by the code as it is now"
        said.append(f"`{folder}`, stored on {kept['date']} (commit {kept['commit']}), {since}")
    return f"Results on this page: {'; '.join(said)}."


def _code(file: Path) -> str:
    """The lines of a module that are code."""
    text, words = file.read_text(encoding="utf-8"), set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            words |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code = (re.sub(r"\s+# .*$", "", line) for number, line in enumerate(text.splitlines(), 1) if number not in words)
    return "\n".join(line.rstrip() for line in code if line.strip() and not line.lstrip().startswith("#"))


def _kept() -> dict[str, dict[str, str]]:
    kept: dict[str, dict[str, str]] = json.loads(KEPT.read_text(encoding="utf-8"))
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", choices=list(MEASURED))
    kept, folders = _kept(), parser.parse_args().folders
    head = subprocess.check_output(["git", "rev-parse", "--short=8", "HEAD"], text=True, cwd=ROOT).strip()
    for folder in folders:
        code = digest(MEASURED[folder])
        kept[folder] = {"commit": head, "date": datetime.now(tz=timezone.utc).date().isoformat(), "code": code}
    KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
