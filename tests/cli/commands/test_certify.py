"""foldless certify: what Python certifies, shown with everything it rests on, and kept in all that is written."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run
from helpers.reading import Page
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from foldless import certify
from foldless.core.certificate import SEVERAL, raised, rounded_up
from foldless.criteria import HoldOut, Progressive, SemiSupervisedCV
from foldless.engine._driving import Drive
from foldless.errors import Unfinished
from foldless.learners import LogisticRegression
from foldless.saving import model_files
from foldless.selection._session import Session

N, LABELED, POOL = 900, 200, 600
ARGS = (
    "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--model", "logistic-regression",
    "--grid", "C=0.01,1,100",
)  # fmt: skip
KINDS = "any rows of the population would have columns of the same types ({}): they were recognized from these rows"


def rows() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    codes = rng.integers(3, size=N)
    points = rng.normal(size=(N, 2)) + 3 * np.array([[0, 0], [1, 0], [0, 1]])[codes]
    return pd.DataFrame({"x": points[:, 0], "y": points[:, 1], "topic": np.array(["a", "b", "c"])[codes]})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    frame = rows()
    frame[:LABELED].to_csv("train.csv", index=False)
    frame[LABELED : LABELED + POOL].drop(columns="topic").to_csv("pool.csv", index=False)
    frame[LABELED + POOL :].to_csv("test.csv", index=False)
    return tmp_path


def document(*args: str) -> dict[str, object]:
    return json.loads(run(*args, "--json").stdout)


def in_python(criterion: object, seed: int) -> object:
    frame = rows()
    X, y = frame[["x", "y"]], frame.topic
    return certify(
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=10_000)), X[:LABELED], y[:LABELED],
        X_unlabeled=X[LABELED : LABELED + POOL], param_grid={"logisticregression__C": [0.01, 1.0, 100.0]},
        method=criterion, random_state=seed,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "criterion"),
    [
        ((), Progressive()),
        (("--method", "progressive", "--confidence", "0.9"), Progressive(confidence=0.9)),
        (("--refit",), Progressive(refit=True)),
        (("--method", "semi-supervised-cv", "--equal-rows", "draws"), SemiSupervisedCV(equal_rows="draws")),
        (("--confidence", "0.8", "--folds", "3", "--disagreement", "betting"), SemiSupervisedCV(3, 0.8, "betting")),
        (("--folds", "1", "--disagreement", "per-fold"), SemiSupervisedCV(1, disagreement="per_fold")),
        (("--hold-out", "0.25", "--confidence", "0.9"), HoldOut(0.25, confidence=0.9)),
    ],
)
def test_it_certifies_what_python_certifies(typed: tuple[str, ...], criterion: object) -> None:
    result, record = document("certify", *ARGS, "--seed", "3", *typed), in_python(criterion, 3)
    assert result["choice"]["params"] == {"C": record.model[-1].C}
    shown = result["certificate"]
    assert shown["upper"] == pytest.approx(record.upper, abs=1e-12)
    assert (shown["confidence"], shown["method"]) == (record.confidence, record.method)
    assert (shown["quantity"], shown["candidates"]) == ("error", 3)
    assert [term["what"] for term in shown["terms"]] == [term.what for term in record.terms]
    for term, other in zip(shown["terms"], record.terms, strict=True):
        assert term == pytest.approx({**vars(other)}, abs=1e-12)
    assert tuple(shown["assumes"][:-1]) == record.assumes
    assert KINDS.format("2 numeric") in shown["assumes"][-1]


@pytest.mark.slow
def test_every_candidate_has_its_bound_and_the_parts_add_up() -> None:
    result = document("certify", *ARGS)
    uppers = [entry["upper"] for entry in result["ranking"]]
    assert uppers == sorted(uppers)
    assert uppers[0] == result["certificate"]["upper"]
    for entry in result["ranking"]:
        assert entry["upper"] == pytest.approx(min(1, sum(entry["parts"])))


@pytest.mark.slow
def test_select_gives_the_same_certificate() -> None:
    certified, selected = document("certify", *ARGS), document("select", *ARGS, "--criterion", "progressive")
    assert selected["certificate"] == certified["certificate"]
    assert selected["ranking"] == certified["ranking"]
    by_hold_out = document("select", *ARGS, "--criterion", "hold-out:0.25:confidence=0.9")["certificate"]
    assert by_hold_out == document("certify", *ARGS, "--hold-out", "0.25", "--confidence", "0.9")["certificate"]
    assert document("select", *ARGS)["certificate"] is None


@pytest.mark.parametrize("refit", [False, True])
def test_what_is_printed(refit: bool) -> None:
    typed = ("certify", *ARGS, "--test", "test.csv", *(["--refit"] if refit else []))
    result, shown = document(*typed), run(*typed).stdout
    record = result["certificate"]
    bound = f"error at most {rounded_up(record['upper'])} with confidence 0.95, for all 3 candidates at once"
    assert f"Certificate: {bound}, by progressive" in shown
    for term in record["terms"]:
        assert f"  {term['what']}: at most {rounded_up(term['upper'])} (observed {term['observed']:.4g} on" in shown
    for sentence in record["assumes"]:
        assert shown.count(f"  - {sentence}\n") == 1
    assert "The score assumes that" not in shown  # all of it is in the certificate
    for entry in result["ranking"] if refit else result["ranking"][:1]:  # only the chosen model has a test accuracy
        parts = map(raised, entry["parts"]) if refit else ()
        cells = [raised(entry["upper"]), *parts, f"{1 - entry['test_accuracy']:.4f}"]
        assert re.search(rf" C={entry['params']['C']:g} +{' +'.join(map(re.escape, cells))}", shown)
    assert f"error of the model on the 100 test rows: {1 - result['choice']['test_accuracy']:.4f}" in shown
    assert "For comparison" not in shown


def test_a_candidate_that_fails_has_no_bound_and_keeps_its_share() -> None:
    result = document("certify", *ARGS[:-1], "C=1,-1")
    assert result["certificate"]["candidates"] == 2
    assert result["certificate"]["terms"][0]["delta"] == pytest.approx(0.05 * 0.1 / 2)  # it may have been the first
    assert (result["ranking"][1]["upper"], result["ranking"][1]["parts"]) == (None, None)
    assert re.search(r"– +C=-1 +– +failed: ", run("certify", *ARGS[:-1], "C=1,-1").stdout)


def test_without_a_pool_a_comparison_says_in_its_own_words_what_to_pass() -> None:
    args = [arg for arg in ARGS if arg not in ("--unlabeled", "pool.csv")]
    shown = run("compare", *args, "--criteria", "k-fold,semi-supervised-cv").stdout
    assert "n/a: semi_supervised_cv needs unlabeled rows: pass --unlabeled, or leave some labels empty" in shown


def test_a_bound_that_says_nothing_says_so() -> None:
    rows()[:12].to_csv("few.csv", index=False)
    shown = run("certify", "few.csv", *ARGS[1:], "--method", "semi-supervised-cv").stdout
    assert "error at most 1 with confidence" in shown
    assert re.search(r"  a bound of 1 is vacuous \(its parts are [\d.]+ \+ [\d.]+\): use more labels", shown)


@pytest.mark.slow
def test_hold_out_beside_it_is_of_another_model() -> None:
    alone, both = (
        document("certify", *ARGS, "--test", "test.csv", *more) for more in ((), ("--compare-hold-out", "0.25"))
    )
    beside = both["beside"]
    assert both["certificate"] == alone["certificate"]
    assert beside["certificate"] == document("certify", *ARGS, "--hold-out", "0.25")["certificate"]
    assert both["n_fits"]["run"] == alone["n_fits"]["run"] + 3
    assert SEVERAL in both["notes"]
    assert beside["difference"] == (
        "progressive ranks the candidates on the labels that train, so that 60 other labels test its choice at "
        "δ 0.045; hold_out(test_size=0.25) ranks and tests them by the same 50 rows held out at δ 0.017"
    )
    refit = document("certify", *ARGS, "--refit", "--compare-hold-out", "0.25")["beside"]["difference"]
    assert refit.endswith("a model trained on fewer labels by one term, from 50 rows held out at δ 0.017")
    assert SEVERAL not in alone["notes"]
    by_itself = document("certify", *ARGS, "--test", "test.csv", "--hold-out", "0.25")
    assert beside["test_accuracy"] == by_itself["choice"]["test_accuracy"]
    shown = run("certify", *ARGS, "--compare-hold-out", "0.25").stdout
    assert f"For comparison, for logistic-regression with C={beside['params']['C']:g}: error at most" in shown
    assert "the model is the fit on 150 labels, without the 50 that certify it" in shown
    assert f"Note: {SEVERAL}" in shown
    assert f"Why they differ: {beside['difference']}" in shown


@pytest.mark.slow
def test_a_report_shows_both_certificates_and_why_they_differ() -> None:
    result = document("certify", *ARGS, "--compare-hold-out", "0.25", "--report", "both.html")
    page = Page(Path("both.html").read_text(encoding="utf-8"))
    for record in (result["certificate"], result["beside"]["certificate"]):
        for expected in (
            f"error at most {rounded_up(record['upper'])}",
            *record["assumes"],
            *(t["what"] for t in record["terms"]),
        ):
            assert expected in page.text, expected
    for expected in (
        f"Why they differ: {result['beside']['difference']}",
        SEVERAL,
        "Certificate by hold_out(test_size=0.25)",
    ):
        assert expected in page.text, expected


@pytest.mark.slow
def test_rows_of_equal_content_are_told_once_with_the_certificate() -> None:
    pd.concat([pd.read_csv("pool.csv"), rows()[:10].drop(columns="topic")]).to_csv("pool.csv", index=False)
    note = "10 of 610 pool rows have the content of a labeled row"
    result = document("certify", *ARGS, "--refit", "--report", "r.html", "--save", "m.skops")
    assert result["certificate"]["notes"][0].startswith(note)
    assert run("certify", *ARGS, "--refit").stdout.count(note) == 1
    assert Page(Path("r.html").read_text(encoding="utf-8")).text.count(note) == 1
    assert note in run("predict", "m.skops", "test.csv", "--output", "o.csv").stdout


@pytest.mark.slow
def test_what_has_no_certificate_to_compare_with_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    finished = Session.selection

    def unfinished(session: Session, drive: Drive, *args: object, **options: object) -> object:
        if isinstance(drive.criterion, HoldOut):
            raise Unfinished("the time budget of 1 s ran out before one candidate was complete")
        return finished(session, drive, *args, **options)

    monkeypatch.setattr(Session, "selection", unfinished)
    result = document("certify", *ARGS, "--compare-hold-out", "0.25")
    assert "beside" not in result
    assert any("no certificate by hold_out" in note and "ran out" in note for note in result["notes"])
    assert SEVERAL not in result["notes"]


def test_the_truth_about_a_held_out_model_is_its_own() -> None:
    result = document("certify", *ARGS, "--test", "test.csv", "--hold-out", "0.9", "--save", "m.skops")
    test = pd.read_csv("test.csv")
    accuracy = (model_files.load("m.skops").model.predict(test[["x", "y"]]) == test.topic).mean()
    assert result["choice"]["test_accuracy"] == pytest.approx(accuracy)
    assert [entry["test_accuracy"] for entry in result["ranking"][1:]] == [None, None]
    assert result["n_fits"]["run"] == 3  # no fit on all labels is made for the test rows
    assert "the best candidate's is" not in run("certify", *ARGS, "--test", "test.csv", "--hold-out", "0.9").stdout


def test_labels_that_certify_need_no_pool() -> None:
    args = [arg for arg in ARGS if arg not in ("--unlabeled", "pool.csv")]
    assert document("certify", *args)["certificate"] == document("certify", *ARGS)["certificate"]
    assert document("certify", *args, "--hold-out", "0.25")["certificate"]["upper"] < 1


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ((), "1 numeric, 1 categorical"),
        (("--text", "color"), "1 numeric"),
        (("--text", "color", "--categorical", "x"), None),
    ],
)
def test_kinds_that_the_user_told_are_not_assumed(typed: tuple[str, ...], left: str | None) -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.integers(3, size=300), "color": rng.choice(["red", "blue"], 300)})
    frame["topic"] = np.where(np.arange(300) < 150, np.array(["a", "b"])[(frame.x > 0).astype(int)], None)
    frame.to_csv("both.csv", index=False)
    certified = document("certify", "both.csv", "--label", "topic", "--grid", "C=1", "--refit", *typed)
    result = certified["certificate"]["assumes"]
    kinds = [sentence for sentence in result if "same types" in sentence]
    assert len(result) == len(SemiSupervisedCV.assumes) + 3 + (left is not None)  # and rows of equal content
    assert kinds == [] if left is None else KINDS.format(left) in kinds[0]


def test_the_width_of_svmlight_is_assumed() -> None:
    lines = [f"{at % 2} 1:{at % 7} {3 + at % 2}:1.5" for at in range(60)]
    Path("train.svm").write_text("\n".join(lines[:40]) + "\n")
    Path("pool.svm").write_text("\n".join(lines[40:]) + "\n")
    result = document("certify", "train.svm", "--unlabeled", "pool.svm", "--grid", "C=1")["certificate"]["assumes"]
    assert result[-1].startswith("the number of features, 5, has no influence on training")


@pytest.mark.slow
def test_what_is_written_holds_the_certificate() -> None:
    result = document(
        "certify", *ARGS, "--save", "m.skops", "--predict", "p.csv", "--report", "r.html", "--journal", "j.db"
    )  # fmt: skip
    record = result["certificate"]
    assert model_files.load("m.skops").selection["certificate"] == record
    page = Page(Path("r.html").read_text(encoding="utf-8"))
    for expected in (
        f"error at most {rounded_up(record['upper'])}",
        *record["assumes"],
        *(t["what"] for t in record["terms"]),
    ):
        assert expected in page.text, expected
    assert "Parts of the bounds" in page.text
    assert len(pd.read_csv("p.csv")) == POOL
    again = document("certify", *ARGS, "--journal", "j.db")
    assert (again["n_fits"]["run"], again["certificate"]) == (0, record)
    shown = run("predict", "m.skops", "test.csv", "--output", "o.csv").stdout
    assert f"Certificate: error at most {rounded_up(record['upper'])} with confidence 0.95" in shown
    assert all(f"  - {sentence}" in shown for sentence in record["assumes"])


@pytest.mark.slow
def test_compare_shows_bounds_where_there_are_any() -> None:
    criteria = "semi-supervised-cv,k-fold,hold-out:0.25:confidence=0.9"
    result = document("compare", *ARGS, "--criteria", criteria)
    bound, none, held = (entry["certificate"] for entry in result["criteria"])
    assert none is None
    assert bound == document("certify", *ARGS, "--method", "semi-supervised-cv")["certificate"]
    assert held == document("certify", *ARGS, "--hold-out", "0.25", "--confidence", "0.9")["certificate"]
    shown = run("compare", *ARGS, "--criteria", criteria).stdout
    assert re.search(
        rf"semi-supervised-cv +\S+ C=\S+ +{raised(bound['upper'])} +lower +{raised(bound['upper'])} +0\.95", shown
    )
    assert re.search(r"k-fold +logistic-regression C=\S+ +0\.\d{4} +higher +– +–", shown)
    assert re.search(rf"hold-out\(.*\) +\S+ C=\S+ +0\.\d{{4}} +higher +{raised(held['upper'])} +0\.9 ", shown)
    assert all(f"  - {sentence}\n" in shown for sentence in (*bound["assumes"], *held["assumes"]))
    assert f"Note: {SEVERAL}" in shown
    assert "error at most" not in run("compare", *ARGS, "--criteria", "k-fold,hold-out").stdout


def test_numbers_have_no_certificate_and_the_remedies_are_named() -> None:
    rows()[:LABELED].drop(columns="topic").assign(age=np.arange(LABELED) + 0.5).to_csv("train.csv", index=False)
    for how in ((), ("--refit",), ("--hold-out", "0.25")):
        said = run("certify", "train.csv", "--label", "age", "--unlabeled", "pool.csv", *how, status=2).stderr
        assert "certify bounds the error of classifiers, and 'age' holds numbers: " in said
        assert "--task classification" in said
        assert "progressive" not in said
