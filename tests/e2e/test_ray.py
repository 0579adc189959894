"""joblib's Ray backend gives the result of the serial run."""

from typing import Any

import joblib
import pytest
from helpers.clusters import problem, told
from sklearn.linear_model import LogisticRegression

from foldless import FoldlessSearch

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
