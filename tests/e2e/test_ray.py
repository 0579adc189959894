"""joblib's Ray backend gives the result of the serial run; data are in Ray's store once."""

from typing import Any

import joblib
import numpy as np
import pytest
from helpers.clusters import problem, told
from sklearn.linear_model import LogisticRegression

from foldless import FoldlessSearch
from foldless.engine._carried_data import Carried, Carrier, InStore

pytestmark = [pytest.mark.nightly, pytest.mark.filterwarnings("ignore")]
ray = pytest.importorskip("ray")


@pytest.fixture(scope="module", autouse=True)
def workers() -> Any:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200 * 2**20)
    from ray.util.joblib import register_ray

    register_ray()
    with joblib.parallel_config("ray", n_jobs=2):
        yield
    ray.shutdown()


@pytest.mark.parametrize("criterion", ["auto", "k_fold", "semi_supervised_cv"])
def test_the_selection_is_that_of_the_serial_run(criterion: str) -> None:
    X, y, pool = problem(pool=5_000)

    def run() -> Any:
        grid = {"C": [0.1, 1.0]}
        search = FoldlessSearch(LogisticRegression(), grid, criterion=criterion, random_state=0)
        return told(search.fit(X, y, X_unlabeled=pool).selection_)

    found = run()
    with joblib.parallel_config("sequential"):
        assert found == run()


def test_a_call_names_objects_that_are_stored_once() -> None:
    from foldless.core import Classes
    from foldless.data._sample import Sample

    carrier = Carrier(Sample(np.zeros((4, 1)), Classes(np.arange(4) % 2, np.arange(2)), np.zeros((10**5, 9))))
    first, again = (carrier.of(frozenset({0, 1}), joblib.Parallel()) for _ in range(2))
    assert isinstance(first, Carried)
    assert isinstance(again, Carried)
    assert all(isinstance(part, InStore) for part in first.parts.values())
    assert first.parts == again.parts
