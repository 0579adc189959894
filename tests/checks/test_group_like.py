"""FL008: columns of groups; where only the name says so, it is a tip."""

import numpy as np
import pytest
from helpers.checked_data import diagnoses, numbers

from foldless.checks._check import DoesNotApply


def patients(n, first="p"):
    return [f"{first}{code:03}" for code in np.arange(n) // 5]


def test_whole_groups_that_were_labeled_are_an_issue():
    order = np.random.default_rng(0).permutation(100)
    names = np.array(patients(100))[order]
    labeled, pool = {**numbers(100), "who": names}, {**numbers(100, seed=1), "who": patients(100, "q")}
    (one,) = diagnoses("FL008", labeled, pool=pool)
    assert one.kind == "issue"
    assert one.finding.columns == ("who",)
    assert one.variant is not None
    assert len(np.unique(one.variant.together)) == 20


def test_a_name_alone_is_a_tip():
    names = np.random.default_rng(5).choice(patients(100), 100)
    (one,) = diagnoses("FL008", {**numbers(100), "patient": names})
    assert one.kind == "tip"
    assert diagnoses("FL008", {**numbers(100), "color": np.resize(["red", "blue"], 100)}) == []


def test_groups_that_are_given_need_no_finding():
    with pytest.raises(DoesNotApply, match="groups are given"):
        diagnoses("FL008", numbers(20), groups=np.arange(20))
