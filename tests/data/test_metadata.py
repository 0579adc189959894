import numpy as np
import pytest

from foldless.data._metadata import Draws, Metadata
from foldless.errors import BadInput

X = np.zeros((3, 1))


def test_what_has_an_entry_for_each_row_is_cut() -> None:
    metadata = Metadata({"sample_weight": np.arange(3.0), "scale": 2.0}, {"auc": {"sample_weight": [1, 2, 3]}},
                        Draws([0.5, None, 0.0]))  # fmt: skip
    cut = metadata.checked(X).at(np.array([2, 0]), 3)
    assert cut.fit["sample_weight"].tolist() == [2, 0]
    assert cut.fit["scale"] == 2.0
    assert cut.score == {"auc": {"sample_weight": [3, 1]}}
    assert cut.draws is not None
    assert cut.draws.probabilities.tolist() == [0.0, 0.5]
    assert cut.draws.rounds.tolist() == [0, 0]


def test_what_was_not_passed_is_not_there() -> None:
    checked = Metadata({"sample_weight": None}, draws=Draws()).checked(X)
    assert (dict(checked.fit), checked.draws) == ({}, None)


@pytest.mark.parametrize(
    ("draws", "words"),
    [
        (Draws(None, [1, 1, 1]), "pass label_probabilities too"),
        (Draws([0.5, 2.0, 0.5]), "between 0 and 1, got 2.0"),
        (Draws([0.5, 0.5]), "label_probabilities has 2 entries for 3 rows of X"),
        (Draws(["a", 1, 1]), "label_probabilities must be numbers"),
        (Draws([0.5, 0.5, np.nan], [1, None, None]), "label_rounds has no number"),
    ],
)
def test_draws_that_cannot_be(draws: Draws, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        Metadata(draws=draws).checked(X)


@pytest.mark.parametrize("weight", [np.ones(2), [1.0] * 4])
def test_weights_of_another_length_are_refused_before_a_fold_is(weight: object) -> None:
    with pytest.raises(BadInput, match=r"sample_weight has [24] entries for 3 rows of X"):
        Metadata({"sample_weight": weight}).checked(X)
