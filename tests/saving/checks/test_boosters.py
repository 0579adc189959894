"""Forged trees of LightGBM and XGBoost are refused; those that were trained are not."""

import json
from importlib import import_module

import numpy as np
import pytest
from sklearn.datasets import make_classification

from foldless.saving.checks import CHECKS
from foldless.saving.checks._boosters import ESTIMATORS

X, Y = make_classification(150, random_state=0)
LIGHT, XG = CHECKS["lightgbm.basic.Booster"], CHECKS["xgboost.core.Booster"]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_name_is_that_of_an_estimator_and_has_a_check(name: str) -> None:
    module, _, kind = name.rpartition(".")
    pytest.importorskip(name.partition(".")[0])
    estimator = getattr(import_module(module), kind)
    assert f"{estimator.__module__}.{estimator.__qualname__}" == name
    assert CHECKS[name](estimator())


@pytest.mark.parametrize("n_classes", [2, 3])
def test_trained_models_are_sound(n_classes: int) -> None:
    lightgbm, xgboost = pytest.importorskip("lightgbm"), pytest.importorskip("xgboost")
    y = (Y + (X[:, 0] > 1)).clip(0, n_classes - 1)
    light = lightgbm.LGBMClassifier(n_estimators=4, verbosity=-1, n_jobs=1).fit(X, y)
    assert LIGHT(light.booster_)
    assert XG(xgboost.XGBClassifier(n_estimators=4, n_jobs=1).fit(X, y).get_booster())
    assert XG(xgboost.XGBClassifier(n_estimators=4, booster="dart", n_jobs=1).fit(X, y).get_booster())
    mixed = np.column_stack([X, np.arange(150) % 7])
    categories = lightgbm.LGBMClassifier(n_estimators=4, verbosity=-1, n_jobs=1)
    assert LIGHT(categories.fit(mixed, np.arange(150) % 7 > 3, categorical_feature=[20]).booster_)


@pytest.mark.parametrize(
    ("field", "value"), [("left_child", "99"), ("right_child", "0"), ("split_feature", "1000"), ("left_child", "-999")]
)
def test_a_forged_tree_of_lightgbm(field: str, value: str) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    booster = lightgbm.LGBMClassifier(n_estimators=1, verbosity=-1, n_jobs=1).fit(X, Y).booster_

    class Forged:
        def model_to_string(self, num_iteration: int) -> str:
            lines = booster.model_to_string(num_iteration=num_iteration).splitlines()
            at = next(i for i, line in enumerate(lines) if line.startswith(f"{field}="))
            lines[at] = f"{field}=" + " ".join([value, *lines[at].partition("=")[2].split()[1:]])
            return "\n".join(lines)

    assert LIGHT(booster)
    assert not LIGHT(Forged())


@pytest.mark.parametrize(("field", "value"), [("left_children", 999), ("right_children", 0), ("split_indices", 1000)])
def test_a_forged_tree_of_xgboost(field: str, value: int) -> None:
    xgboost = pytest.importorskip("xgboost")
    booster = xgboost.XGBClassifier(n_estimators=1, n_jobs=1).fit(X, Y).get_booster()

    class Forged:
        def save_raw(self, raw_format: str) -> bytes:
            model = json.loads(bytes(booster.save_raw(raw_format)))
            model["learner"]["gradient_booster"]["model"]["trees"][0][field][0] = value
            return json.dumps(model).encode()

    assert not XG(Forged())
