"""Optuna's samplers with the race of foldless: `FoldlessObjective`. It needs ``pip install foldless[optuna]``."""

from foldless.integrations.optuna_objective import FoldlessObjective

__all__ = ["FoldlessObjective"]
