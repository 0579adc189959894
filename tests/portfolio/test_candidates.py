"""Candidates by the names of their models: presets taken apart, names by which parameters are typed, and refusals."""

import pytest

from foldless.data._columns import Columns
from foldless.errors import BadInput
from foldless.portfolio import Facts, candidates, named_parameters, parameters, presets, with_presets

COLUMNS = Columns({"a": "number", "b": "number"})


def test_a_preset_is_taken_apart_and_a_grid_that_is_given_goes_first():
    assert with_presets("few-labels") == presets()["few-labels"].make(Facts())
    grids = with_presets({"few-labels": None, "self-training": {"C": [3]}})
    assert grids["self-training"] == {"C": [3]}
    with pytest.raises(BadInput, match="the preset few-labels has the grids of its models"):
        with_presets({"few-labels": {"C": [1]}})


def test_parameters_of_a_classifier_inside_another_have_their_own_names():
    assert parameters("self-training")["C"] == 1.0
    _, grid = candidates({"self-training": {"C": [1], "threshold": [0.9]}}, COLUMNS)["self-training"]
    assert grid == {"model__estimator__C": [1], "model__threshold": [0.9]}
    params = {"estimator": "self-training", "model__estimator__C": 1, "model__threshold": 0.9}
    assert named_parameters(params) == ("self-training", {"C": 1, "threshold": 0.9})


def test_a_name_means_a_classifier_or_a_regressor():
    classifier, regressor = (
        candidates("random-forest", COLUMNS, regression=values)["random-forest"][0] for values in (False, True)
    )
    assert type(classifier.named_steps["model"]).__name__ == "RandomForestClassifier"
    assert type(regressor.named_steps["model"]).__name__ == "RandomForestRegressor"


def test_what_it_refuses():
    with pytest.raises(BadInput, match="there is no model 'linear-svm': did you mean linear-svc"):
        candidates("linear-svm", COLUMNS)
    with pytest.raises(BadInput, match="ridge is a regressor, and this is a classification"):
        candidates("ridge", COLUMNS)
    with pytest.raises(BadInput, match="svc is a classifier, and this is a regression"):
        candidates("svc", COLUMNS, regression=True)
    with pytest.raises(BadInput, match="views are for gp-co-training, co-training, co-regularized"):
        candidates("svc", COLUMNS, [["a"], ["b"]])
    with pytest.raises(BadInput, match="co-training learns from two views of each row, got 0"):
        candidates("co-training", COLUMNS)
    with pytest.raises(BadInput, match="gradient-boosting cannot read the text column 'a'"):
        candidates("gradient-boosting", Columns({"a": "text"}))
