"""Grids as they are typed."""

import pytest

from foldless.cli import _grids as grids
from foldless.errors import BadInput


@pytest.mark.parametrize(
    ("text", "default", "values"),
    [
        ("C=1e-4:1e3:8", 1.0, [0.0001, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]),
        ("C=1:100:3", 1.0, [1.0, 10.0, 100.0]),
        ("k=1:100:3", 5, [1, 10, 100]),
        ("k=1:4:9", 5, [1, 2, 3, 4]),  # rounded to whole numbers, each once
        ("depth=2:32:5", None, [2, 4, 8, 16, 32]),
        ("a=-1:1:5", 0.0, [-1.0, -0.5, 0.0, 0.5, 1.0]),
        ("a=0:4:3", 0, [0, 2, 4]),
        ("C=100:1:3", 1.0, [100.0, 10.0, 1.0]),
        ("k=1,3,5", 5, [1, 3, 5]),
        ("k=1, 1.0 ,None,TRUE,false,l2,1", 5, [1, 1.0, None, True, False, "l2"]),
    ],
)
def test_grids_by_hand(text: str, default: object, values: list[object]) -> None:
    found = grids.values(grids.parse(text), default)
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values]


def test_a_key_must_be_somebodys() -> None:
    defaults = {"svc": {"C": 1.0, "gamma": "scale"}, "forest": {"max_depth": None}}
    assert grids.assign(["C=1", "max_depth=2"], defaults) == {"svc": {"C": [1]}, "forest": {"max_depth": [2]}}
    for text, message in {
        "forest.C=1": "no parameter 'C' in forest",
        "gama=1": "no parameter 'gama' in svc and forest: did you mean gamma",
        "knn.C=1": "'knn', which is not among the models: svc and forest",
    }.items():
        with pytest.raises(BadInput, match=message):
            grids.assign([text], defaults)
