"""Gradient boosting of LightGBM, XGBoost and CatBoost: their own formats, which their own code reads.

skops writes these models in the formats of their makers. LightGBM and XGBoost follow the numbers of a tree without
looking at their bounds when they predict: every child must come behind its parent and inside the tree, so that each row
reaches a leaf, and every feature must be one that the model has. What CatBoost reads cannot be seen from Python: a
forged file may crash it.
"""

import json
from itertools import pairwise
from typing import Any

import numpy as np

from foldless.saving._plain_shapes import descend, within

CONTAINERS = ("collections.OrderedDict", "collections.defaultdict")
ESTIMATORS = (
    "lightgbm.sklearn.LGBMClassifier", "lightgbm.sklearn.LGBMRegressor",
    "xgboost.sklearn.XGBClassifier", "xgboost.sklearn.XGBRegressor",
    "xgboost.sklearn.XGBRFClassifier", "xgboost.sklearn.XGBRFRegressor",
    "catboost.core.CatBoostClassifier", "catboost.core.CatBoostRegressor",
)  # fmt: skip


def _estimator(model: Any) -> bool:
    """Whether no attribute stands in for a method."""
    return not any(callable(getattr(type(model), name, None)) for name in vars(model))


def _lightgbm(booster: Any) -> bool:
    """The text of a LightGBM model: a header, then a block for each tree."""
    head, *trees = booster.model_to_string(num_iteration=-1).split("\nTree=")
    n_features = int(_fields(head)["max_feature_idx"]) + 1
    return all(_is_lightgbm_tree(_fields(text.partition("\n\n\n")[0]), n_features) for text in trees)


def _is_lightgbm_tree(tree: dict[str, str], n_features: int) -> bool:
    n_leaves, n_categories = int(tree["num_leaves"]), int(tree["num_cat"])
    if len(_numbers(tree, "leaf_value")) != max(1, n_leaves) or tree.get("is_linear", "0") != "0":
        return False
    if n_leaves <= 1:
        return True
    features, left, right = (_numbers(tree, name) for name in ("split_feature", "left_child", "right_child"))
    kinds, thresholds = _numbers(tree, "decision_type"), tree["threshold"].split()
    n = n_leaves - 1
    if {len(features), len(left), len(right), len(kinds), len(thresholds)} != {n}:
        return False
    ways = all(at < child < n if child >= 0 else -child <= n_leaves for both in (left, right)
               for at, child in enumerate(both))  # fmt: skip
    categorical = [int(float(threshold)) for threshold, kind in zip(thresholds, kinds, strict=True) if kind & 1]
    known = all(0 <= feature < n_features for feature in features)
    return ways and known and _are_categories(tree, n_categories, categorical)


def _are_categories(tree: dict[str, str], n_categories: int, used: list[int]) -> bool:
    if not n_categories:
        return not used
    borders, words = _numbers(tree, "cat_boundaries"), _numbers(tree, "cat_threshold")
    rising = borders[0] == 0 and borders[-1] == len(words) and all(a <= b for a, b in pairwise(borders))
    return rising and len(borders) == n_categories + 1 and all(0 <= at < n_categories for at in used)


def _fields(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def _numbers(tree: dict[str, str], name: str) -> list[int]:
    return [int(float(word)) for word in tree[name].split()]


def _xgboost(booster: Any) -> bool:
    """The JSON of an XGBoost model: trees, or trees with weights."""
    learner = json.loads(bytes(booster.save_raw("json")))["learner"]
    n_features = int(learner["learner_model_param"]["num_feature"])
    n_groups = max(1, int(learner["learner_model_param"]["num_class"]))
    boosted = learner["gradient_booster"]
    if boosted["name"] not in ("gbtree", "dart"):
        return False
    model = boosted["model"] if boosted["name"] == "gbtree" else boosted["gbtree"]["model"]
    in_groups = all(0 <= group < n_groups for group in model["tree_info"])
    return in_groups and all(_is_xgboost_tree(tree, n_features) for tree in model["trees"])


def _is_xgboost_tree(tree: dict[str, Any], n_features: int) -> bool:
    left, right, features = (np.array(tree[name]) for name in ("left_children", "right_children", "split_indices"))
    if not left.shape == right.shape == features.shape or int(tree["tree_param"]["size_leaf_vector"]) > 1:
        return False
    if any(tree.get("split_type", ())):  # categories have arrays of their own
        return False
    inner = np.flatnonzero(left != -1)
    pairs = np.array_equal(inner, np.flatnonzero(right != -1))
    return pairs and descend(inner, left[inner], right[inner], len(left)) and within(features[inner], n_features)


CHECKS = {
    "lightgbm.basic.Booster": _lightgbm,
    "xgboost.core.Booster": _xgboost,
    **dict.fromkeys(ESTIMATORS, _estimator),
}
