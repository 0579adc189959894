"""The tree can be searched with ``ls``: few modules in the root, small folders and files, names that occur once."""

from collections import defaultdict
from pathlib import Path
from statistics import median

PACKAGE = Path(__file__).parents[1] / "src" / "foldless"
FILES = sorted(PACKAGE.rglob("*.py"))
MODULES = [path for path in FILES if path.name not in ("__init__.py", "_version.py")]
LINES = {path.relative_to(PACKAGE).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}


def test_the_root_has_at_most_six_modules() -> None:
    assert len([path for path in MODULES if path.parent == PACKAGE]) <= 6


def test_no_folder_has_more_than_twenty_files() -> None:
    folders = [path for path in (PACKAGE, *PACKAGE.rglob("*")) if path.is_dir() and path.name != "__pycache__"]
    files = {folder.relative_to(PACKAGE).as_posix(): sum(at.is_file() for at in folder.iterdir()) for folder in folders}
    assert {folder: n for folder, n in files.items() if n > 20} == {}


def test_a_file_name_occurs_twice_only_for_a_learner_and_its_solver() -> None:
    places = defaultdict(list)
    for path in MODULES:
        places[path.name.lstrip("_")].append(path.relative_to(PACKAGE).as_posix())
    repeated = {name: at for name, at in places.items() if len(at) > 1}
    assert {name: at for name, at in repeated.items() if not mirrored(at)} == {}


def mirrored(places: list[str]) -> bool:
    """Whether a learner and its solver are in folders of the same name."""
    learner, solver, *others = [tuple(place.replace("/_", "/").split("/")) for place in places]
    return not others and learner == ("learners", *solver[1:]) and solver[0] == "solvers"


def test_files_are_short() -> None:
    assert {path: n for path, n in LINES.items() if n > 400} == {}
    assert median(LINES.values()) <= 130
