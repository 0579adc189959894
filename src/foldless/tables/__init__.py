"""From files to X, y and pool: tables with a label column, and the columns a model reads."""

from foldless.tables.problem import Problem, load

__all__ = ["Problem", "load"]
