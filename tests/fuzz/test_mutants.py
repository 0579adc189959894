"""Mutated models, journals and checkpoints are refused in one sentence or harmless: no traceback, signal or flood."""

import random
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from fuzz.apart import each_apart
from fuzz.mutants import mutate_journal, mutated_checkpoint, mutated_model
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from foldless.cli import main
from foldless.data._columns import Columns, prepare, recognize
from foldless.saving import model_files
from foldless.tables import candidates

pytestmark = pytest.mark.slow  # hundreds of damaged files

FEW, MANY = 200, 2000
LONGEST = 500
N = 30


def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    codes = np.arange(N) % 3
    return pd.DataFrame(
        {
            "x": rng.normal(size=N) + codes,
            "z": rng.normal(size=N),
            "color": np.array(["red", "blue", "green"])[codes],
            "text": [f"word{at % 5} and other{at % 7} thing{at}" for at in range(N)],
            "y": np.array(["a", "b", "c"])[codes],
        }
    )


def estimators(columns: Columns) -> dict[str, Any]:
    text = make_pipeline(TfidfVectorizer(), SVC())
    named = {"logistic-regression": None, "svc": None, "gradient-boosting": {"max_iter": [3]}, "naive-bayes": None}
    numbers = Columns({"x": "numeric", "z": "numeric"})
    made = {
        name: candidates({name: grid}, numbers if name in ("gradient-boosting", "naive-bayes") else columns)[name][0]
        for name, grid in named.items()
    }
    made["gradient-boosting"] = made["gradient-boosting"].set_params(**{
        key: 3 for key in made["gradient-boosting"].get_params() if key.endswith("max_iter")
    })  # fmt: skip
    return made | {
        "forest": RandomForestClassifier(3, random_state=0),
        "boosting": GradientBoostingClassifier(n_estimators=2, max_depth=2),
        "neighbors": KNeighborsClassifier(3, algorithm="kd_tree", leaf_size=5),
        "words": text,
    }


@cache
def models(folder: Path) -> list[bytes]:
    """Honest models of many types."""
    data, made = table(), []
    record = {"criterion": "k_fold", "candidate": "a", "score": 0.5, "assumes": ["b"], "certificate": None}
    for name, model in estimators(recognize(data.drop(columns="y"), "t")).items():
        names = {
            "words": ["text"],
            "logistic-regression": ["x", "z", "color", "text"],
            "svc": ["x", "z", "color", "text"],
        }
        frame = data[names.get(name, ["x", "z"])]
        columns = recognize(frame, "t")
        X = prepare(frame, columns, "t", "t")
        X = X["text"] if name == "words" else X
        model.fit(X, data["y"])
        path = folder / "m.skops"
        model_files.keep(model, path, ["a", "b", "c"], record, model_files.Schema("y", columns))
        made.append(path.read_bytes())
    return made


def stream(folder: Path) -> tuple[bytes, bytes]:
    """A model and a checkpoint of a stream."""
    args = ["stream", "train", "t.csv", "--label", "y", "--batch", "10", "--hold", "10", "--drop", "text"]
    result = CliRunner().invoke(main, [*args, "--save", "s.skops", "--checkpoint", "ck"])
    assert result.exit_code == 0, result.output
    return (folder / "s.skops").read_bytes(), b""


def judged(args: list[str]) -> str:
    """Empty where a command ends as it should."""
    result = CliRunner().invoke(main, args)
    error = result.stderr
    if not isinstance(result.exception, SystemExit | type(None)):
        return f"{args}: {type(result.exception).__name__}: {result.exception}"[:1000]
    if result.exit_code == 0:
        return ""
    *notes, last = error.splitlines() or [""]
    fine = result.exit_code == 2 and last.startswith("Error: ") and len(last) < LONGEST
    fine = fine and all(note.startswith("Note: ") for note in notes)
    return "" if fine else f"{args}: status {result.exit_code}: {error}"[:1000]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    table().to_csv("t.csv", index=False)
    return tmp_path


def of_models(folder: Path) -> Callable[[int], str]:
    honest = [*models(folder), stream(folder)[0]]

    def work(seed: int) -> str:
        rng = random.Random(seed)
        at = seed % len(honest)
        (folder / "m.skops").write_bytes(mutated_model(honest[at], rng))
        commands = [["predict", "m.skops", "t.csv"], ["predict", "m.skops", "t.csv", "--probabilities", "--json"]]
        commands += [["stream", "shares", "t.csv", "--model", "m.skops"], ["estimate", "m.skops", "t.csv"]]
        return judged(rng.choice(commands))

    return work


def of_checkpoints(folder: Path) -> Callable[[int], str]:
    data = table()
    args = ["stream", "train", "s.csv", "--label", "y", "--batch", "10", "--hold", "10", "--every", "10",
            "--save", "s.skops", "--checkpoint", "ck", "--drop", "text", "--on-error", "stop"]  # fmt: skip
    text = data.to_csv(index=False)
    (folder / "s.csv").write_text(text + "oops,oops,oops,oops,a\n")
    CliRunner().invoke(main, args)
    honest = (folder / "ck").read_bytes()
    (folder / "s.csv").write_text(text + data[:7].to_csv(index=False, header=False))

    def work(seed: int) -> str:
        (folder / "ck").write_bytes(mutated_checkpoint(honest, random.Random(seed)))
        (folder / "s.skops").unlink(missing_ok=True)
        return judged(args)

    return work


def of_journals(folder: Path) -> Callable[[int], str]:
    args = ["select", "t.csv", "--label", "y", "--model", "naive-bayes", "--drop", "text", "--journal", "j"]
    criteria = ("k-fold", "auto", "dagging", "semi-supervised-cv")
    for criterion in criteria:
        assert judged([*args, "--criterion", criterion]) == ""
    shutil.copy("j", "honest")

    def work(seed: int) -> str:
        rng = random.Random(seed)
        for left in folder.glob("j-*"):
            left.unlink()
        shutil.copy("honest", "j")
        mutate_journal(Path("j"), rng)
        return judged([*args, "--criterion", rng.choice(criteria)])

    return work


KINDS: dict[str, tuple[Callable[[Path], Callable[[int], str]], int]] = {
    "models": (of_models, 5 * FEW // 10),
    "checkpoints": (of_checkpoints, 3 * FEW // 10),
    "journals": (of_journals, 2 * FEW // 10),
}


def wrong(folder: Path, kind: str, n: int) -> list[tuple[int, str]]:
    work = KINDS[kind][0](folder)
    return [(seed, said) for seed, said in enumerate(each_apart(work, n)) if said]


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_is_refused_or_harmless(folder: Path, kind: str) -> None:
    assert wrong(folder, kind, KINDS[kind][1]) == []


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_changes_are_refused_or_harmless(folder: Path, kind: str) -> None:
    assert wrong(folder, kind, KINDS[kind][1] * MANY // FEW) == []
