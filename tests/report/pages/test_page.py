"""The whole report: what it says, that strings stay text, and how large it is."""

import re
import subprocess
import sys
from dataclasses import dataclass, replace

import numpy as np
import pytest
from helpers.reading import Page
from helpers.selections import HOSTILE, comparison, grid, hostile, selection
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from foldless import FoldlessSearch, compare
from foldless.core import Certificate
from foldless.core.certificate import Term
from foldless.criteria import HoldOut, SemiSupervisedCV
from foldless.report.pages import _tables as tables
from foldless.report.pages._facts import tiles
from foldless.report.pages._page import comparison_page, selection_page
from foldless.results import Estimate, Finding, Shift
from foldless.results._selection_parts import OnHeldOutLabels

CERTIFICATE = Certificate("error", 0.2134, 0.95, "tail inversion", ("rows are independent", "nothing was reused"))


def test_a_search_reports_what_it_did(tmp_path):
    X, y = make_classification(150, n_informative=6, n_classes=3, random_state=0)
    labels = np.array(["red", "green", "blue"])[y]
    search = FoldlessSearch(
        LogisticRegression(max_iter=1000), {"C": [0.01, 1.0, 100.0]}, criterion="k_fold", random_state=0
    )
    with pytest.raises(NotFittedError):
        search.report(tmp_path / "early.html")
    search.fit(X[:60], labels[:60], X_unlabeled=X[60:])
    path = search.report(tmp_path / "report.html")
    page = Page(path.read_text(encoding="utf-8"))
    best = search.selection_.best
    assert f"{best.candidate.name} has the highest score of 3 candidates by k_fold; it is trained" in page.text
    assert search.selection_.estimate.interval in page.text
    assert "ranking score" in page.text
    for expected in (*search.selection_.assumes, "red", "green", "blue", "search.fit(X, y, X_unlabeled=pool)", "numpy"):
        assert expected in page.text, expected
    assert re.search(r"trained 15 shared 0", page.text)
    assert len(page.all("svg")) == 4
    assert len(page.all("tr")) == 1 + 3 + 1 + 3  # ranking and shares


def test_everything_in_a_selection_is_shown():
    chosen = selection(
        *grid(4), failed=(0,), unfinished=(1,), error="boom at C", notes=("predicts 1 of 2 classes",),
        stopped="the time budget of 3 s is spent", certificate=CERTIFICATE,
    )  # fmt: skip
    chosen = replace(chosen, notes=("the journal holds answers",))
    page = Page(selection_page(chosen, made_by="foldless select 'a b.csv'\n  --label y", about=["60 labeled rows"]))
    for expected in (
        "failed: RuntimeError: boom at C", "not finished", "predicts 1 of 2 classes", "the journal holds answers",
        "stopped early: the time budget of 3 s is spent", "foldless select 'a b.csv' --label y", "60 labeled rows",
        "1 failed, 1 not finished", "read from the journal 2", "trained at the end 1",
    ):  # fmt: skip
        assert expected in page.text, expected


@pytest.mark.slow
def test_a_certificate_is_shown_with_all_its_fields():
    @dataclass(frozen=True)
    class Longer(Certificate):
        view: str = "multiplicity <3>"

    text = Page(selection_page(replace(selection(*grid(3)), certificate=CERTIFICATE))).text
    for expected in ("error at most 0.2134 with confidence 0.95", "tail inversion", *CERTIFICATE.assumes):
        assert expected in text, expected
    longer = Longer("error", 0.5, 0.9, "m", ("a",))
    text = Page(selection_page(replace(selection(*grid(3)), certificate=longer))).text
    assert re.search("view ?multiplicity <3>", text)
    assert "Certificate" not in Page(selection_page(selection(*grid(3)))).text


def certified(uppers, criterion=None, **others):
    """A selection whose candidates have these bounds, half of each from the labels."""
    points, _ = grid(len(uppers))
    chosen = selection(points, uppers, criterion=criterion or SemiSupervisedCV(), **others)
    ranking = tuple(
        replace(
            choice,
            certificate=replace(
                CERTIFICATE, upper=min(1.0, choice.score), candidates=len(uppers),
                terms=(
                    Term("error on folds, here", choice.score / 2, 0.05, 1060, 0.025),
                    Term("disagreement, there", choice.score / 2, 0.09, 900, 0.025),
                ),
            ),
        )
        for choice in chosen.ranking
    )  # fmt: skip
    return replace(chosen, ranking=ranking, certificate=ranking[0].certificate)


def test_a_bound_is_rounded_up_and_told_with_its_parts():
    text = Page(selection_page(certified([0.213412, 0.4, 1.7]))).text
    assert "error at most 0.2135 with confidence 0.95" in text
    assert re.search(r"error on folds, here 0\.1068 0\.0500 1,060 0\.025", text)
    assert re.search(r"disagreement, there 0\.1068 0\.0900 900 0\.025", text)
    assert "for all 3 candidates at once" in text
    assert "1.0000" in text
    assert "1.7000" not in text.partition("The scores")[0]  # a bound is cut at 1; only the curve of scores is not
    assert "0.2134" not in text.partition("The scores")[0]
    assert "has the lowest bound of 3 candidates" in text


def test_what_the_certificate_says_is_not_said_again_of_the_score():
    chosen = certified([0.2, 0.4])
    assert "What the score assumes" in Page(selection_page(chosen)).text
    chosen = replace(chosen, certificate=replace(chosen.certificate, assumes=(*chosen.criterion.assumes, "and more")))
    text = Page(selection_page(chosen)).text
    assert "What the score assumes" not in text
    for sentence in (*chosen.criterion.assumes, "and more"):
        assert text.count(sentence) == 1


def test_the_best_choice_has_the_certificate_of_the_model_itself():
    chosen = certified([0.2, 0.5])
    chosen = replace(chosen, certificate=replace(chosen.certificate, upper=0.4))
    text = Page(selection_page(chosen)).text
    assert text.count("0.4000") >= 2  # in the figure and in the ranking
    assert "0.2000" not in text.partition("The scores")[0]


def test_a_held_out_selection_shows_bound_and_score():
    chosen = certified([0.8, 0.9], HoldOut(confidence=0.95))
    columns = [title for title, _ in tables.ranking(chosen).columns]
    assert "error at most" in columns
    assert "ranking score ↑" in columns
    assert not [title for title, _ in tables.ranking(certified([0.2, 0.4])).columns if "score" in title]


def test_a_comparison_shows_bounds_beside_scores():
    compared = comparison({"a": certified([0.2134123, 0.4]), "k_fold": selection(*grid(2))})
    cells = {title: at for at, (title, _) in enumerate(tables.criteria(compared).columns)}
    shown = [row[cells["error at most"]].text for _, row in tables.criteria(compared).rows]
    assert shown == ["0.2135", "–"]
    assert "Certificate by a" in Page(comparison_page(compared)).text
    assert "error at most" not in [
        title for title, _ in tables.criteria(comparison({"k": selection(*grid(2))})).columns
    ]


@pytest.mark.slow
def test_a_model_without_the_labels_held_out_is_not_said_to_have_them():
    held = selection(*grid(3), criterion=HoldOut(confidence=0.9))
    assert "it is trained on the labels that were not held out" in Page(selection_page(held)).text
    assert "it is trained on every label" in Page(selection_page(selection(*grid(3), criterion=HoldOut()))).text


@pytest.mark.slow
def test_the_choice_in_words():
    points, _ = grid(3)

    def text(chosen):
        return Page(selection_page(chosen)).text

    assert "tied with 1 other;" in text(selection(points, [0.5, 0.9, 0.9]))
    assert "gave it no valid score" in text(selection(points, [np.nan] * 3))
    assert "was the only candidate" in text(selection([{}], [0.5], names=["nb"]))
    assert "trained on every label" not in text(selection(points, [0.1, 0.2, 0.3], model=None))


def test_without_a_pool():
    page = Page(selection_page(selection(*grid(3), pool=False)))
    assert "in the pool" not in page.text
    assert "no pool" in page.text


def test_a_note_that_tells_why_it_stopped_is_told_once():
    chosen = selection(*grid(3), stopped="interrupted")
    chosen = replace(chosen, notes=("interrupted: chosen among 3 of 4",))
    assert Page(selection_page(chosen)).text.count("interrupted") == 1


def test_a_comparison_reports_every_criterion(tmp_path):
    X, y = make_classification(150, n_informative=6, n_classes=3, random_state=0)
    compared = compare(
        LogisticRegression(max_iter=1000), {"C": [0.01, 1.0, 100.0]}, X[:60], y[:60], X_unlabeled=X[60:], X_test=X[60:],
        y_test=y[60:], criteria=["quantification_bound", "k_fold"], random_state=0,
    )  # fmt: skip
    page = Page(compared.report(tmp_path / "c.html", made_by="compare(...)").read_text(encoding="utf-8"))
    for name, chosen in compared.selections.items():
        assert name in page.text
        for sentence in chosen.assumes:
            assert sentence in page.text
    for expected in (
        "test accuracy",
        "regret",
        "compare(...)",
        f"{compared.test_accuracy[compared['k_fold'].best.candidate]:.4f}",
    ):
        assert expected in page.text


def test_criteria_that_could_not_be_served_say_why():
    compared = comparison({"a": selection(*grid(3))}, unable={"evidence": "no learner has it"})
    page = Page(comparison_page(compared))
    assert "n/a: no learner has it" in page.text
    assert "2 criteria, 1 choice" in page.text
    assert "No choice by evidence" in page.text


def _page(which):
    chosen = hostile()
    compared = comparison(dict.fromkeys(HOSTILE, chosen), unable={"un" + name: name for name in HOSTILE})
    terms = tuple(Term(text, 0.2, 0.1, 10, 0.05) for text in HOSTILE)
    certificate = Certificate(HOSTILE[0], 0.5, 0.9, HOSTILE[1], HOSTILE, terms)
    with_notes = replace(chosen, notes=HOSTILE, certificate=certificate)
    if which == "selection":
        return selection_page(with_notes, made_by="".join(HOSTILE), about=HOSTILE)
    if which == "comparison":
        return comparison_page(compared, made_by="".join(HOSTILE), about=HOSTILE)
    return with_notes._repr_html_() if which == "selection in a notebook" else compared._repr_html_()


@pytest.mark.slow
@pytest.mark.parametrize("which", ["selection", "comparison", "selection in a notebook", "comparison in a notebook"])
def test_strings_of_others_stay_text(which):
    html = _page(which)
    html.encode("utf-8")
    assert "\x00" not in html
    page = Page(html)
    scripts = page.all("script")
    assert len(scripts) == html.count("<script>") == (1 if "<html" in html else 0)
    assert not page.all("img")
    for tag, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
        for name in ("src", "href", "action"):
            assert (attributes.get(name) or "#").startswith(("#", "data:,")), (tag, attributes)
    assert HOSTILE[0] in page.text
    assert "{{ 7 * 7 }}" in page.text
    assert "49 " not in page.text.partition("How to reproduce")[0]  # which ends with the time of day


def test_the_page_allows_only_its_own_script():
    html = selection_page(selection(*grid(3)))
    (policy,) = (a["content"] for a in Page(html).all("meta") if a.get("http-equiv"))
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy
    import base64
    import hashlib

    script = re.search(r"<script>(.*)</script>", html, re.DOTALL)[1]
    assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy
    assert "http" not in re.sub('http-equiv="', "", html)


def test_ids_are_unique():
    ids = re.findall(r' id="([^"]+)"', selection_page(selection(*grid(8), splits=3)))
    assert ids
    assert len(ids) == len(set(ids))


def test_eight_candidates_are_under_one_megabyte():
    assert len(selection_page(selection(*grid(8), splits=5)).encode()) < 300_000


KINDS = {
    "curve": lambda n: [{"C": float(c)} for c in np.logspace(-4, 3, n)],
    "heat map": lambda n: [{"C": float(a), "gamma": float(b)} for a in range(1, 51) for b in range(1, n // 50 + 1)],
    "bars": lambda n: [{"a": i % 7, "b": i % 11, "c": i} for i in range(n)],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_two_thousand_candidates_are_under_five_megabytes(kind):
    scores = list(np.random.default_rng(0).random(2000))
    notes = ("predicts 3 of 1500 classes", "PCC fell back to CC, eps 0.02")
    classes = tuple(f"class {i}" for i in range(1500))
    chosen = selection(KINDS[kind](2000), scores, splits=5, notes=notes, classes=classes)
    html = selection_page(chosen)
    assert len(html.encode()) < 5e6
    assert html.count("<tr") > 3500


@pytest.mark.slow
def test_a_comparison_of_two_thousand_is_under_five_megabytes():
    compared = comparison({f"k_fold(k={k})": selection(*grid(2000, k)) for k in range(5)}, test=True)
    assert len(comparison_page(compared).encode()) < 5e6


@pytest.mark.slow
def test_ten_thousand_characters_everywhere_are_under_five_megabytes():
    long = [str(i) + "x" * 10_000 for i in range(2000)]
    chosen = selection([{"e": n} for n in long], list(np.linspace(0, 1, 2000)), names=long, classes=tuple(long[:1500]),
                    notes=(long[0],))  # fmt: skip
    assert len(selection_page(chosen).encode()) < 5e6


def test_importing_foldless_loads_neither_matplotlib_nor_jinja():
    code = "import sys, foldless, foldless.report; print([m for m in ('matplotlib', 'jinja2') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_was_found_in_the_data_has_a_section_and_is_no_note():
    chosen = selection(*grid(3))
    assert "What was found in the data" not in Page(selection_page(chosen)).text
    finding = Finding("FL010", "a column numbers the rows", columns=["id"], rows=range(12), remedy="keep it")
    for page in (
        selection_page(chosen.noting([finding, "a plain note"])),
        comparison_page(comparison({"k_fold": chosen}).noting([finding, "a plain note"])),
    ):
        text = Page(page).text
        assert "What was found in the data" in text
        assert text.count("a column numbers the rows") == 1
        assert "column id; rows 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more" in text
        assert "keep it" in text
        assert "a plain note" in text


def test_the_first_number_is_the_estimate_beside_a_constant_and_the_score_is_in_the_ranking():
    estimate = Estimate("accuracy", 0.86, 0.8, 0.91, 0.95, "labels", (), 100)
    chosen = selection(*grid(3), held_out=OnHeldOutLabels(estimate))
    first, second, *others = tiles(chosen)
    assert first[0] == "estimated accuracy on new rows"
    assert second[0].startswith("always saying")
    assert not [what for what, _, _ in others if "score" in what or "lead" in what]
    assert "Accuracy on new rows about 0.860, 0.800 to 0.910" in Page(selection_page(chosen)).text


@pytest.mark.parametrize(
    ("shift", "value", "remark"),
    [
        (Shift(False, 1.0, 0.53, 0.4, 1.0, "a", 0.3, 0.4, 100, 1000), "none detected",
         "p 1, 100 labeled and 1,000 pool rows compared"),
        (Shift(True, 0.001, 0.8, 0.001, 1.0, "a", 0.3, 0.4, 100, 1000, found_by=("classifier",)), "detected",
         "p 0.001, found by classifier"),
    ],
    ids=["none", "some"],
)  # fmt: skip
def test_a_tile_says_in_words_whether_labels_and_pool_differ(shift, value, remark):
    chosen = selection(*grid(3))
    chosen = replace(chosen, data=replace(chosen.data, shift=shift))
    assert ("difference of labels and pool", value, remark) in tiles(chosen)
