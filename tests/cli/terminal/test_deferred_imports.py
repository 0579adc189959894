"""What is deferred arrives when it is used, and is the real thing afterwards."""

import gc
import subprocess
import sys
from importlib.metadata import PackageNotFoundError

import pytest

from foldless.cli.terminal._deferred_imports import LATER, TESTED, Later, NoDoc, StandIn, deferred, is_tested

CODE = """
import sys
from foldless.cli.terminal._deferred_imports import LATER, StandIn, deferred, import_all
import_all("sklearn.compose", "sklearn.preprocessing")
assert not any(isinstance(module, StandIn) for module in sys.modules.values())
assert not {"scipy.stats", "scipy.optimize"} & set(sys.modules)

from sklearn.utils import fixes
assert fixes._mode([[1, 2], [1, 3]]).mode.tolist() == [[1, 2]]  # by scipy.stats
from sklearn.metrics import roc_auc_score
assert roc_auc_score([0, 1, 1], [0.1, 0.4, 0.3]) == 1.0
from sklearn.compose import TransformedTargetRegressor
assert TransformedTargetRegressor().fit([[0.0], [1.0]], [0.0, 1.0]).predict([[2.0]]).round(6).tolist() == [2.0]
from sklearn.preprocessing import QuantileTransformer, SplineTransformer
assert SplineTransformer(n_knots=3).fit_transform([[0.0], [1.0], [2.0]]).shape == (3, 5)
QuantileTransformer(n_quantiles=2, output_distribution="normal").fit_transform([[0.0], [1.0]])
import asyncio, scipy.stats, scipy.optimize, scipy.spatial.distance, sklearn.linear_model
assert scipy.stats.norm.ppf(0.5) == 0 and callable(asyncio.run)
assert "Regression" in sklearn.linear_model.LogisticRegression.__name__
print("real")
"""


UNKNOWN = """
import importlib.metadata, sys
from foldless.cli.terminal import deferred_imports as imports
finders = list(sys.meta_path)
importlib.metadata.version = lambda name: "2.0.1"
with imports.deferred():
    assert sys.meta_path == finders
    import scipy.stats
assert type(scipy.stats.rankdata).__name__ == "function"
print("as ever")
"""


@pytest.mark.skipif(not is_tested(), reason="versions that stand-ins are not tested with: nothing is deferred")
def test_stand_ins_are_gone_and_what_was_taken_from_them_works() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", CODE], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("real\n", "")


def test_with_other_versions_nothing_is_deferred() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", UNKNOWN], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("as ever\n", "")


@pytest.mark.parametrize(
    ("found", "tested"), [("1.9.1", True), ("1.9.2rc1", True), ("1.10.0", False), ("1.8.2", False), ("2.9.1", False)]
)
def test_versions_count_by_their_major_and_minor_number(
    monkeypatch: pytest.MonkeyPatch, found: str, tested: bool
) -> None:
    other = {"scikit-learn": found, "scipy": f"{TESTED['scipy'][-1]}.3"}
    monkeypatch.setattr("importlib.metadata.version", other.__getitem__)
    assert is_tested() is tested


def test_a_package_without_a_version_is_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert not is_tested()


def test_a_name_of_later_is_called_read_and_derived_from() -> None:
    ordered, path = Later("collections", "OrderedDict"), Later("os", "path")
    assert ordered(a=1) == {"a": 1}
    assert path.join("a", "b").endswith("b")
    assert isinstance(ordered(), ordered)
    assert issubclass(type(ordered()), ordered)

    class Derived(ordered):  # type: ignore[misc,valid-type]
        pass

    assert Derived(b=2) == {"b": 2}


def test_a_docstring_that_is_left_out_can_be_written_to() -> None:
    doc = NoDoc(len)
    doc["Notes"].append("a note")
    doc["Parameters"] = ["one"]
    assert (doc["Notes"], doc["Parameters"]) == (["a note"], ["one"])
    assert str(doc).split("\n", 1)[1].lstrip(" \n") == ""


def test_nothing_is_deferred_in_a_process_that_has_scikit_learn() -> None:
    import sklearn  # noqa: F401 (is there)

    finders = list(sys.meta_path)
    with deferred():
        assert sys.meta_path == finders
        assert gc.isenabled()
    assert not any(isinstance(sys.modules.get(name), StandIn) for name in LATER)
    with pytest.raises(AttributeError):
        _ = StandIn("nothing").__wrapped__
