"""A pass over blocks: read ahead, in pieces, and what is left of it where a worker dies or a run is stopped."""

import threading
from concurrent.futures import BrokenExecutor

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from foldless.data._stored_pool import Block, StoredPool
from foldless.engine import _pool_pass as pool_pass
from foldless.engine._pool_pass import PoolPass, Sought, ahead, run_pass
from foldless.judging._pool_sums import PredictedShares


class Rows:
    """A hundred units of two rows."""

    name, notes, sizes = "rows", (), (2,) * 100

    def blocks(self, units, columns):
        return (Block(f"unit {unit}", np.full((2, 1), float(unit))) for unit in units)

    def each(self, work, columns):
        return None


class Parity:
    """Predicts whether a number is odd."""

    classes_ = np.array([0, 1])

    def predict(self, X):
        return (X[:, 0] % 2).astype(int)


@pytest.fixture
def work() -> PoolPass:
    pool = StoredPool(Rows(), np.asarray, ["x"])
    return PoolPass(pool, [Parity()], [Sought((0,), "labels", PredictedShares(2))], np.array([0, 1]))


def test_the_mean_is_over_all_rows_and_progress_is_told(work):
    shares = []
    assert run_pass(work, None, tell=shares.append)[0].tolist() == [0.5, 0.5]
    assert len(shares) == pool_pass.PIECES
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_where_a_worker_dies_the_rest_is_done_here(work, monkeypatch):
    class Dying:
        """joblib.Parallel whose third call kills its worker."""

        def __init__(self, **settings):
            self.settings = settings

        def __call__(self, calls):
            for at, (function, args, _) in enumerate(calls):
                if at == 2:
                    raise BrokenExecutor
                yield function(*args)

    monkeypatch.setattr(pool_pass, "Parallel", Dying)
    monkeypatch.setattr(pool_pass, "delayed", lambda function: lambda *args: (function, args, {}))
    assert run_pass(work, 2)[0].tolist() == [0.5, 0.5]


def test_a_run_that_is_stopped_has_no_means(work):
    reads = []
    work.pool.form = lambda X: reads.append(1) or X
    assert run_pass(work, None, lambda: len(reads) > 10) is None
    assert len(reads) < 20


def test_an_error_of_reading_is_raised_and_not_the_fault_of_a_model(work):
    def broken(units, columns):
        yield Block("unit 0", np.zeros((2, 1)))
        raise OSError("gone")

    work.pool.source.blocks = broken
    with pytest.raises(OSError, match="gone"):
        run_pass(work, None)


def test_a_model_that_cannot_answer_has_its_exception_and_the_place(work):
    work.models = [Parity(), DummyClassifier()]
    work.sought = [*work.sought, Sought((1,), "labels", PredictedShares(2))]
    shares, error = run_pass(work, None)
    assert shares.tolist() == [0.5, 0.5]
    assert "is not fitted yet" in str(error)


def test_items_are_made_ahead_and_the_thread_ends_with_who_waits():
    made, before = [], threading.active_count()
    items = ahead(made.append(at) or at for at in range(100))
    assert [next(items), next(items)] == [0, 1]
    items.close()
    assert len(made) < 6
    assert threading.active_count() == before
    assert list(ahead(iter(range(5)))) == list(range(5))
