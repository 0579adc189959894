from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from foldless.core import Criterion, Traits
from foldless.criteria import HoldOut


def test_traits_of_a_subclass_are_its_own():
    assert Criterion.traits == Traits()
    assert HoldOut.traits == Traits(regression=True, asks_metrics=True, doubts_luck=True)


def test_attributes_of_earlier_releases_are_traits_with_a_warning_at_the_class():
    with pytest.warns(DeprecationWarning, match=r"Old's .* traits = Traits\(anytime=True, tolerance=0.1\)") as warned:

        class Old(Criterion):
            anytime, tolerance = True, 0.1

            def evaluate(self, task):
                return []

    assert warned[0].filename == __file__
    assert Old.traits == Traits(anytime=True, tolerance=0.1)
    assert Criterion.traits == Traits()


def test_the_name_of_a_criterion_has_arrays_as_lists():
    @dataclass(frozen=True, eq=False)
    class Weighted(Criterion):
        weights: Any = None

        def evaluate(self, task):
            return []

    assert Weighted(np.array([0.25, 0.75])).name == "weighted(weights=[0.25, 0.75])"
    assert Weighted().name == "weighted"
