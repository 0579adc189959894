"""The models and criteria that a page offers for a problem."""

import inspect
from typing import Any

from foldless.criteria import BY_NAME
from foldless.portfolio import models, presets
from foldless.tables import Problem


def offered_models(problem: Problem) -> list[dict[str, Any]]:
    """Names of models that can read the columns, with what their grids vary."""
    readable = {
        name: model for name, model in models("one view").items() if not (model.dense and problem.columns.of("text"))
    }
    found = [{"name": name, "varies": _varies(model.grid)} for name, model in readable.items()]
    found += [
        {"name": name, "varies": f"with and without the pool: {', '.join(own)}"} for name, own in presets().items()
    ]
    if problem.views:
        found += [{"name": name, "varies": _varies(model.grid)} for name, model in models("two views").items()]
    return found


def offered_criteria() -> list[dict[str, str]]:
    """Names of criteria, with the idea of each."""
    return [{"name": name, "idea": (inspect.getdoc(kind) or "").partition("\n")[0]} for name, kind in BY_NAME.items()]


def _varies(grid: Any) -> str:
    return ", ".join(f"{len(values)} × {key}" for key, values in grid.items())
