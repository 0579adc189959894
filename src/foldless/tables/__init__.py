"""Files instead of arrays: read a problem, name the candidates, label a new table.

What the command line does with files, in Python:

* `read_problem` reads labeled rows, unlabeled pool and test rows, and recognizes their columns;
* `candidates` makes candidates of the names of models, behind the preparation of these columns;
* `predict_table` labels a new file with a saved model, and `predict_file` one that is larger than memory;
* `with_labels` and `labeled_table` take labels for rows of the pool;
* `pool_groups` are the values of a column of the pool, for `foldless.quantify`;
* `FileOptions` says how files are written, where that cannot be seen: delimiter, decimal mark, encoding, dates, sheet;
* `check_files` says what is wrong with files;
* `evaluate_table` and `estimate_table` say how good a saved model is on a file of labeled rows.

The models that have a name are in the catalog of `foldless.portfolio`; ``MODELS``, ``TWO_VIEWS``, ``NAMES`` and
``PRESETS``, their names here, are deprecated. Names are looked up when they are first used.
"""

from typing import TYPE_CHECKING, Any

from foldless import portfolio
from foldless._deprecations import warn_deprecated
from foldless._on_demand import on_demand
from foldless.portfolio import candidates, named_parameters, parameters, with_presets

if TYPE_CHECKING:
    from foldless.io._dialect import FileOptions
    from foldless.tables.checked_files import check_files
    from foldless.tables.group_column import pool_groups
    from foldless.tables.measured_tables import estimate_table, evaluate_table
    from foldless.tables.pool_labels import labeled_table, with_labels
    from foldless.tables.predicted_files import PredictedFile, predict_file
    from foldless.tables.predictions import Predictions, predict_table, unlabeled_note
    from foldless.tables.problem import Problem, read_problem

__all__ = [
    "FileOptions",
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

_look_up, __dir__ = on_demand(__name__)

_IN_CATALOG = {
    "MODELS": ("models", "one view"),
    "TWO_VIEWS": ("models", "two views"),
    "NAMES": ("names", "one view", "two views"),
    "PRESETS": ("presets",),
}


def __getattr__(name: str) -> Any:
    if name not in _IN_CATALOG:
        return _look_up(name)
    function, *kinds = _IN_CATALOG[name]
    call = f"foldless.portfolio.{function}({', '.join(map(repr, kinds))})"
    warn_deprecated(f"{__name__}.{name}", removed_in="0.5", remedy=f"use {call}")
    return getattr(portfolio, function)(*kinds)
