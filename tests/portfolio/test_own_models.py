"""Models by where they are: what is made, and what is wrong with a name."""

import sys
from pathlib import Path

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import Pipeline

from foldless.data._columns import Columns
from foldless.errors import BadInput
from foldless.portfolio import candidates, parameters, separated
from foldless.portfolio._own_models import own_model

NUMBERS = Columns({"x": "numeric", "town": "categorical"})
FILE = """
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

ready = LogisticRegression()

def make_model(C=2.0):
    return LogisticRegression(C=C)

def with_columns():
    return make_pipeline(make_column_transformer(("passthrough", ["x"])), LogisticRegression())

def number():
    return 3

def fails():
    raise RuntimeError("no such day")
"""


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_class_with_and_without_arguments() -> None:
    assert isinstance(own_model("sklearn.linear_model:LogisticRegression").classifier, LogisticRegression)
    made = own_model("sklearn.linear_model:LogisticRegression(C=0.5, class_weight='balanced')").classifier
    assert (made.C, made.class_weight) == (0.5, "balanced")
    assert own_model("sklearn.linear_model:Ridge").kind == "values"


def test_a_function_and_an_object_of_a_file(code: Path) -> None:
    assert own_model("own.py:make_model").classifier.C == 2.0
    assert own_model("own.py:make_model(C=3)").classifier.C == 3
    assert isinstance(own_model("own.py:ready").classifier, LogisticRegression)
    assert sum("own" in name and name.startswith("foldless_model_") for name in sys.modules) == 1


def test_candidates_stand_behind_the_columns_unless_they_read_them(code: Path) -> None:
    pipeline, grid = candidates({"own.py:make_model": {"C": [1, 2]}}, NUMBERS)["own.py:make_model"]
    assert list(pipeline.named_steps) == ["columns", "model"]
    assert grid == {"model__C": [1, 2]}
    alone, _ = candidates("own.py:with_columns", NUMBERS)["own.py:with_columns"]
    assert isinstance(alone, Pipeline)
    assert list(alone.named_steps) == ["model"]
    assert parameters("own.py:make_model")["C"] == 2.0


def test_commas_in_brackets_separate_arguments() -> None:
    assert separated("a:B(x=1,y=2), svc,c:D") == ["a:B(x=1,y=2)", "svc", "c:D"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own.py:", "does not say where a model is: write package.module:Class"),
        ("nowhere.py:make", "there is no file nowhere.py"),
        ("no_such_package.models:A", "install no_such_package"),
        ("own.py:other", "there is no other in own.py: it has .*make_model"),
        ("own.py:number", "is a int, and no scikit-learn estimator"),
        ("own.py:fails", "cannot be made .*no such day"),
        ("own.py:make_model(3)", "are not name=value with plain values"),
        ("own.py:make_model(C=open('x'))", "are not name=value with plain values"),
        ("sklearn.linear_model:LogisticRegression(D=3)", "cannot be made .*'D'"),
    ],
)
def test_what_is_wrong_with_a_name(code: Path, name: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        own_model(name)


def test_a_regressor_for_classes() -> None:
    assert isinstance(own_model("sklearn.linear_model:Ridge").classifier, Ridge)
    with pytest.raises(BadInput, match=r"Ridge is a regressor, and this is a classification"):
        candidates("sklearn.linear_model:Ridge", NUMBERS)
