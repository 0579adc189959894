"""A forged model does not take more time or memory than its arrays tell; what was trained passes."""

import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.decomposition import NMF, DictionaryLearning, LatentDirichletAllocation, MiniBatchNMF, SparseCoder
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.kernel_approximation import AdditiveChi2Sampler, PolynomialCountSketch
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import PolynomialFeatures
from sklearn.tree import DecisionTreeClassifier

from foldless.errors import BadInput
from foldless.saving import model_files
from foldless.saving._trusted import fault_of, harness
from foldless.saving.checks._column_numbers import is_quick

rng = np.random.default_rng(0)
Y = np.arange(40) % 2
X = np.abs(rng.normal(size=(40, 3)) + Y[:, None])
WORDS = ["one two", "two three", "three four five"]
FAR = 10**9

TRAINED: dict[str, Callable[[], Any]] = {
    "polynomial": lambda: PolynomialFeatures(3).fit(X),
    "products": lambda: PolynomialFeatures((2, 3), interaction_only=True, include_bias=False).fit(X),
    "sketch": lambda: PolynomialCountSketch(n_components=8, random_state=0).fit(X),
    "sampler": lambda: AdditiveChi2Sampler().fit(X),
    "topics": lambda: LatentDirichletAllocation(2, max_iter=2, random_state=0).fit(X),
    "factors": lambda: NMF(2, random_state=0).fit(X),
    "factors of batches": lambda: MiniBatchNMF(2, random_state=0).fit(X),
    "dictionary": lambda: DictionaryLearning(2, max_iter=2, random_state=0).fit(X),
    "codes": lambda: SparseCoder(np.eye(3)),
    "guess": lambda: DummyClassifier().fit(X, Y),
    "numbers": lambda: DummyRegressor().fit(X, Y),
    "bags": lambda: BaggingClassifier(GaussianNB(), n_estimators=2).fit(X, Y),
    "boosting": lambda: AdaBoostClassifier(n_estimators=2).fit(X, Y),
    "tree": lambda: DecisionTreeClassifier().fit(X, Y),
    "tree of two labels": lambda: DecisionTreeClassifier().fit(X, np.column_stack([Y, np.arange(40) % 3])),
    "forest": lambda: RandomForestClassifier(2).fit(X, Y),
    "regression": lambda: ExtraTreesRegressor(2).fit(X, Y),
    "histograms": lambda: HistGradientBoostingClassifier(max_iter=2).fit(X, Y),
    "words": lambda: TfidfVectorizer(ngram_range=(1, 2)).fit(WORDS),
    "letters": lambda: CountVectorizer(analyzer="char", ngram_range=(2, 5), token_pattern=None).fit(WORDS),
    "hashed words": lambda: HashingVectorizer(token_pattern=r"[a-z]+|\d+"),
}
FORGED = [
    ("polynomial", {"degree": FAR, "_max_degree": FAR}),
    ("polynomial", {"_n_out_full": FAR}),
    ("products", {"_max_degree": 2}),
    ("sketch", {"degree": FAR}),
    ("sketch", {"n_components": FAR}),
    ("sampler", {"sample_steps": FAR}),
    ("topics", {"max_doc_update_iter": FAR}),
    ("topics", {"max_doc_update_iter": np.inf}),
    ("factors", {"max_iter": FAR}),
    ("factors of batches", {"_transform_max_iter": FAR}),
    ("factors of batches", {"_n_components": FAR}),
    ("dictionary", {"transform_max_iter": FAR}),
    ("codes", {"transform_max_iter": FAR}),
    ("guess", {"n_classes_": FAR}),
    ("numbers", {"n_outputs_": FAR}),
    ("bags", {"n_classes_": FAR}),
    ("boosting", {"n_classes_": FAR}),
    ("tree", {"n_outputs_": FAR}),
    ("tree", {"n_classes_": FAR}),
    ("forest", {"n_outputs_": FAR}),
    ("forest", {"n_classes_": FAR}),
    ("regression", {"n_outputs_": FAR}),
    ("histograms", {"n_trees_per_iteration_": FAR}),
    ("words", {"ngram_range": (1, FAR)}),
    ("words", {"input": "filename"}),
    ("words", {"token_pattern": r"(\w+)+!"}),
    ("letters", {"ngram_range": (1, 10_000)}),
    ("hashed words", {"token_pattern": r"\w*\w*\w*!"}),
]


def trained(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few iterations are enough here
        return TRAINED[name]()


@pytest.mark.parametrize("name", TRAINED)
def test_what_was_trained_passes(name: str) -> None:
    model = trained(name)
    assert fault_of(model) is None
    assert fault_of(clone(model)) is None


@pytest.mark.parametrize(("name", "changes"), FORGED)
def test_numbers_that_ask_for_endless_work_are_found(name: str, changes: dict[str, Any]) -> None:
    model = trained(name)
    model.__dict__.update(changes)
    fault = fault_of(model)
    assert fault is not None
    assert (fault.checked, fault.part.rpartition(".")[2]) == (True, type(model).__name__)


@pytest.mark.parametrize(
    ("pattern", "quick"),
    [
        (r"(?u)\b\w\w+\b", True), (r"[^ \r\n\t.,;:'\"()?!]+", True), (r"\S+", True), (r"[]a+*]+|\d{2,}", True),
        (r"(?:re)?[a-z]+", True), (r"(a+)+$", False), (r"(a|a)*b", False), (r"\w*\w*!", False), (r"(\w)\1+", False),
        (r"(?P<a>\w)(?P=a)", False), (r"(?:a{1,99}){1,99}b", False), (r"a?" * 30 + "a" * 30, False),
        (r"((a)|b)+", False),
    ],
)  # fmt: skip
def test_patterns(pattern: str, quick: bool) -> None:
    assert is_quick(pattern) is quick


def saved(model: Any, path: Path) -> Path:
    record = {"criterion": "k_fold", "candidate": "a", "score": 0.5, "assumes": [], "certificate": None}
    model_files.keep(model, path, [0, 1], record)
    return path


def votes(path: Path, depth: int) -> None:
    """A vote of two votes of two votes, in which the second is the first again."""
    saved(BaggingClassifier(GaussianNB(), n_estimators=2).fit(X, Y), path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members.pop(model_files.MEMBER))
    del document["digest"]
    schema = json.loads(members["schema.json"])
    inner, whole = _members(schema), json.dumps(schema)
    for level in range(depth):
        outer = json.loads(_other_numbers(whole, level + 1))
        pair = _members(outer)
        again = {"__loader__": "CachedNode", "__class__": "a", "__module__": "b", "__id__": None}
        pair[0] = schema if level else inner[0]
        pair[1] = {**again, "__id__": pair[0]["__id__"]}
        schema = outer
    for key in ("protocol", "_skops_version"):
        schema[key] = json.loads(whole)[key]
    members["schema.json"] = json.dumps(schema).encode()
    with zipfile.ZipFile(path.with_suffix(".plain"), "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    path.write_bytes(model_files.sealed(path.with_suffix(".plain").read_bytes(), document))


def _members(schema: Any) -> list[Any]:
    """The fitted members of a vote, in the schema of skops."""
    return schema["content"]["content"]["estimators_"]["content"]


def _other_numbers(schema: str, level: int) -> str:
    """The same schema with an id of its own for each part."""

    def walk(part: Any) -> None:
        for inside in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            walk(inside)
        if isinstance(part, dict) and "__id__" in part:
            part["__id__"] += level

    found = json.loads(schema)
    walk(found)
    return json.dumps(found)


def test_parts_that_stand_for_others_again_and_again(tmp_path: Path) -> None:
    votes(tmp_path / "m.skops", 1)
    assert len(model_files.load(tmp_path / "m.skops").model.predict(X)) == 40
    votes(tmp_path / "m.skops", 30)
    with pytest.raises(BadInput, match=r"cannot be loaded \(its .* parts stand for more than 32 times as many\)"):
        model_files.load(tmp_path / "m.skops")


def test_a_model_prints_nothing() -> None:
    assert harness(RandomForestClassifier(2, verbose=100).fit(X, Y)).verbose == 0
