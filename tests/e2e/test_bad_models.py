"""Wrong models, tables and outputs: one sentence with the value and the remedy, exit status 2, no file touched."""

import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from click.testing import CliRunner
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from foldless.cli import main
from foldless.saving import model_files

pytestmark = pytest.mark.slow  # each case saves a model

MODEL, SVC = "model.skops", "svc.skops"
SELECT = ("select", "train.csv", "--label", "topic", "--unlabeled", "new.csv", "--grid", "C=1")


def rows(n: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 2
    return pd.DataFrame(
        {"x": rng.normal(size=n) + 2 * codes, "y": rng.normal(size=n), "color": np.array(["red", "blue"])[codes],
         "topic": np.array(["a", "b"])[codes]}
    )  # fmt: skip


TRAIN, NEW = rows(20), rows(10, 1).drop(columns="topic")


def csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


@cache
def good() -> dict[str, bytes]:
    """A model with probabilities and one without, as the command saves them."""
    models = {}
    with tempfile.TemporaryDirectory() as place:
        train, path = Path(place, "train.csv"), Path(place, MODEL)
        train.write_bytes(csv(TRAIN))
        for name, model in {MODEL: "logistic-regression", SVC: "linear-svc"}.items():
            args = ["select", str(train), "--label", "topic", "--criterion", "hold-out", "--grid", "C=1"]
            assert CliRunner().invoke(main, [*args, "--model", model, "--save", str(path)]).exit_code == 0
            models[name] = path.read_bytes()
    return models


def members() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(good()[MODEL])) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(content: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, raw in content.items():
            archive.writestr(name, raw)
    return buffer.getvalue()


def forged(model: Any = None, **changes: Any) -> bytes:
    """A model that foldless did not save, with a digest that matches."""
    content = members()
    document = {**json.loads(content.pop(model_files.MEMBER)), **changes}
    del document["digest"]
    return model_files.sealed(zipped(content) if model is None else skops.io.dumps(model), document)


def rewritten(change: Callable[[bytes], bytes]) -> bytes:
    """A model with another document, and the old digest."""
    content = members()
    return zipped({**content, model_files.MEMBER: change(content[model_files.MEMBER])})


def flipped() -> bytes:
    """A model with one bit of one array changed, and the old digest."""
    content = members()
    name = next(name for name in content if name.endswith(".npy"))
    return zipped({**content, name: content[name][:-1] + bytes([content[name][-1] ^ 1])})


def torn() -> bytes:
    """A model with one byte of the file changed."""
    content = bytearray(good()[MODEL])
    content[len(content) // 3] ^= 0xFF
    return bytes(content)


def without_skops() -> bytes:
    """A model whose digest matches and which is none."""
    document = json.loads(members()[model_files.MEMBER])
    del document["digest"]
    return model_files.sealed(zipped({"a.npy": b""}), document)


def crazy_forest() -> Any:
    model = RandomForestClassifier(2, random_state=0).fit(NEW[["x", "y"]], TRAIN.topic[:10])
    tree = model.estimators_[0].tree_
    state = tree.__getstate__()
    state["nodes"] = state["nodes"].copy()
    state["nodes"]["left_child"][0] = 10**9
    tree.__setstate__(state)
    return model


@dataclass(frozen=True)
class Case:
    """A wrong command, what makes the files that are wrong, and words its message must hold."""

    args: tuple[str, ...]
    words: tuple[str, ...]
    files: dict[str, Callable[[], bytes]] = field(default_factory=dict)


def model(content: Callable[[], bytes], *words: str, name: str = MODEL) -> Case:
    """A case whose model file is wrong."""
    return Case(("predict", name, "new.csv"), words, {name: content})


def table(frame: pd.DataFrame, *words: str, args: tuple[str, ...] = ()) -> Case:
    """A case whose new table is wrong."""
    return Case(("predict", MODEL, "new.csv", *args), words, {"new.csv": lambda: csv(frame)})


def option(*args: str, words: tuple[str, ...]) -> Case:
    return Case(("predict", *args), words)


def saving(*args: str, words: tuple[str, ...]) -> Case:
    return Case((*SELECT, *args), words)


CASES = {
    # models
    "no model": option("no.skops", "new.csv", words=("no file no.skops", "check the name")),
    "a folder for a model": option("folder", "new.csv", words=("folder is a folder", "name a file")),
    "an empty model": model(lambda: b"", "not a saved model", "name a file"),
    "a table for a model": option("new.csv", "new.csv", words=("new.csv is not a saved model", "name a file")),
    "a pickle": model(lambda: b"\x80\x04N.", "model.pkl is not a saved model", "name a file", name="model.pkl"),
    "a model that is cut off": model(lambda: good()[MODEL][:-100], "truncated", "name a file"),
    "a zip archive of other things": model(lambda: zipped({"a": b"1"}), "without a model", "name a file"),
    "a plain skops file": model(
        lambda: skops.io.dumps(LogisticRegression()), "a plain skops file", "columns", "--save"
    ),
    "a newer format": model(lambda: forged(format=9), "format 9", "up to 3", "update foldless"),
    "no format": model(lambda: forged(format=None), "does not record its format", "--save"),
    "no classes": model(lambda: forged(classes=None), "does not record its classes", "--save"),
    "another digest": model(lambda: rewritten(lambda raw: raw.replace(b'"digest": "', b'"digest": "0')),
                            "does not match its digest", "--save"),
    "another criterion": model(lambda: rewritten(lambda raw: raw.replace(b"hold_out", b"k_fold")),
                           "does not match its digest", "--save"),
    "another number in the model": model(flipped, "does not match its digest", "--save"),
    "a broken member": model(torn, "is damaged", "--save"),
    "a document that is no JSON": model(lambda: rewritten(lambda raw: raw[:-2]), "is damaged", "--save"),
    "a document that is a list": model(lambda: rewritten(lambda _: b"[]"), "its format", "--save"),
    "an untrusted function": model(
        lambda: forged(make_pipeline(FunctionTransformer(subprocess.call), LogisticRegression())),
        "untrusted types, subprocess.call", "load only what foldless saved",
    ),
    "a forged tree": model(lambda: forged(crazy_forest()), "sklearn.tree._tree.Tree", "forged", "do not use"),
    "a model of nothing": model(without_skops, "cannot be loaded", "schema.json", "--save"),
    "unknown settings of columns": model(
        lambda: forged(schema={"label": "a", "columns": {"kinds": {}, "mood": 1}}), "mood", "--save"
    ),
    "a model without columns": model(lambda: forged(schema=None), "not trained on a table", "saving.load in Python"),
    "another version that does not load": model(
        lambda: forged(LogisticRegression(), versions={"scikit-learn": "0.1"}), "scikit-learn 0.1", "cannot label"
    ),
    # tables
    "no table": option(MODEL, "no.csv", words=("no file no.csv", "check the name")),
    "a table without rows": table(NEW[:0], "new.csv", "no rows"),
    "a column less": table(NEW.drop(columns="y"), "new.csv lacks column 'y' that model.skops was trained on", "add"),
    "two columns less and another": table(
        NEW.rename(columns={"x": "X"}).drop(columns="y"), "lacks columns 'x', 'y'", "it has column 'X'", "rename"
    ),
    "words for numbers": table(NEW.assign(x="wide"), "'x' is numeric in model.skops", "'wide' in row 1", "same type"),
    "numbers for words": table(NEW.assign(color=1.5), "'color' is categorical in model.skops", "numeric in new.csv"),
    "a hole": table(NEW.assign(x=NEW.x.where(NEW.index != 3)), "'x' of new.csv", "row 4", "train the model with"),
    "infinity": table(NEW.assign(y=np.inf), "'y' of new.csv", "infinite in row 1", "replace"),
    "a column of probabilities that is there": table(
        NEW.assign(**{"P(a)": 1}), "column 'P(a)' already", "rename it", args=("--probabilities",)
    ),
    # options
    "no table named": option(MODEL, words=("TABLE",)),
    "unknown option": option(MODEL, "new.csv", "--outptu", "o.csv", words=("--outptu", "--output")),
    "unknown shell": Case(("completion", "tcsh"), ("'tcsh'", "bash, zsh, fish")),
    # outputs
    "output of an unknown ending": option(MODEL, "new.csv", "--output", "o.xls", words=("'.xls'", ".csv")),
    "output in a missing folder": option(MODEL, "new.csv", "--output", "no/o.csv", words=("of no/o.csv", "create ")),
    "output over the table": option(MODEL, "new.csv", "--output", "new.csv", words=("also read", "another file")),
    "save as a pickle": saving("--save", "m.pkl", words=("'.pkl'", "--save writes .skops")),
    "save without an ending": saving("--save", "m", words=("no ending", "--save writes .skops")),
    "save in a missing folder": saving("--save", "no/m.skops", words=("folder of no/m.skops", "create ")),
    "save over a folder": saving("--save", "folder.skops", words=("is a folder", "name a file")),
    "save over the journal": saving("--save", "m.skops", "--journal", "m.skops", words=("also read", "another file")),
    "report of another kind": saving("--report", "r.pdf", words=("'.pdf'", "--report writes .html")),
    "report in a missing folder": saving("--report", "no/r.html", words=("folder of no/r.html", "create ")),
    "report over an input": Case(
        ("select", "page.html", "--label", "topic", "--format", "csv", "--report", "page.html"),
        ("page.html is also read", "another file"),
        {"page.html": lambda: csv(TRAIN)},
    ),
    "report of a comparison over a folder": Case(
        ("compare", "train.csv", "--label", "topic", "--criteria", "k-fold", "--report", "folder.html"),
        ("is a folder", "name a file"),
    ),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with good inputs and with files that a wrong run must not touch."""
    monkeypatch.chdir(tmp_path)
    for name, content in {"train.csv": csv(TRAIN), "new.csv": csv(NEW), **good()}.items():
        (tmp_path / name).write_bytes(content)
    for name in ("folder", "folder.skops", "folder.html"):
        (tmp_path / name).mkdir()
    (tmp_path / "out.csv").write_text("an older result\n")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def completed(args: tuple[str, ...]) -> list[str]:
    """The command with an output that is there already, unless it names its own."""
    return [*args, "--output", "out.csv"] if args[0] == "predict" and "--output" not in args else list(args)


@pytest.mark.parametrize("name", CASES)
def test_one_sentence_status_2_and_no_file_touched(folder: Path, name: str) -> None:
    case = CASES[name]
    for file, content in case.files.items():
        (folder / file).write_bytes(content())
    before = contents(folder)
    result = CliRunner().invoke(main, completed(case.args))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    for word in case.words:
        assert word in result.stderr
    assert contents(folder) == before


def test_the_table_is_long_enough_and_its_twins_without_faults_run(folder: Path) -> None:
    assert len(CASES) >= 40
    for args in (("predict", MODEL, "new.csv", "--probabilities"), ("predict", SVC, "new.csv")):
        assert CliRunner().invoke(main, completed(args)).exit_code == 0
        assert pd.read_csv("out.csv")["predicted_topic"].isin(["a", "b"]).all()
    (folder / MODEL).write_bytes(forged())
    assert CliRunner().invoke(main, ["predict", MODEL, "new.csv"]).exit_code == 0
    assert CliRunner().invoke(main, [*SELECT, "--save", "again.skops"]).exit_code == 0


@pytest.mark.parametrize("name", ["a forged tree", "two columns less and another"])
def test_as_an_installed_command(folder: Path, name: str) -> None:
    case = CASES[name]
    for file, content in case.files.items():
        (folder / file).write_bytes(content())
    before = contents(folder)
    command = [str(Path(sys.executable).parent / "foldless"), *completed(case.args)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert all(word in done.stderr for word in case.words)
    assert contents(folder) == before
