"""Rules of the tree: a folder is a thing, a class name is one thing, a private name stays where it is."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from helpers import sources

import foldless

ROOT = Path(__file__).parents[1]
SOURCES = Path(foldless.__file__).parent
API = (ROOT / "docs" / "api.rst").read_text(encoding="utf-8")
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PICTURE = re.compile(r"^## The way of a call$.*?^```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ARROW = re.compile(r"(?=\b(\w+) ([→←⇄]) (\w+)\b)")
SMALL = 3  # modules that make a folder without further reason
WHY = "a folder because "
COMMANDS = "foldless.cli.commands."
TWICE: set[str] = set()  # public class names that several modules have: may only shrink
INTRUDERS: set[str] = set()  # read private names: may only shrink
CIRCLES: set[tuple[str, str]] = set()  # packages that import against the picture: may only shrink
FOR_COMMANDS = {"foldless.core.compiled_code"}  # public for `foldless doctor`, and for nobody else


def modules() -> dict[str, Path]:
    """All files of the package by the names of their modules."""
    by_name = {}
    for path in sorted(SOURCES.rglob("*.py")):
        parts = path.relative_to(SOURCES.parent).with_suffix("").parts
        by_name[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return by_name


MODULES = modules()


def parsed(name: str) -> ast.Module:
    return sources.parsed(MODULES[name])


def defined(name: str) -> set[str]:
    """The names of classes, functions and values that a module defines itself."""
    names = set()
    for node in parsed(name).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return names


def api_names() -> dict[str, set[str]]:
    """The modules of the API page, each with the names it lists or has in a sentence."""
    names: dict[str, set[str]] = {}
    module = ""
    for line in API.splitlines():
        if at := re.match(r"\.\. (?:currentmodule|module|automodule):: (\S+)", line):
            module = at[1]
        elif line.startswith(".. criteria::"):
            criteria = import_module("foldless.criteria")
            names[module] |= {name for name in dir(criteria) if isinstance(getattr(criteria, name), type)}
        elif entry := re.fullmatch(r"   (\w+)", line):
            names[module].add(entry[1])
        else:
            names.get(module, set()).update(re.findall(r"``(\w+)``", line))
        names.setdefault(module, set())
    return names


def imports(name: str) -> Iterator[tuple[ast.ImportFrom, str, str]]:
    """What a module imports from others of the package, wherever it does: the statement, the module, the name."""
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "foldless":
            for alias in node.names:
                yield node, str(node.module), alias.name


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_a_small_folder_says_why_it_is_one() -> None:
    for name, path in MODULES.items():
        inside = [other for other in path.parent.iterdir() if other.suffix == ".py" or (other / "__init__.py").exists()]
        if path.name == "__init__.py" and len(inside) - 1 < SMALL:
            first = (ast.get_docstring(parsed(name)) or "").partition("\n")[0]
            assert WHY in first, (
                f"{name} has {len(inside) - 1} modules: put them into the folder above, or say in the first line of "
                f"its docstring why it is '{WHY}…'"
            )


def test_public_class_names_are_unique() -> None:
    classes = Counter(
        node.name
        for name in MODULES
        for node in parsed(name).body
        if isinstance(node, ast.ClassDef) and not is_private(node.name)
    )
    twice = {name for name, times in classes.items() if times > 1}
    assert not twice - TWICE, f"other classes have the names {sorted(twice - TWICE)}: name these after what they hold"
    assert not TWICE - twice, f"{sorted(TWICE - twice)} are unique now: take them out of TWICE in {__file__}"


def test_no_module_imports_private_names_of_another() -> None:
    private = [
        f"{name}:{node.lineno} {home}.{imported}"
        for name in MODULES
        for node, home, imported in imports(name)
        if is_private(imported) and f"{home}.{imported}" not in MODULES
    ]
    assert not private, "give these public names, or move what uses them:\n" + "\n".join(private)


def test_no_module_reads_private_attributes_of_another() -> None:
    private: dict[str, list[str]] = {}
    for name in MODULES:
        known = {
            alias.asname or alias.name
            for node, home, _ in imports(name)
            for alias in node.names
            if f"{home}.{alias.name}" in MODULES
        }
        for node in ast.walk(parsed(name)):
            of_module = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known
            if of_module and is_private(node.attr):
                private.setdefault(name, []).append(f"{name}:{node.lineno} {node.value.id}.{node.attr}")
    new = [line for name, lines in private.items() if name not in INTRUDERS for line in lines]
    assert not new, "give these public names, or move what uses them:\n" + "\n".join(new)
    better = sorted(INTRUDERS - set(private))
    assert not better, f"{better} read no private names any more: take them out of INTRUDERS in {__file__}"


def test_what_is_not_on_an_api_page_begins_with_an_underscore() -> None:
    api = api_names()
    exempt = FOR_COMMANDS | set(api)
    homes = [(module, name) for module, names in api.items() for name in names]
    public = []
    for name, path in MODULES.items():
        private = any(is_private(part) for part in name.split("."))
        if private or path.name == "__init__.py" or name in exempt or name.startswith(COMMANDS):
            continue
        if "removed_in=" in path.read_text(encoding="utf-8"):
            continue  # deprecated
        own = defined(name)
        if not any(
            listed in own and getattr(import_module(module), listed, None) is getattr(import_module(name), listed)
            for module, listed in homes
        ):
            public.append(name)
    assert not public, (
        "nothing in these modules is on the API page: list it there, or let their names begin with an underscore:\n"
        + "\n".join(public)
    )


def arrows() -> list[tuple[str, str, str]]:
    """The picture of a call in CONTRIBUTING: two packages, and which of them imports the other."""
    picture = PICTURE.search(GUIDE)
    assert picture is not None
    drawn = [match.groups() for line in picture[1].splitlines() for match in ARROW.finditer(line)]
    return [(b, "→", a) if arrow == "←" else (a, arrow, b) for a, arrow, b in drawn]


def package_imports() -> set[tuple[str, str]]:
    """Pairs of packages of which the first imports the second, also in functions and for type checking."""
    pairs = set()
    for name in MODULES:
        for _, home, imported in imports(name):
            inside = f"{home}.{imported}".split(".")[1]
            pairs.add(([*name.split("."), ""][1], inside))
    return pairs


def test_the_picture_of_a_call_is_that_of_the_imports() -> None:
    pairs, drawn = package_imports(), arrows()
    assert len(drawn) > 8
    assert {"data", "selection", "engine", "criteria", "results", "report"} <= {
        end for a, _, b in drawn for end in (a, b)
    }
    for a, arrow, b in drawn:
        assert (SOURCES / a).is_dir(), f"the picture in CONTRIBUTING.md has {a}, which is no folder"
        assert (SOURCES / b).is_dir(), f"the picture in CONTRIBUTING.md has {b}, which is no folder"
        if arrow == "→":
            assert (a, b) in pairs, f"{a} → {b} in CONTRIBUTING.md, but no module of {a} imports one of {b}"
        else:
            assert (a, b) not in pairs, f"{a} ⇄ {b} in CONTRIBUTING.md, but {a} imports {b}"
        assert (b, a) not in pairs or (b, a) in CIRCLES, f"{a} {arrow} {b} in CONTRIBUTING.md, but {b} imports {a}"
    better = sorted(CIRCLES - pairs)
    assert not better, f"{better} are no circles any more: take them out of CIRCLES in {__file__}"


def test_the_guide_has_every_folder() -> None:
    table = GUIDE.partition("## Where things are")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {folder for row in rows for folder in re.findall(r"`(\w+)/`", row)}
    folders = {path.parent.name for path in SOURCES.glob("*/__init__.py")}
    assert not folders - named, f"CONTRIBUTING.md does not say what {sorted(folders - named)} hold"
    assert not named - folders, f"CONTRIBUTING.md has {sorted(named - folders)}, which are no folders"
