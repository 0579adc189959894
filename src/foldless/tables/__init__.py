"""Files instead of arrays: read a problem, name the candidates, label a new table.

What the command line does with files, in Python:

* `read_problem` reads labeled rows, unlabeled pool and test rows, and recognizes their columns;
* `candidates` makes candidates of the names of models, behind the preparation of these columns;
* `predict_table` labels a new file with a saved model, and `predict_file` one that is larger than memory;
* `with_labels` and `labeled_table` take labels for rows of the pool;
* `pool_groups` are the values of a column of the pool, for `foldless.quantify`;
* `check_files` says what is wrong with files;
* `evaluate_table` and `estimate_table` say how good a saved model is on a file of labeled rows.

The models that have a name are in the catalog of `foldless.portfolio`; ``MODELS``, ``TWO_VIEWS``, ``NAMES`` and
``PRESETS`` are views of it that will go. Names are looked up when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from foldless import portfolio
from foldless.portfolio import candidates, named_parameters, parameters, with_presets

if TYPE_CHECKING:
    from foldless.tables.checked_files import check_files
    from foldless.tables.estimated_table import estimate_table
    from foldless.tables.evaluated_table import evaluate_table
    from foldless.tables.group_column import pool_groups
    from foldless.tables.pool_labels import labeled_table, with_labels
    from foldless.tables.predicted_files import PredictedFile, predict_file
    from foldless.tables.predictions import Predictions, predict_table, unlabeled_note
    from foldless.tables.problem import Problem, read_problem

__all__ = [
    "MODELS",
    "NAMES",
    "PRESETS",
    "TWO_VIEWS",
    "PredictedFile",
    "Predictions",
    "Problem",
    "candidates",
    "check_files",
    "estimate_table",
    "evaluate_table",
    "labeled_table",
    "named_parameters",
    "parameters",
    "pool_groups",
    "predict_file",
    "predict_table",
    "read_problem",
    "unlabeled_note",
    "with_labels",
    "with_presets",
]

MODELS, TWO_VIEWS, PRESETS = portfolio.models("one view"), portfolio.models("two views"), portfolio.presets()
NAMES = portfolio.names("one view", "two views")

_HOMES = {
    "checked_files": ("check_files",),
    "estimated_table": ("estimate_table",),
    "evaluated_table": ("evaluate_table",),
    "group_column": ("pool_groups",),
    "predicted_files": ("PredictedFile", "predict_file"),
    "pool_labels": ("labeled_table", "with_labels"),
    "predictions": ("Predictions", "predict_table", "unlabeled_note"),
    "problem": ("Problem", "read_problem"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
