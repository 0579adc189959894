"""Models that are saved and loaded are the same models; files that nobody saved are refused."""

import dataclasses
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
import skops.io
from helpers.slow import slow_beyond
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.tree import DecisionTreeClassifier

from foldless import FoldlessSearch, __version__
from foldless.core import Certificate
from foldless.data._columns import Columns, prepare, recognize
from foldless.errors import BadInput
from foldless.learners import DecidedClassifier
from foldless.portfolio import models
from foldless.results.selection import Selection
from foldless.saving import model_files
from foldless.tables import candidates

MODELS = models("one view")

N = 60
FEW = {"random-forest": {"n_estimators": [5]}, "gradient-boosting": {"max_iter": [3]}}


class Odd(TransformerMixin, BaseEstimator):
    """A type that nobody trusts."""

    def fit(self, X: Any, y: Any = None) -> "Odd":
        return self

    def transform(self, X: Any) -> Any:
        return X


def table() -> pd.DataFrame:
    """A column of each kind."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "x": rng.normal(size=N) + np.arange(N) % 2,
            "color": pd.Series(rng.choice(["red", "green", "blue"], N), dtype=object),
            "flag": rng.random(N) < 0.5,
            "when": pd.date_range("2024-01-01", periods=N, freq="31h"),
            "body": pd.Series([f"word{at % 7} other{at} thing" for at in range(N)], dtype=object),
        }
    )


LABELS = np.array(["no", "yes"], dtype=object)[np.arange(N) % 2]
X, Y = np.random.default_rng(1).normal(size=(N, 3)) + (np.arange(N) % 2)[:, None], np.arange(N) % 2


def selected(estimator: Any, X: Any = X, y: Any = Y, grid: Any = None) -> Selection:
    search = FoldlessSearch(estimator, grid, random_state=0).fit(X[:40], y[:40], X_unlabeled=X[40:])
    return search.selection_


def prepared(names: list[str], missing: str = "error") -> tuple[pd.DataFrame, Columns]:
    frame = table()[names]
    if missing == "impute":
        frame = frame.astype({"flag": "boolean"})
        frame.loc[3, names] = None
    columns = recognize(frame, "t", missing)  # type: ignore[arg-type]  # a parameter of the test
    return prepare(frame, columns, "t", "t"), columns


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(content: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, raw in content.items():
            archive.writestr(name, raw)
    return buffer.getvalue()


def forged(like: Path, model: Any = None, **changes: Any) -> Path:
    """A file with another model or another document, and the digest that belongs to it."""
    content = members(like)
    document = {**json.loads(content.pop(model_files.MEMBER)), **changes}
    document.pop("digest")
    raw = zipped(content) if model is None else skops.io.dumps(model)
    path = like.with_name("forged.skops")
    path.write_bytes(model_files.sealed(raw, document))
    return path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "model.skops"
    model_files.save(selected(LogisticRegression(), grid={"C": [0.1, 10]}), path)
    return path


@pytest.mark.parametrize(
    ("name", "text", "missing"),
    slow_beyond(
        2,
        [(name, False, "error") for name in MODELS]
        + [(name, True, "impute") for name, model in MODELS.items() if not model.dense],
    ),
)
def test_every_named_model_comes_back(tmp_path: Path, name: str, text: bool, missing: str) -> None:
    X, columns = prepared(["x", "color", "flag", "when", *["body"] * text], missing)
    pipeline, grid = candidates({name: FEW.get(name)}, columns)[name]
    selection = selected(pipeline, X, LABELS, {key: values[:1] for key, values in grid.items()})
    model_files.save(selection, tmp_path / "m.skops", model_files.Schema("topic", columns))
    kept = model_files.load(tmp_path / "m.skops")
    assert kept.schema == model_files.Schema("topic", columns)
    assert kept.classes == ("no", "yes")
    assert kept.notes == ()
    for method in ("predict", "predict_proba", "decision_function"):
        if hasattr(selection.model, method):
            np.testing.assert_array_equal(getattr(kept.model, method)(X), getattr(selection.model, method)(X))
    assert len(set(kept.model.predict(X))) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "grid", [{"p": [1]}, {"p": [3]}, {"metric": ["chebyshev"]}, {"metric": ["cosine"]}, {"algorithm": ["ball_tree"]}]
)
def test_neighbors_by_any_distance(tmp_path: Path, grid: dict[str, list[Any]]) -> None:
    frame, columns = prepared(["x", "flag"])
    pipeline, named = candidates({"nearest-neighbors": grid}, columns)["nearest-neighbors"]
    selection = selected(pipeline, frame, LABELS, named)
    model_files.save(selection, tmp_path / "m.skops")
    np.testing.assert_array_equal(
        model_files.load(tmp_path / "m.skops").model.predict(frame), selection.model.predict(frame)
    )


@pytest.mark.parametrize("estimator", [LabelSpreading(), SelfTrainingClassifier(LogisticRegression())])
@pytest.mark.parametrize("classes", [[-1, 7], ["no", "yes"], [False, True]])
def test_semi_supervised_models_keep_the_users_labels(tmp_path: Path, estimator: Any, classes: list[Any]) -> None:
    selection = selected(estimator, X, np.array(classes)[Y])
    model_files.save(selection, tmp_path / "m.skops")
    kept = model_files.load(tmp_path / "m.skops")
    assert kept.classes == tuple(classes)
    assert type(kept.classes[0]) is type(classes[0])
    np.testing.assert_array_equal(kept.model.predict(X), selection.model.predict(X))
    np.testing.assert_array_equal(kept.model.predict_proba(X), selection.model.predict_proba(X))


def test_the_file_is_a_skops_file_without_pickles(saved: Path) -> None:
    model = skops.io.load(saved)
    assert isinstance(model, LogisticRegression)
    content = members(saved)
    assert {model_files.MEMBER, "schema.json"} < set(content)
    for name, raw in content.items():
        if name.endswith(".npy"):
            np.load(io.BytesIO(raw), allow_pickle=False)
        else:
            json.loads(raw)


@pytest.mark.filterwarnings("ignore:1 of 3 candidates failed")
def test_the_file_tells_how_the_model_was_chosen(tmp_path: Path) -> None:
    certificate = Certificate("error", 0.21, 0.95, "by hand", ("rows are independent",))
    selection = selected(LogisticRegression(), grid={"C": [0.1, 10, -1]})
    model_files.save(dataclasses.replace(selection, certificate=certificate), tmp_path / "m.skops")
    kept = model_files.load(tmp_path / "m.skops")
    told = kept.selection
    assert (told["criterion"], told["score"]) == ("auto", selection.best.score)
    assert told["params"] == selection.best.candidate.params
    assert [entry["candidate"] for entry in told["ranking"]] == selection.table()["candidate"].tolist()
    assert (told["ranking"][0]["rank"], told["ranking"][-1]["rank"]) == (1, None)
    assert told["ranking"][-1]["notes"][0].startswith("failed: ")
    assert {entry["class"]: entry["pool"] for entry in told["shares"]} == selection.shares.to_dict()
    assert told["n_fits"] == dict(selection.n_fits)
    assert tuple(told["assumes"]) == selection.assumes
    assert Certificate.from_dict(told["certificate"]) == certificate
    assert kept.versions["foldless"] == __version__
    assert kept.schema is None


def test_any_change_breaks_the_digest(saved: Path) -> None:
    content = members(saved)
    assert model_files.load(forged(saved)).classes == (0, 1)  # the same with a digest of its own is no change
    document = json.loads(content[model_files.MEMBER])
    document["selection"]["score"] = 1.0
    changes = [{**content, name: raw[:-1] + bytes([raw[-1] ^ 1])} for name, raw in content.items() if ".npy" in name]
    changes += [
        {**content, model_files.MEMBER: json.dumps(document).encode()},
        {**content, "schema.json": content["schema.json"].replace(b"lbfgs", b"sagas")},
        {**content, "more.npy": b"1"},
        {name: raw for name, raw in content.items() if name == model_files.MEMBER or ".npy" not in name},
    ]
    assert len(changes) > 6
    for change in changes:
        saved.write_bytes(zipped(change))
        with pytest.raises(BadInput, match=r"model\.skops does not match its digest"):
            model_files.load(saved)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_is_there_twice_is_refused(saved: Path) -> None:
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr("schema.json", archive.read("schema.json"))
    with pytest.raises(BadInput, match="digest"):
        model_files.load(saved)


def test_untrusted_types_are_named(saved: Path) -> None:
    for model, name in {
        make_pipeline(Odd(), LogisticRegression()): f"{Odd.__module__}.Odd",
        make_pipeline(FunctionTransformer(os.system), LogisticRegression()): "posix.system",
    }.items():
        with pytest.raises(BadInput, match=rf"untrusted types, {name}: load only what foldless saved"):
            model_files.load(forged(saved, model))


def test_a_model_that_could_not_be_loaded_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "m.skops"
    with pytest.raises(BadInput, match=r"types that foldless does not load, .*\.Odd: choose"):
        model_files.save(selected(make_pipeline(Odd(), LogisticRegression())), path)
    with pytest.raises(BadInput, match="no model to save"):
        model_files.save(dataclasses.replace(selected(LogisticRegression()), model=None), path)
    assert list(tmp_path.iterdir()) == []


def test_another_version_is_told_or_refused(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = forged(saved, versions={"scikit-learn": "0.1"})
    (note,) = model_files.load(other).notes
    assert f"saved with scikit-learn 0.1 and this is {sklearn.__version__}" in note

    def fail(content: bytes) -> Any:
        raise AttributeError("no such thing")

    monkeypatch.setattr(model_files, "opened", fail)
    with pytest.raises(BadInput, match=r"no such thing.*install scikit-learn 0\.1"):
        model_files.load(other)
    with pytest.raises(BadInput, match=r"no such thing.*damaged or forged: save"):
        model_files.load(saved)


def test_content_that_does_not_pass_its_check_is_refused(saved: Path) -> None:
    forest = RandomForestClassifier(2, random_state=0).fit(X, Y)
    forest.estimators_[1] = DecisionTreeClassifier().fit(X[:, :2], Y)
    with pytest.raises(BadInput, match=r"RandomForestClassifier that no training makes: it is forged"):
        model_files.load(forged(saved, forest))
    with pytest.raises(BadInput, match=r"no training makes: it was saved with .*: install scikit-learn 0\.1"):
        model_files.load(forged(saved, forest, versions={"scikit-learn": "0.1"}))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"format": 4}, f"has format 4, and foldless {__version__} reads formats up to 3: update foldless"),
        ({"format": "1"}, "does not record its format, got '1'"),
        ({"versions": None}, "does not record its versions"),
        ({"classes": "ab"}, "does not record its classes"),
        ({"schema": {"label": "a", "columns": {"kinds": {}, "mood": 1}}}, "unknown mood"),
        ({"schema": {"columns": {"kinds": {}}}}, "does not know (label)"),
        ({"schema": {"label": 1, "columns": {"kinds": {}}}}, "does not know (label)"),
        ({"schema": {"label": "a", "columns": {"kinds": {"x": "odd"}}}}, "does not know (columns.kinds.x)"),
        ({"schema": {"label": "a", "columns": {"kinds": {}, "width": -1}}}, "does not know (a number below 0)"),
        ({"schema": {"label": "a", "columns": [1]}}, "does not know (columns)"),
        ({"schema": {"label": "a", "columns": {"kinds": {}, "width": True}}}, "does not know (columns.width)"),
        ({"classes": [[1]]}, "does not record its classes.0"),
        ({"versions": {"scikit-learn": 1}}, "does not record its versions.scikit-learn"),
        ({"selection": {}}, "does not record its selection.criterion"),
        (
            {"selection": {"criterion": None, "candidate": 1, "score": None, "assumes": [], "certificate": None}},
            "does not record its selection.candidate",
        ),
        (
            {"selection": {"criterion": None, "candidate": "a", "score": None, "assumes": [], "certificate": {"a": 1}}},
            "is damaged",
        ),
    ],
)
def test_a_document_must_be_known(saved: Path, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput) as error:
        model_files.load(forged(saved, **changes))
    assert told in str(error.value)


@pytest.mark.parametrize("broken", ["write_bytes", "replace"])
def test_a_file_is_written_whole_or_not_at_all(
    saved: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:  # fmt: skip
    before = saved.read_bytes()

    def fail(*args: Any) -> None:
        if broken == "write_bytes":
            Path.open(args[0], "wb").close()
        raise OSError(28, "No space left on device")

    owner: Any = Path if broken == "write_bytes" else os
    monkeypatch.setattr(owner, broken, fail)
    with pytest.raises(BadInput, match=r"cannot be written .No space left on device.: name another file"):
        model_files.save(selected(LogisticRegression()), saved)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


@pytest.mark.slow
def test_an_average_whose_members_share_a_wide_preparation_loads(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"c{at}": rng.choice(list("xyz"), 60) for at in range(100)})
    y = np.where(rng.random(60) < 0.5, "a", "b")
    grids = {"logistic-regression": {"C": [0.001, 0.01, 0.1, 1, 10]}, "linear-svc": {"C": [0.01, 0.1, 1, 10]}}
    search = FoldlessSearch(candidates(grids, recognize(frame, "t")), criterion="combination", random_state=0)
    search.fit(frame, y)
    assert len(search.selection_.members) > 5
    decided = DecidedClassifier(search.best_estimator_, costs=np.array([[0, 1], [5, 0]])).around(search.best_estimator_)
    model_files.save(dataclasses.replace(search.selection_, model=decided), tmp_path / "model.skops")
    loaded = model_files.load(tmp_path / "model.skops").model
    assert loaded.predict(frame).tolist() == decided.predict(frame).tolist()
