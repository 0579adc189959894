"""The models that have a name, in one catalog, and the lists of default candidates.

The catalog is one table: `names` and `models` are by kind, "one view", "two views", "values" or "preset". None of
these imports a model or scikit-learn.
"""

from foldless.portfolio._candidates import candidates, default_candidates, named_parameters, parameters, with_presets
from foldless.portfolio._catalog import Facts, NamedModel, Preset, models, names, presets
from foldless.portfolio._own_models import is_own, separated

__all__ = [
    "Facts",
    "NamedModel",
    "Preset",
    "candidates",
    "default_candidates",
    "is_own",
    "models",
    "named_parameters",
    "names",
    "parameters",
    "presets",
    "separated",
    "with_presets",
]
