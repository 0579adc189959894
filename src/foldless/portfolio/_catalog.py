"""The names of models and presets, for help pages that import no model; `_candidates` has what they mean."""

ONE_VIEW = (
    "linear-svc",
    "logistic-regression",
    "svc",
    "random-forest",
    "gradient-boosting",
    "nearest-neighbors",
    "naive-bayes",
    "manifold-gp",
    "label-spreading",
    "neighbor-spreading",
    "label-propagation",
    "self-training",
)
TWO_VIEW = ("gp-co-training", "co-training", "co-regularized")
PRESET = ("few-labels",)
OF_VALUES = ("ridge", "lasso", "kernel-ridge", "random-forest", "gradient-boosting", "nearest-neighbors")
EVERY = (*ONE_VIEW, *TWO_VIEW, *PRESET, *(name for name in OF_VALUES if name not in ONE_VIEW))
