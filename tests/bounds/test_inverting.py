import pytest

from foldless.bounds._inverting import smallest_rejected


@pytest.mark.parametrize("edge", [0.1, 0.5, 1 / 3, 0.999, 1e-9])
def test_it_is_found_from_above(edge):
    found = smallest_rejected(lambda q: q >= edge, 0.0)
    assert edge <= found <= edge + 1e-15
    rough = smallest_rejected(lambda q: q >= edge, 0.0, tolerance=1e-3)
    assert edge <= rough <= edge + 1e-3


def test_where_nothing_is_rejected_the_highest_is_left():
    assert smallest_rejected(lambda q: False, 0.2) == 1
    assert smallest_rejected(lambda q: False, 0.2, 0.7) == 0.7
