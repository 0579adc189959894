"""One table of names: no model is imported for a name, and every entry can be made."""

import subprocess
import sys
from itertools import product

import pytest
from sklearn.base import is_classifier, is_regressor

from foldless.portfolio import Facts, models, names, presets
from foldless.portfolio._catalog import CATALOG


def test_a_name_and_its_kind_occur_once():
    entries = [(entry.name, entry.kind) for entry in CATALOG]
    assert len(set(entries)) == len(entries)
    assert set(names()) == {name for name, _ in entries}
    assert len(set(names())) == len(names())


def test_names_are_those_of_models_and_presets():
    assert names("one view", "two views") == (*models("one view"), *models("two views"))
    assert names("values") == tuple(models("values"))
    assert names("preset") == tuple(presets()) == ("portfolio", "few-labels")


def test_names_import_neither_models_nor_scikit_learn():
    code = "import sys; from foldless.portfolio import names; names(); print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("kind", ["one view", "two views", "values"])
def test_every_model_can_be_made_and_has_what_its_grid_names(kind):
    for model in models(kind).values():
        assert (is_regressor if kind == "values" else is_classifier)(model.classifier), model.name
        known = {key.rpartition("__")[2] for key in model.classifier.get_params()}
        assert set(model.grid) <= known, model.name


def test_a_preset_has_models_of_the_catalog_and_parameters_that_they_have():
    for preset, text, pool in product(presets().values(), (False, True), (False, True)):
        for name, points in preset.make(Facts(text, pool, words=text, mixed=text)).items():
            for grid in [points] if isinstance(points, dict) else points:
                known = {key.rpartition("__")[2] for key in models("one view")[name].classifier.get_params()}
                assert set(grid) <= known, name
