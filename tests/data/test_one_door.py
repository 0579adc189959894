"""One door: one function opens user data, what it makes is handed on whole, and so are the options of files."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.sources import parsed

import foldless

SOURCE = Path(foldless.__file__).parent
MAX_PARAMETERS = 10  # parameters of a function that is no public signature
PUBLIC = {
    ("integrations/optuna_objective.py", "__init__"),
    ("selection/certify.py", "certify"),
    ("selection/check.py", "check"),
    ("selection/compare.py", "compare"),
    ("selection/cost.py", "cost"),
    ("selection/estimate.py", "estimate"),
    ("selection/quantify.py", "quantify"),
    ("selection/search.py", "__init__"),
    ("streams/train.py", "train"),
    ("tables/checked_files.py", "check_files"),
    ("tables/problem.py", "read_problem"),
}
READERS = ("label_sets", "present_labels", "present_values", "read_classes", "read_values", "opened_pool")


def modules(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders or [""]:
        for path in sorted((SOURCE / folder).rglob("*.py")):
            yield path.relative_to(SOURCE).as_posix(), parsed(path)


def callers(*names: str) -> set[tuple[str, str]]:
    """The modules that call functions of these names."""
    return {
        (module, node.func.id)
        for module, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    }


def n_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return len([argument for argument in every if argument.arg not in ("self", "cls")])


def test_only_open_sample_makes_a_sample() -> None:
    assert callers("Sample") == {("data/_opening.py", "Sample")}


def test_nobody_else_reads_the_labels_or_opens_the_pool_of_a_user() -> None:
    outside = {(module, name) for module, name in callers(*READERS) if not module.startswith("data/")}
    assert outside == {("selection/as_grid_search/_chosen_model.py", "label_sets")}  # score(X, y) of a fitted search


def test_every_call_of_a_user_opens_its_data_by_that_function() -> None:
    assert {module for module, _ in callers("open_sample")} == {
        "integrations/optuna_objective.py",
        *(
            f"selection/{name}.py"
            for name in ("certify", "check", "compare", "cost", "estimate", "evaluate", "quantify", "search")
        ),
    }


def test_one_object_has_the_options_of_columns() -> None:
    assert {module for module, _ in callers("ColumnOptions")} == {
        "streams/train.py",
        "tables/measured_tables.py",
        "tables/checked_files.py",
        "tables/problem.py",
    }


@pytest.mark.parametrize("folder", ["data", "integrations", "selection", "streams", "tables"])
def test_options_are_handed_on_as_objects(folder: str) -> None:
    many = {
        (module, node.name)
        for module, tree in modules(folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and n_parameters(node) > MAX_PARAMETERS
    }
    assert many <= PUBLIC


def test_a_choice_is_asked_for_with_six_arguments() -> None:
    tree = dict(modules("selection"))["selection/_road.py"]
    (choose,) = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "choose"]
    assert n_parameters(choose) <= 6
