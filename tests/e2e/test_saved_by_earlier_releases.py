"""Files of earlier releases load, predict the same and are resumed, wherever the classes in them live by now.

They were made on another machine, perhaps with another scikit-learn. What only loads under the scikit-learn that is
written in a file is skipped under others, where foldless names the remedy.
"""

import importlib.metadata
import importlib.util
import json
import shutil
import sqlite3
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.base
from helpers.command import run

from foldless.engine import _keys as keys
from foldless.engine._journal import Journal
from foldless.errors import BadInput
from foldless.saving import model_files as keeping

SAVED = Path(__file__).parents[1] / "fixtures" / "saved_0_1"
VERSIONS = json.loads((SAVED / "versions.json").read_text())
MODELS = sorted(path.stem for path in (SAVED / "models").glob("*.skops"))
TABLES = sorted(path.stem for path in (SAVED / "tables").glob("*.skops"))
STREAM = ["stream", "train", "stream.csv", "--label", "topic", "--batch", "50", "--hold", "20", "--every", "50"]
SELECT = [
    "select", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--model", "logistic-regression", "--model",
    "linear-svc", "--grid", "C=0.01,1,100", "--criterion", "k_fold", "--seed", "3", "--journal", "select.db", "--json",
    "--no-estimate",
]  # fmt: skip
# What one rounding on another processor grows to, relative to the largest weight: nemsis and scan keep their rows in
# single precision, of which a rounding is 6e-8. A perturbation of stream.csv by 1e-6 moves their weights by 2e-6 of the
# largest, and those of one-pass in proportion to the perturbation, down to 1e-15.
GROWTH = {"nemsis": 1e-6, "scan": 1e-6, "one-pass": 1e-9}
NAMED = 50  # classes of foldless in the files of 0.1: all that it could save
same_scikit_learn = pytest.mark.skipif(
    sklearn.__version__ != VERSIONS["scikit-learn"],
    reason=f"scikit-learn's own parameters are part of it, as they were in {VERSIONS['scikit-learn']}",
)


def journaled() -> Any:
    """The runs whose answers the journal holds."""
    spec = importlib.util.spec_from_file_location("journaled", SAVED / "journaled.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["journaled"] = module
    spec.loader.exec_module(module)
    return module


RUNS = journaled().RUNS


def loaded(path: Path) -> Any:
    try:
        return keeping.load(path).model
    except BadInput as error:
        if sklearn.__version__ != VERSIONS["scikit-learn"] and "install scikit-learn" in str(error):
            pytest.skip(str(error))
        raise


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with copies of the files, which keep no times of change."""
    for part in ("tables", "stream", "journal"):
        for path in (SAVED / part).iterdir():
            shutil.copyfile(path, tmp_path / path.name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A journal's key covers the versions of libraries: here they are those that the files were made with."""
    real, now = importlib.metadata.version, {**VERSIONS, "foldless": "99"}  # foldless itself may be any release
    monkeypatch.setattr(importlib.metadata, "version", lambda name: now.get(name) or real(name))
    monkeypatch.setattr(sklearn.base, "__version__", VERSIONS["scikit-learn"])
    keys._module_version.cache_clear()
    yield
    keys._module_version.cache_clear()


def names_in(value: Any) -> Iterator[str]:
    """The types that a skops schema names."""
    if isinstance(value, dict):
        if "__class__" in value:
            yield f"{value['__module__']}.{value['__class__']}"
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from names_in(part)


def test_the_files_name_every_class_that_could_be_saved() -> None:
    found: set[str] = set()
    for path in SAVED.glob("*/*.skops"):
        with zipfile.ZipFile(path) as archive:
            found |= set(names_in(json.loads(archive.read("schema.json"))))
    assert len({name for name in found if name.startswith("foldless.")}) == NAMED


@pytest.mark.parametrize("name", MODELS)
def test_a_model_answers_as_it_did(name: str) -> None:
    model = loaded(SAVED / "models" / f"{name}.skops")
    with np.load(SAVED / "models" / f"{name}.npz", allow_pickle=False) as recorded:
        X = recorded["X"].tolist() if recorded["X"].dtype.kind == "U" else recorded["X"]
        for method in set(recorded.files) - {"X"}:
            now = np.asarray(getattr(model, method)(X))
            if method == "predict":
                np.testing.assert_array_equal(now, recorded[method])
            else:
                np.testing.assert_allclose(now, recorded[method], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", TABLES)
def test_the_command_line_predicts_as_it_did(folder: Path, name: str) -> None:
    model = loaded(folder / f"{name}.skops")
    asked = ["--probabilities" if hasattr(model, "predict_proba") else "--no-probabilities"]
    run("predict", f"{name}.skops", "table.csv", *asked, "--output", "now.csv")
    now, then = pd.read_csv("now.csv"), pd.read_csv(f"{name}.csv")
    now = now[[column for column in now if not column.startswith("predicted_") or not column.endswith("_probability")]]
    label = list(now)[-1 - len([column for column in now if column.startswith("P(")])].removeprefix("predicted_")
    now = now.drop(columns=label, errors="ignore").rename(columns={f"predicted_{label}": label})  # 0.1 replaced it
    if "when" in now:  # 0.1 wrote dates in its own way, and now they go out as they came in
        assert (now["when"] == pd.read_csv("table.csv")["when"]).all()
        now["when"] = then["when"]
    pd.testing.assert_frame_equal(now, then, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("learner", GROWTH)
def test_a_checkpoint_is_resumed_to_the_weights_of_one_run(folder: Path, learner: str) -> None:
    train = [*STREAM, "--learner", learner, "--json"]
    run(*train, "--save", "whole.skops")
    document = json.loads(run(*train, "--checkpoint", f"{learner}.checkpoint", "--save", "resumed.skops").stdout)
    assert document["notes"][:1] == [f"it resumed from {learner}.checkpoint, after 150 rows"]
    assert document["stream"]["rows"] == 300
    whole, resumed = (keeping.load(f"{name}.skops").model[-1] for name in ("whole", "resumed"))
    with np.load(SAVED / "stream" / f"{learner}.npz") as recorded:
        for name in ("coef", "intercept"):
            now = getattr(resumed, f"{name}_")
            for weights in (getattr(whole, f"{name}_"), recorded[name]):  # the checkpoint is of another processor
                np.testing.assert_allclose(now, weights, rtol=0, atol=GROWTH[learner] * np.abs(whole.coef_).max())


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_a_journal_answers_what_it_was_asked(
    folder: Path, versions: None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers of 0.1 are found and used; a fit with a new question, such as the one about constants, runs again."""
    found = set[bytes]()
    read = Journal.read

    def reading(journal: Journal, keys: Any, *rest: Any) -> Any:
        entries = read(journal, keys, *rest)
        found.update(entries)
        return entries

    monkeypatch.setattr(Journal, "read", reading)
    with closing(sqlite3.connect("python.db")) as db:
        before = {key for (key,) in db.execute("SELECT key FROM answers")}
    with np.load(SAVED / "journal" / "rows.npz") as rows:
        result = RUNS[name](rows["X"], rows["three"], "python.db")
    assert found & before
    recorded = json.loads((SAVED / "journal" / "told.json").read_text())
    compare_numbers(in_order(journaled().told_by(result)), in_order(recorded[name]))


def in_order(rankings: Any) -> Any:
    """Rankings by candidate: those that have learned nothing are now below all others, with the same scores."""
    if isinstance(rankings, dict):
        return {name: in_order(ranking) for name, ranking in rankings.items()}
    return sorted(rankings) if isinstance(rankings, list) else rankings  # a certificate is a number


@same_scikit_learn
def test_a_journal_of_the_command_line_answers_everything(folder: Path, versions: None) -> None:
    document = json.loads(run(*SELECT).stdout)
    recorded = json.loads((SAVED / "journal" / "told.json").read_text())["command line"]
    assert (document["n_fits"]["run"], document["n_fits"]["resumed"]) == (0, recorded["n_fits"]["run"])
    for entry in document["ranking"]:
        entry.pop("difference", None)  # which 0.1 did not have, as the mark of ties
        entry.pop("tied", None)
    compare_numbers(document["ranking"], recorded["ranking"])


def compare_numbers(now: Any, recorded: Any) -> None:
    """Equal, but for the last digits of numbers and the order of what is as good as equal."""
    if isinstance(recorded, dict):
        assert now.keys() == recorded.keys()
        now, recorded = list(now.values()), list(recorded.values())
    if isinstance(recorded, list):
        assert len(now) == len(recorded)
        for value, other in zip(now, recorded, strict=True):
            compare_numbers(value, other)
    elif isinstance(recorded, float):
        assert now == pytest.approx(recorded, rel=1e-6, abs=1e-9)
    else:
        assert now == recorded
