"""Criteria as they are typed, by hand; wrong ones are rows of the table of bad input."""

import re
from dataclasses import dataclass, field

import pytest

from foldless.cli._criteria import NAMES, parse
from foldless.criteria import (
    ADA,
    BY_NAME,
    REGISTERED,
    BestOf,
    Dagging,
    HoldOut,
    KFold,
    QuantificationBound,
    RankSum,
    SemiSupervisedCV,
    SimilarData,
    register,
)
from foldless.errors import BadInput


@pytest.mark.parametrize(
    ("typed", "criterion"),
    [
        ("k-fold", KFold()),
        ("k_fold:10", KFold(10)),
        ("k-fold:k=10", KFold(10)),
        ("k-fold:scoring=neg-log-loss", KFold(scoring="neg_log_loss")),
        ("hold-out:2e-1", HoldOut(0.2)),
        ("hold-out:0.2:confidence=0.95", HoldOut(0.2, confidence=0.95)),
        ("hold-out:confidence=0.9:test-size=0.5", HoldOut(0.5, confidence=0.9)),
        ("quantification-bound:macro-f1", QuantificationBound("macro_f1")),
        ("semi-supervised-cv:10:disagreement=per-fold", SemiSupervisedCV(10, disagreement="per_fold")),
        ("similar-data+ada", RankSum(SimilarData(), ADA())),
        ("similar-data:answers=labels + ada+k-fold:3", RankSum(SimilarData(answers="labels"), ADA(), KFold(3))),
        ("similar-data:answers=probabilities+ada", RankSum(SimilarData(answers="probabilities"), ADA())),
        ("ada:loss=zero-one", ADA(loss="zero_one")),
        ("hold-out:+2e+1", HoldOut(20.0)),
        ("dagging:4", Dagging(n_batches=4)),
        ("dagging:dagged=false:offer=candidate", Dagging(dagged=False, offer="candidate")),
        ("k-fold:10|dagging", BestOf(KFold(10), Dagging())),
    ],
)
def test_by_hand(typed: str, criterion: object) -> None:
    assert parse(typed) == criterion


UNTYPED = object()


@dataclass(frozen=True)
class Plain(KFold):
    """A criterion with parameters that cannot be typed, beside one that can."""

    k: object = field(default_factory=lambda: UNTYPED)  # type: ignore[assignment]  # not a number, on purpose
    loud: bool = False


def test_what_cannot_be_typed_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foldless.criteria.REGISTERED", dict(REGISTERED))
    register("plain")(Plain)
    assert parse("plain:loud=true:scoring=f1-macro") == Plain(scoring="f1_macro", loud=True)
    with pytest.raises(BadInput, match="plain has no parameter 'k': there are scoring, loud"):
        parse("plain:k=3")
    with pytest.raises(BadInput, match="k of k-fold cannot be 'true': its default is 5"):
        parse("k-fold:true")


def test_a_term_of_a_sum_that_is_no_criterion_is_named() -> None:
    for typed, wrong in (("similar-data+adda", "'adda': did you mean ada"), ("ada+", "'ada+': did you mean ada")):
        with pytest.raises(BadInput, match=re.escape(f"there is no criterion {wrong}?")):
            parse(typed)


def test_every_criterion_has_a_name() -> None:
    assert [type(parse(name)) for name in NAMES] == [*BY_NAME.values(), RankSum, BestOf]
