"""What the documents say is what the code does."""

import doctest
import importlib
import importlib.util
import pkgutil
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

import foldless
from foldless import FoldlessSearch
from foldless.criteria import REGISTERED

ROOT = Path(__file__).parents[2]


def blocks(document, language):
    text = (ROOT / document).read_text(encoding="utf-8")
    return [
        "\n".join(line.removeprefix("   ") for line in block.splitlines()) if document == "CONTRIBUTING.md" else block
        for block in re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)
    ]


@pytest.mark.slow
def test_the_readme_runs(capsys):
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # LinearSVC at C=1000
        for block in blocks("README.md", "python"):
            exec(block, names)
    assert names["search"].best_params_["C"] in np.logspace(-4, 3, 8)
    assert set(names["comparison"].selections) >= {"auto", "quantification_bound", "k_fold(k=10)"}
    assert "quantification_bound" in capsys.readouterr().out


@pytest.mark.slow
def test_the_readme_opens_with_what_the_example_prints():
    printed = subprocess.run(
        [sys.executable, ROOT / "examples" / "minus_one.py"], capture_output=True, text=True, check=True, timeout=120
    ).stdout
    assert printed.strip() == blocks("README.md", "text")[0].strip()


def test_the_criterion_of_the_contributing_guide_works(monkeypatch):
    monkeypatch.setattr("foldless.criteria.REGISTERED", dict(REGISTERED))  # other tests do not see its name
    names = {"__name__": "stability"}
    exec(blocks("CONTRIBUTING.md", "python")[0], names)
    X, y = make_classification(300, 6, random_state=0)
    search = FoldlessSearch(LogisticRegression(), {"C": [1e-3, 1, 1e3]}, criterion=names["Stability"](), random_state=0)
    search.fit(X[:60], y[:60], X_unlabeled=X[60:])
    constant, *others = search.cv_results_["mean_test_score"]  # C=0.001 predicts one class, as stable as can be
    assert constant == 0
    assert search.best_score_ == max(others)
    with pytest.raises(ValueError, match="stability needs unlabeled rows"):
        search.fit(X[:60], y[:60])


MODULES = [module.name for module in pkgutil.walk_packages(foldless.__path__, "foldless.")]


def has_examples(name):
    spec = importlib.util.find_spec(name)
    return ">>> " in Path(spec.origin).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MODULES if has_examples(name)])
def test_docstrings_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_module_can_be_imported():
    assert all(importlib.import_module(name).__doc__ for name in MODULES)
