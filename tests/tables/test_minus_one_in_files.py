"""What −1 means in files: a class where there is another pool, or where the call says so; else it marks the pool."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers.slow import slow_beyond

from foldless import FoldlessSearch
from foldless.app import Setup
from foldless.app._app_trainer import AppTrainer
from foldless.cli import main
from foldless.errors import BadInput
from foldless.tables import candidates, estimate_table, evaluate_table, read_problem, with_labels

NAMES = {"signs": [-1, 1], "three": [-1, 0, 1]}
COMMANDS = {
    "select": lambda found: [(entry["params"], entry["score"]) for entry in found["ranking"]],
    "compare": lambda found: [(entry["params"], entry["score"]) for entry in found["criteria"]],
    "certify": lambda found: found["certificate"]["upper"],
}


def table(n_classes: int, n: int = 60, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_classes, size=n)
    return pd.DataFrame(rng.normal(size=(n, 3)) + 2 * np.eye(3)[codes], columns=list("uvw")), codes


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, classes in NAMES.items():
        for part, seed in (("train", 0), ("test", 1)):
            X, codes = table(len(classes), seed=seed)
            X.assign(k=np.array(classes)[codes]).to_csv(f"{name}_{part}.csv", index=False)
            X.assign(k=np.array(list("abc"))[codes]).to_csv(f"{name}_{part}_named.csv", index=False)
        table(len(classes), 90, 2)[0].to_csv(f"{name}_pool.csv", index=False)
    return tmp_path


def run(*args: str) -> dict:
    result = CliRunner().invoke(main, [*args, "--label", "k", "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", slow_beyond(1, NAMES))
@pytest.mark.parametrize(
    ("command", "pool"), [("select", True), ("select", False), ("compare", False), ("certify", True)]
)
def test_commands_give_the_numbers_of_classes_of_other_names(folder, name, command, pool):
    given = ["--grid", "C=0.1,1", *(["--unlabeled", f"{name}_pool.csv"] if pool else ["--minus-one-is-class"])]
    signed, named = (run(command, f"{name}_{train}.csv", *given) for train in ("train", "train_named"))
    assert signed["classes"] == NAMES[name]
    assert COMMANDS[command](signed) == COMMANDS[command](named)


@pytest.mark.slow
def test_a_dry_run_and_quantify_take_the_option(folder):
    found = run("select", "signs_train.csv", "--minus-one-is-class", "--model", "linear-svc", "--dry-run")
    assert found["cost"]["total"] > 0
    assert found["classes"] == [-1, 1]
    pd.concat([pd.read_csv("three_train.csv"), pd.read_csv("three_pool.csv")]).to_csv("both.csv", index=False)
    found = run("quantify", "both.csv", "--minus-one-is-class")
    assert [entry["class"] for entry in found["classes"]] == [-1, 0, 1]


@pytest.mark.parametrize("name", NAMES)
def test_saved_models_are_measured_on_every_class(folder, name):
    given = ["--minus-one-is-class", "--criterion", "k-fold", "--no-estimate", "--grid", "C=1"]
    for kind in ("", "_named"):
        run("select", f"{name}_train{kind}.csv", *given, "--save", f"m{kind}.skops")
    for measure in (evaluate_table, estimate_table):
        signed = measure("m.skops", f"{name}_test.csv", random_state=0)
        named = measure("m_named.skops", f"{name}_test_named.csv", random_state=0)
        assert str(signed) == str(named)


def test_both_words_for_the_remedy(folder):
    with pytest.raises(BadInput, match="pass minus_one_is_class=True if −1 is a class, or name the pool as unlabeled="):
        read_problem("signs_train.csv", "k")
    result = CliRunner().invoke(main, ["select", "signs_train.csv", "--label", "k"])
    assert result.exit_code == 2
    assert "pass --minus-one-is-class if −1 is a class" in " ".join(result.output.split())
    (note,) = [note for note in read_problem("three_train.csv", "k").notes if "−1" in note]
    assert "rows of three_train.csv with the label −1 are the pool: pass minus_one_is_class=True" in note
    shown = [note for note in run("select", "three_train.csv", "--grid", "C=1")["notes"] if "−1" in note]
    assert "--minus-one-is-class" in shown[0]
    assert "minus_one_is_class" not in shown[0]


def test_the_app_keeps_the_class_when_every_row_of_the_pool_is_labeled(folder):
    _, codes = table(3, 90, 2)
    reading, models = {"unlabeled": "three_pool.csv"}, {"naive-bayes": {"alpha": [1.0]}}
    setup = Setup("three_train.csv", "k", folder, reading, models, "k_fold", {"random_state": 0})
    told = {}
    every = [(row, int(code) - 1, None, 1) for row, code in enumerate(codes)]
    following = {"out": range(90), "how": "random", "number": 2, "first": False}
    AppTrainer(setup, told.__setitem__).choose(list(models), "k_fold", every, following)
    assert (told["result"]["labels"], told["result"]["given"]) == (150, 90)
    assert told["result"]["ranking"][0]["score"] == pytest.approx(renamed_score(codes))


def renamed_score(codes: np.ndarray) -> float:
    """The score of the same rows with other names."""
    problem = read_problem("three_train_named.csv", "k", unlabeled="three_pool.csv")
    more = with_labels(problem, range(90), [list("abc")[code] for code in codes])
    grid = candidates({"naive-bayes": {"alpha": [1.0]}}, more.columns)
    return FoldlessSearch(grid, criterion="k_fold", random_state=0).fit(more.X, more.y).best_score_
