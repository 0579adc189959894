"""What is published: dependencies are declared, and versions agree."""

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import foldless

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "foldless"
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def imported(path: Path) -> set[str]:
    """The packages that a file imports, wherever it does."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0}
    return {name.partition(".")[0] for name in names}


def declared(table: str) -> set[str]:
    found = re.search(rf"^{table} = \[(.*?)\]", PROJECT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return {name.lower() for name in re.findall(r'"([\w-]+)', found[1])}


@pytest.mark.slow
def test_every_import_is_a_declared_dependency() -> None:
    names = set().union(*map(imported, PACKAGE.rglob("*.py"))) - sys.stdlib_module_names - {"foldless"}
    distributions = packages_distributions()
    wanted = {distributions.get(name, [name])[0].lower() for name in names}
    extras = set().union(*map(declared, ("optuna", "quapy", "dask", "app", "excel", "duckdb", "text")))
    brought = {"polars", "ray", "cloudpickle", "ipython"}  # what users have: frames, backends, notebooks
    assert wanted - declared("dependencies") == extras | brought
    assert declared("dependencies") - wanted == set()  # and nothing is installed for nothing


def test_the_citation_has_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {foldless.__version__}\n" in citation


def test_types_are_published() -> None:
    assert (PACKAGE / "py.typed").is_file()
