"""One road: each command of the README, and the same in five lines of Python, agree on choice, scores and report."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run
from helpers.reading import Page
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning

import foldless
from foldless import FoldlessSearch, certify, compare
from foldless.criteria import HoldOut
from foldless.io import write_table
from foldless.portfolio import names
from foldless.saving import load, save
from foldless.selection import predict_labels
from foldless.tables import candidates, predict_table, read_problem

README = Path(__file__).parents[2] / "README.md"
SOURCES = Path(foldless.__file__).parent
GRID = {"linear-svc": {"C": [1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3]}}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, codes = make_classification(500, 5, n_informative=4, n_redundant=0, class_sep=1.5, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcde")).assign(color=np.where(X[:, 0] > 0, "red", "blue"))
    frame["topic"] = np.array(["money", "sport"])[codes]
    frame[:80].to_csv("train.csv", index=False)
    frame[80:300].drop(columns="topic").to_csv("pool.csv", index=False)
    frame[80:300].drop(columns="topic").to_parquet("pool.parquet", index=False)
    frame[300:].to_csv("test.csv", index=False)
    frame[300:].drop(columns="topic").to_csv("new.csv", index=False)


def commands() -> dict[str, str]:
    """The commands of the README on a table, by their second and last words."""
    text = README.read_text(encoding="utf-8")
    found = re.findall(r"^foldless (?:select|compare|certify|predict) .*$", text, flags=re.MULTILINE)
    assert len(found) == 5
    return {("saving" if "--save" in line else line.split()[1]): line for line in found}


def typed(which: str, *more: str) -> dict[str, object]:
    return json.loads(run(*commands()[which].split()[1:], *more, "--json").stdout)


def facts(path: str) -> list[str]:
    """The sentences and numbers of a report, without times and the command."""
    text, _, _ = Page(Path(path).read_text(encoding="utf-8")).text.partition("How to reproduce")
    return [word for word in text.split() if not re.search(r"\d\.\d{3}$", word)]


def scores(ranking: list[dict[str, object]]) -> list[object]:
    return [entry["score"] for entry in ranking]


@pytest.mark.slow
def test_select() -> None:
    document = typed("select", "--test", "test.csv")
    problem = read_problem("train.csv", "topic", unlabeled="pool.parquet", test="test.csv")
    search = FoldlessSearch(candidates(GRID, problem.columns), random_state=0)
    search.fit(problem.X, problem.y, X_unlabeled=problem.X_unlabeled, X_test=problem.X_test, y_test=problem.y_test)
    search.report("python.html", about=problem.describe())
    plain = search.selection_.to_dict()
    assert document["choice"]["params"] == {"C": search.best_params_["model__C"]}
    assert document["choice"]["test_accuracy"] == search.score(problem.X_test, problem.y_test)
    assert scores(document["ranking"]) == scores(plain["ranking"])
    assert [e["test_accuracy"] for e in document["ranking"]] == [e["test_accuracy"] for e in plain["ranking"]]
    for key in ("criterion", "better", "certificate", "shares", "assumes", "n_fits", "stopped", "notes"):
        assert document[key] == plain[key], key
    typed_facts, python_facts = facts("out.html"), facts("python.html")
    assert len(typed_facts) > 100
    assert typed_facts == python_facts


@pytest.mark.slow
def test_select_with_labels_for_the_pool_and_a_model_to_keep() -> None:
    document = typed("saving", "--time-budget", "600")  # a busy machine must not decide how far it goes
    problem = read_problem("train.csv", "topic", unlabeled="pool.csv", min_per_class=1)
    portfolio = candidates("portfolio", problem.columns, n_labels=len(problem.y))
    search = FoldlessSearch(portfolio, criterion="combination", random_state=0)
    search.fit(problem.X, problem.y, X_unlabeled=problem.X_unlabeled)
    write_table(problem.pool_rows.assign(predicted_topic=predict_labels(search, problem.X_unlabeled)), "python.csv")
    save(search.selection_, "python.skops", problem.schema)
    assert document["choice"]["score"] == search.best_score_
    by_hand = pd.read_csv("python.csv")
    assert pd.read_csv("labeled_pool.csv")[list(by_hand)].equals(by_hand)  # probabilities are behind them
    ours, theirs = load("python.skops"), load("model.skops")
    assert (ours.selection, ours.schema, ours.classes) == (theirs.selection, theirs.schema, theirs.classes)
    run(*commands()["predict"].split()[1:])
    found = predict_table("python.skops", "new.csv")
    assert pd.read_csv("labeled.csv")["predicted_topic"].tolist() == found.labels.tolist()
    assert found.frame.equals(predict_table(theirs, "new.csv").frame)


@pytest.mark.slow
def test_compare() -> None:
    document = typed("compare", "--test", "test.csv", "--report", "typed.html")
    problem = read_problem("train.csv", "topic", unlabeled="pool.csv", test="test.csv")
    comparison = compare(
        candidates("linear-svc", problem.columns), None, problem.X, problem.y, X_unlabeled=problem.X_unlabeled,
        X_test=problem.X_test, y_test=problem.y_test, criteria=["auto", "k_fold", "quantification_bound"],
        random_state=0,
    )  # fmt: skip
    comparison.report("python.html", about=problem.describe())
    plain = comparison.to_dict()
    for key in ("criterion", "score", "fits", "test_accuracy", "test_macro_f1", "regret", "better", "notes"):
        assert [entry[key] for entry in document["criteria"]] == [entry[key] for entry in plain["criteria"]], key
    assert [e["params"]["C"] for e in document["criteria"]] == [e["params"]["model__C"] for e in plain["criteria"]]
    assert document["n_fits"] == plain["n_fits"]
    assert facts("typed.html") == facts("python.html")


@pytest.mark.slow
def test_certify() -> None:
    document = typed(
        "certify", "--model", "linear-svc", "--test", "test.csv", "--compare-hold-out", "0.2", "--report", "typed.html"
    )
    problem = read_problem("train.csv", "topic", unlabeled="pool.csv", test="test.csv")
    certificate = certify(
        candidates("linear-svc", problem.columns), problem.X, problem.y, X_unlabeled=problem.X_unlabeled,
        X_test=problem.X_test, y_test=problem.y_test, confidence=0.95, compare_with=HoldOut(0.2), random_state=0,
    ).assuming(problem.assumes)  # fmt: skip
    selection = certificate.selection
    selection.report("python.html", about=problem.describe())
    plain = selection.to_dict()
    assert document["certificate"] == plain["certificate"]
    assert certificate.upper == document["certificate"]["upper"]
    for key in ("score", "upper", "parts", "test_accuracy"):
        assert [e[key] for e in document["ranking"]] == [e[key] for e in plain["ranking"]], key
    for key in ("criterion", "test_accuracy", "certificate", "difference"):
        assert document["beside"][key] == plain["beside"][key], key
    assert document["beside"]["test_accuracy"] == selection.beside.best_test_accuracy
    assert document["n_fits"] == plain["n_fits"]
    assert facts("typed.html") == facts("python.html")


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["hold_out", "dagging", "k_fold|dagging", HoldOut(0.3, confidence=0.9)])
def test_the_choice_is_measured_whatever_it_is(criterion: object) -> None:
    """Criteria that hold labels out, and ensembles: the accuracy is that of the model that is returned."""
    problem = read_problem("train.csv", "topic", unlabeled="pool.csv", test="test.csv")
    search = FoldlessSearch(candidates({"linear-svc": {"C": [0.01, 1]}}, problem.columns), criterion=criterion)
    search.set_params(random_state=0)
    search.fit(problem.X, problem.y, X_unlabeled=problem.X_unlabeled, X_test=problem.X_test, y_test=problem.y_test)
    selection = search.selection_
    assert selection.best_test_accuracy == search.score(problem.X_test, problem.y_test)
    assert selection.test_accuracy_of(selection.best) == selection.best_test_accuracy
    if selection.criterion.holds_out:
        assert selection.test_accuracy == {selection.best.candidate: selection.best_test_accuracy}
    else:
        full = search.estimator["linear-svc"][0].set_params(model__C=1, model__random_state=search.random_state)
        full.fit(problem.X, problem.y)
        (known,) = (value for c, value in selection.test_accuracy.items() if c.params["model__C"] == 1)
        assert known == full.score(problem.X_test, problem.y_test)


@pytest.mark.slow
def test_test_rows_change_no_choice() -> None:
    problem = read_problem("train.csv", "topic", unlabeled="pool.csv", test="test.csv")
    for criterion in ("quantification_bound", "k_fold"):
        search = FoldlessSearch(candidates("linear-svc", problem.columns), criterion=criterion, random_state=0)
        alone = search.fit(problem.X, problem.y, X_unlabeled=problem.X_unlabeled).cv_results_
        search.fit(problem.X, problem.y, X_unlabeled=problem.X_unlabeled, X_test=problem.X_test, y_test=problem.y_test)
        np.testing.assert_array_equal(search.cv_results_["mean_test_score"], alone["mean_test_score"])


def test_plain_data_is_json() -> None:
    problem = read_problem("train.csv", "topic", unlabeled="pool.csv")
    found = candidates({"linear-svc": {"C": [-1, 1]}}, problem.columns)
    with pytest.warns(FitFailedWarning, match="1 of 2 candidates failed"):
        search = FoldlessSearch(found, random_state=0).fit(problem.X, problem.y, X_unlabeled=problem.X_unlabeled)
    plain = search.selection_.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["ranking"][1]["score"] is None
    assert plain["ranking"][1]["notes"][0].startswith("failed: ")


def test_every_model_of_the_catalog_is_on_the_command_line() -> None:
    shown = "".join(run("select", "--help").stdout.split())
    assert all(name in shown for name in names("one view", "two views"))


def test_the_command_line_imports_no_private_file() -> None:
    for path in [*(SOURCES / "cli").rglob("*.py"), *(SOURCES / "app").rglob("*.py")]:
        own = f"foldless.{path.relative_to(SOURCES).parts[0]}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("foldless"):
                if (node.module or "").startswith(own):
                    continue
                names = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
                private = [name for name in names if name.startswith("_") and name != "__version__"]
                assert not private, f"{path.name} imports {node.module}"
