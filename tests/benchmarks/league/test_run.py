"""The league on two tiny sets: the same table twice, nothing twice, and only edited criteria again."""

import json
import re
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from benchmarks import sets
from benchmarks.league import page, run
from benchmarks.league.digests import digest_of
from benchmarks.league.rows import ROWS
from benchmarks.league.wrappers import Among, TiesAtRandom, WithoutPool

from foldless.core import Candidate, Choice, Classes, Criterion, PoolRows, Rows, Task, Traits, ranked
from foldless.criteria import Auto, KFold
from foldless.criteria.racing import _blend, _resamples, _standings
from foldless.judging import _left_out as left_out

pytestmark = pytest.mark.slow  # runs of the league

TINY = (
    "--sets", "iris", "wine", "--seeds", "0", "--budgets", "20", "--families", "nb", "knn", "--regimes", "plain",
    "--criteria", "5-fold", "auto", "auto, no pool", "auto, average", "quantification bound", "5-fold, 3 times",
)  # fmt: skip


def printed_by(out, *words):
    """What the league prints, without what depends on the clock."""
    with redirect_stdout(StringIO()) as text:
        run.main(["--out", str(out), *TINY, *words])
    return re.sub(r", \d+ s$|Training seconds(.|\n)*", "", text.getvalue(), flags=re.MULTILINE)


def records(out):
    return [json.loads(line) for line in out.read_text().splitlines()]


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    out = tmp_path_factory.mktemp("league") / "records.jsonl"
    return out, printed_by(out)


def test_the_same_table_twice_from_the_same_seed(first, tmp_path):
    out, printed = first
    assert printed_by(tmp_path / "again.jsonl") == printed
    assert printed_by(out, "--table") in printed
    for name in ("auto, no pool", "5-fold, 3 times"):
        assert f"| {name} | 4 | 2 | " in printed


def test_what_has_run_is_not_run_again_and_an_edited_criterion_is(first, tmp_path):
    lines = records(first[0])
    for line in lines:
        if line["criterion"] == "auto":
            line["digest"] = "edited"
    out = tmp_path / "records.jsonl"
    out.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "auto @edited" not in printed_by(out)
    new = records(out)[len(lines) :]
    assert {line["criterion"] for line in new} == {"auto"}
    assert len(new) == 4  # two sets, two families
    same = ("set", "family", "chosen", "score", "fits", "accuracy", "best")
    assert [[a[k] for k in same] for a in new] == [[a[k] for k in same] for a in lines if a["criterion"] == "auto"]
    assert "auto @edited" in printed_by(out, "--table", "--stale")


def test_regret_is_of_the_family_and_fits_count_the_final_model(first):
    lines = records(first[0])
    for line in lines:
        assert line["accuracy"] <= line["best"] or line["criterion"] == "auto, average"
    fold = [line for line in lines if line["criterion"] == "5-fold"]
    assert all(line["fits"] == 5 * line["candidates"] + 1 for line in fold)


def test_halves_are_fixed_and_both_are_large():
    halves = {name: sets.half_of(name) for name in sets.SETS}
    assert len(halves) >= 35
    assert (halves["glass"], halves["mammography"]) == ("report", "tune")
    assert 0.3 < sum(half == "tune" for half in halves.values()) / len(halves) < 0.7


def test_a_digest_is_that_of_what_a_criterion_does():
    assert len({digest_of(row.criterion) for row in ROWS.values()}) == len(ROWS)
    assert digest_of(Auto(effort=2)) != digest_of(Auto())
    assert digest_of(WithoutPool(Auto())) not in (digest_of(Auto()), digest_of(TiesAtRandom(Auto())))

    class Folds(KFold):  # other code, the same choices
        def evaluate(self, task):
            choices = yield from super().evaluate(task)
            return list(reversed(choices))

    class Others(KFold):
        def evaluate(self, task):
            choices = yield from super().evaluate(task)
            return [replace(choice, score=choice.score + 1e-3) for choice in choices]

    Folds.__module__ = Others.__module__ = KFold.__module__
    assert digest_of(Folds()) == digest_of(KFold()) != digest_of(Others())


@pytest.mark.parametrize(
    ("module", "constants"),
    [
        (_blend, "SHARES MISSING CONSENSUS TRAINING RARE MIN_EXPECTED"),
        (_standings, "Z LOSS BY_CHANCE"),
        (_resamples, "POOL"),
        (left_out, "GRAIN"),
    ],
    ids=["blend", "standings", "resamples", "left_out"],
)
def test_a_constant_that_changes_gives_another_digest(module, constants, monkeypatch):
    before, fold = digest_of(Auto()), digest_of(KFold())
    for name in constants.split():
        with monkeypatch.context() as changed:
            value = getattr(module, name)
            changed.setattr(module, name, type(value)(value * 1.25))
            assert digest_of(Auto()) != before, name
            assert digest_of(KFold()) == fold
    assert digest_of(Auto()) == before


def test_a_wrapper_has_the_properties_of_what_it_wraps():
    class Lower(Criterion):
        better, needs = "lower", frozenset({"pool"})
        traits = Traits(tolerance=0.5, doubts_luck=True, weighs_constants=True)

        def evaluate(self, task):
            return []

        def order_ties(self, tied):
            return tied[::-1]

    wrapped = Among(Lower(), ("svm",))
    assert (wrapped.better, wrapped.needs, wrapped.traits) == ("lower", {"pool"}, Lower.traits)
    assert wrapped.order_ties([1, 2]) == [2, 1]


def test_random_ties_leave_scores_and_change_who_is_first():
    class Tied(Criterion):
        def evaluate(self, task):
            yield []
            return [Choice(c, 0.5, ()) for c in task.candidates]

    candidates = tuple(Candidate(at, str(at), {}) for at in range(8))
    task = Task(Classes(np.array([0, 1]), np.array([0, 1])), Rows([0, 1]), PoolRows(Rows([])), candidates, 8, seed=0)
    evaluation = TiesAtRandom(Tied()).evaluate(task)
    next(evaluation)
    with pytest.raises(StopIteration) as end:
        evaluation.send([])
    choices = end.value.value
    assert {choice.score for choice in choices} == {0.5}
    assert ranked(Tied(), choices)[0].candidate.index != 0


def test_the_page_is_made_of_the_records(first, tmp_path, monkeypatch):
    monkeypatch.setattr(page, "DOCS", tmp_path)
    (tmp_path / "_static").mkdir()
    pages = []
    for _ in range(2):
        printed_by(first[0], "--page")
        pages.append(((tmp_path / "league.md").read_text(), (tmp_path / "_static" / "league.svg").read_text()))
    text, picture = pages[0]
    assert pages[1] == pages[0]
    assert "<!--" not in text.replace("<!-- not run: ", "").replace("<!-- printed by: league -->", "")
    assert "2 data sets, 1 seed, 20 labels" in text
    assert "quantification bound" in picture
