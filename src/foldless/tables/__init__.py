"""Files instead of arrays: read a problem, name the candidates, label a new table.

What the command line does with files, in Python:

* `read_problem` reads labeled rows, unlabeled pool and test rows, and recognizes their columns;
* `candidates` makes candidates of the names of models, behind the preparation of these columns;
* `predict_table` labels a new file with a saved model;
* `evaluate_table` and `estimate_table` say how good a saved model is on a file of labeled rows.

``MODELS`` and ``TWO_VIEWS`` hold the models that have a name, ``NAMES`` the names, and
``PRESETS`` names for several models at once, such as "few-labels".
"""

from foldless.tables.catalog import (
    MODELS,
    NAMES,
    PRESETS,
    TWO_VIEWS,
    candidates,
    named_parameters,
    parameters,
    with_presets,
)
from foldless.tables.estimated_table import estimate_table
from foldless.tables.evaluated_table import evaluate_table
from foldless.tables.predictions import Predictions, predict_table, unlabeled_note
from foldless.tables.problem import Problem, read_problem

__all__ = [
    "MODELS",
    "NAMES",
    "PRESETS",
    "TWO_VIEWS",
    "Predictions",
    "Problem",
    "candidates",
    "estimate_table",
    "evaluate_table",
    "named_parameters",
    "parameters",
    "predict_table",
    "read_problem",
    "unlabeled_note",
    "with_presets",
]
