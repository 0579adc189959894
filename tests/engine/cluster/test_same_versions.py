"""Workers with other versions are refused in a sentence; the probe runs where foldless is not installed."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from foldless.core import Candidate, Fit, Rows
from foldless.engine._candidates import Recipe
from foldless.engine._fits import Order
from foldless.engine._groups import Batch, Group, Work
from foldless.engine.cluster._bundles import _unpacked, pack, shared_by
from foldless.engine.cluster._same_versions import WrongWorker, check_here, difference, make_probe, versions_here


def test_what_differs_is_named() -> None:
    here = versions_here()
    assert difference(here, here) is None
    assert difference({"numpy": "2.4.6"}, {"numpy": "2.4.1"}) is None
    for there, why in (
        ({**here, "foldless": ""}, "lacks foldless"),
        ({**here, "sklearn": "1.0"}, "has scikit-learn 1.0, and this process has "),
        ({**here, "python": "3.8"}, "has Python 3.8, and this process has "),
        ({**here, "numpy": "1.0.0"}, "has numpy 1.0.0, and "),
    ):
        wrong = difference(here, there)
        assert wrong is not None
        assert wrong.why.startswith(why)
    check_here(here)
    with pytest.raises(WrongWorker):
        check_here({**here, "foldless": "0.0.1"})


def test_the_probe_travels_by_value() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    body = cloudpickle.dumps(make_probe(("foldless", "json")))
    script = (
        f"import sys; sys.modules['foldless'] = None; import pickle; print(pickle.loads({body!r})()['foldless'] == '')"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "True\n"


def test_large_objects_are_holes_that_the_worker_fills() -> None:
    pytest.importorskip("cloudpickle")
    candidate, recipe = Candidate(0, "a", {}, frozenset(), False), Recipe(GaussianNB(), {}, 0)
    labels = np.arange(10**6) % 2
    fit = Fit(candidate, Rows(range(10**6)), labels)
    piece = Group((Batch((Work(Order(fit, ()), recipe),)),))
    shared = shared_by(piece)
    assert shared[0] is recipe
    assert shared[1] is labels
    body = pack({7: piece}, {id(labels): 0, id(recipe): 1})
    assert len(body) < 5_000
    found = _unpacked(body, [labels, recipe])[7].work[0]
    assert found.recipe is recipe
    assert found.order.fit.labels is labels
