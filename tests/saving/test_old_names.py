"""Files with names of earlier releases are read under today's names, and nothing more is trusted for it."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
import skops.io
from helpers.searches import plain_search
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import foldless
from foldless.engine._keys import of_object, of_reduce
from foldless.errors import BadInput
from foldless.learners import LinearSVC, Precomputed
from foldless.measures import BAKLD
from foldless.saving import model_files
from foldless.saving._names import find
from foldless.saving._old_names import OLD, name_in_keys, with_public_names

X, Y = np.random.default_rng(0).normal(size=(40, 3)) + (np.arange(40) % 2)[:, None], np.arange(40) % 2
SAVED = Path(__file__).parents[1] / "fixtures" / "saved_0_1"
RENAMED = {"Halves": "TwoViews"}  # classes that are not only elsewhere


def schema(content: bytes) -> Any:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return json.loads(archive.read("schema.json"))


def renamed(content: bytes, old: str, new: str) -> bytes:
    """A file in which a class has another name, as a forger or an old release writes it."""
    (module, _, name), (other, _, own) = old.rpartition("."), new.rpartition(".")
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(buffer, "w") as forged:
        for member in archive.namelist():
            text = archive.read(member)
            if member == "schema.json":
                text = text.replace(f'"__class__": "{name}",\n  "__module__": "{module}"'.encode(),
                                    f'"__class__": "{own}",\n  "__module__": "{other}"'.encode())  # fmt: skip
            forged.writestr(member, text)
    return buffer.getvalue()


def kept(tmp_path: Path, content: bytes) -> Path:
    """A sealed file around any content."""
    model = tmp_path / "model.skops"
    model_files.keep(LogisticRegression().fit(X, Y), model, [0, 1], {})
    with zipfile.ZipFile(model) as archive:
        document = json.loads(archive.read(model_files.MEMBER))
    document.pop("digest")
    model.write_bytes(model_files.sealed(content, {**document, "format": 1}))
    return model


def test_every_old_name_leads_to_its_class() -> None:
    for old, new in OLD.items():
        own = old.rpartition(".")[2]
        assert RENAMED.get(own, own) == new.rpartition(".")[2]
        assert name_in_keys(find(new)) == old
    assert len(set(OLD.values())) == len(OLD)


def test_new_files_carry_public_names(tmp_path: Path) -> None:
    model_files.keep(LinearSVC().fit(X, Y), tmp_path / "m.skops", [0, 1], {})
    content = (tmp_path / "m.skops").read_bytes()
    assert (schema(content)["__module__"], schema(content)["__class__"]) == ("foldless.learners", "LinearSVC")
    assert with_public_names(content) is content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert json.loads(archive.read(model_files.MEMBER))["format"] == model_files.FORMAT


def test_old_names_are_read_as_new_ones(tmp_path: Path) -> None:
    model = LinearSVC().fit(X, Y)
    old = renamed(skops.io.dumps(model), "foldless.learners.LinearSVC", "foldless.learners.linear.LinearSVC")
    assert schema(old)["__module__"] == "foldless.learners.linear"
    assert schema(with_public_names(old))["__module__"] == "foldless.learners"
    np.testing.assert_array_equal(model_files.load(kept(tmp_path, old)).model.predict(X), model.predict(X))


@pytest.mark.parametrize(
    "name",
    [
        "foldless.search.FoldlessSearch",
        "foldless.learners.linear._Unbuilt",
        "foldless.learners.linear.os",
        "foldless.saving._names",
        "foldless.saving._old_names.json",
        "foldless.saving._names.import_module",
        "posix.system",
    ],
)
def test_a_forged_name_is_not_trusted(tmp_path: Path, name: str) -> None:
    forged = renamed(skops.io.dumps(LinearSVC().fit(X, Y)), "foldless.learners.LinearSVC", name)
    assert schema(forged)["__class__"] == name.rpartition(".")[2]
    with pytest.raises(BadInput, match=f"untrusted types, {name}: load only what foldless saved"):
        model_files.load(kept(tmp_path, forged))


def test_checks_hold_under_old_names_too(tmp_path: Path) -> None:
    content = (SAVED / "models" / "kernel_svc.skops").read_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members.pop(model_files.MEMBER))
    document.pop("digest")
    told = json.loads(members["schema.json"])
    at = told["content"]["content"]["n_support_"]["file"]
    buffer, forged = io.BytesIO(), io.BytesIO()
    np.save(buffer, np.array([-9, 99, 0], np.int32))
    with zipfile.ZipFile(forged, "w") as archive:
        for name, raw in {**members, at: buffer.getvalue()}.items():
            archive.writestr(name, raw)
    (tmp_path / "m.skops").write_bytes(model_files.sealed(forged.getvalue(), document))
    with pytest.raises(BadInput, match=r"holds a foldless\.learners\.KernelSVC that no training makes"):
        model_files.load(tmp_path / "m.skops")


def test_keys_have_the_first_names() -> None:
    """As joblib hashes what has always been where it is."""
    before = {"LinearSVC": "foldless.learners.linear", "BAKLD": "foldless.measures.bakld"}
    plain = make_pipeline(LogisticRegression())
    assert of_object(plain) == joblib.hash(plain)
    for value in (LinearSVC(), BAKLD(), [LinearSVC(), LinearSVC, {"a": BAKLD()}], Precomputed(np.eye(2))):
        assert of_object(value) != joblib.hash(value)
    for cls in (LinearSVC, BAKLD):
        assert name_in_keys(cls) == f"{before[cls.__name__]}.{cls.__name__}"
    assert of_reduce(renamed) == f"{__name__}.renamed"
    with pytest.raises(Exception, match="lambda"):
        of_object(lambda: 0)


def test_a_release_that_changes_no_answer_leaves_journals_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search() -> Any:
        made = plain_search(LinearSVC(), {"C": [0.1, 1.0]}, journal=tmp_path / "j", random_state=0)
        return made.fit(X[:20], Y[:20], X_unlabeled=X[20:]).selection_.n_fits

    assert search().run == 2
    monkeypatch.setattr(foldless, "__version__", "0.2.0")
    monkeypatch.setattr(foldless._version, "__version__", "0.2.0")
    monkeypatch.setattr("importlib.metadata.version", lambda name: {"foldless": "0.2.0"}.get(name, "1"))
    assert search().run == 0
