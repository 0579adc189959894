"""A search with a pool in its files: sums over all rows in one pass, single rows of the sample."""

import os
import signal
import threading
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge

from foldless import FoldlessSearch, Pool, certify, compare, estimate, quantify
from foldless.criteria import Progressive, QuantificationBound
from foldless.data.pools._parquet_pool import ParquetFiles
from foldless.engine import _pool_pass as pool_pass
from foldless.errors import BadInput, CandidatesFailed

GRID = {"C": [0.001, 0.1, 10]}


def drawn(n: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = np.digitize(X[:, 0] + X[:, 1] / 2 + rng.normal(size=n) / 2, [-0.5, 0.8])
    return pd.DataFrame(X, columns=list("abcd")), np.array(["low", "mid", "top"])[y]


X, Y = drawn(90, 0)
POOL, _ = drawn(3000, 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    whole = tmp_path_factory.mktemp("big")
    for at in range(3):
        part = POOL.iloc[1000 * at : 1000 * at + 1000]
        part.to_parquet(whole / f"{at}.parquet", row_group_size=300, index=False)
    return whole


def fitted(pool, criterion="quantification_bound", **settings):
    search = FoldlessSearch(LogisticRegression(), GRID, criterion=criterion, random_state=0, estimate=False, **settings)
    return search.fit(X, Y, X_unlabeled=pool)


EXACT = (QuantificationBound(), QuantificationBound(quantifier="pcc"), "adj", "tri", "ada", "contingency",
         "adj+quantification_bound")  # fmt: skip
ROUNDED = ("confidence_difference", "calibrated_confidence", "prediction_powered", "confidence_threshold")


@pytest.mark.slow
def test_criteria_of_sums_have_the_scores_of_the_pool_in_memory(folder):
    inside, outside = (
        compare(LogisticRegression(), GRID, X, Y, X_unlabeled=pool, criteria=[*EXACT, *ROUNDED], random_state=0)
        for pool in (POOL, Pool(folder, sample=200))
    )
    for at, name in enumerate(inside.selections):
        scores = [
            {choice.candidate.index: choice.score for choice in found.selections[name].ranking}
            for found in (inside, outside)
        ]
        digits = 1e-12 if at < len(EXACT) else 2e-3 if name == "confidence_threshold" else 1e-5
        assert scores[0] == pytest.approx(scores[1], rel=0, abs=digits), name
    assert inside.n_fits.run == outside.n_fits.run


def test_the_distances_of_regressors_are_those_of_the_pool_in_memory(folder):
    y = X["a"].to_numpy() + 0.1 * X["b"].to_numpy()
    for criterion in ("adj", "ada"):
        scores = [
            FoldlessSearch(Ridge(), {"alpha": [0.1, 1000]}, criterion=criterion, random_state=0, estimate=False)
            .fit(X[["a", "b", "c"]], y, X_unlabeled=pool).cv_results_["mean_test_score"]
            for pool in (POOL[["a", "b", "c"]], Pool(folder, sample=200))
        ]  # fmt: skip
        assert np.allclose(*scores)


def test_all_candidates_are_predicted_in_one_pass(folder, monkeypatch):
    read = []
    plain = ParquetFiles._of_file
    monkeypatch.setattr(ParquetFiles, "_of_file", lambda self, file, *rest: read.append(file.path.name) or plain(
        self, file, *rest))  # fmt: skip
    monkeypatch.setattr(pool_pass, "PIECES", 1)
    fitted(Pool(folder, sample=200))
    assert sorted(read) == sorted(["0.parquet", "1.parquet", "2.parquet"] * 2)  # the sample, and the pass


def test_the_race_and_the_shares_need_no_more_than_a_pass(folder):
    search = FoldlessSearch(LogisticRegression(), GRID, random_state=0).fit(X, Y, X_unlabeled=Pool(folder, sample=500))
    predicted = pd.Series(search.best_estimator_.predict(POOL)).value_counts(normalize=True)
    assert np.allclose(search.selection_.shares, predicted[search.selection_.shares.index])
    assert search.selection_.estimate.lower < search.selection_.estimate.value
    assert search.selection_.shift is not None
    assert any("random sample of 500 (seed 0)" in note for note in search.selection_.notes)


def test_workers_have_the_scores_of_one_process(folder):
    serial = fitted(Pool(folder, sample=200), "adj").cv_results_["mean_test_score"]
    with joblib.parallel_config("threading", n_jobs=2):
        assert np.array_equal(serial, fitted(Pool(folder, sample=200), "adj").cv_results_["mean_test_score"])


@pytest.mark.nightly
def test_datasets_and_dask_frames_have_the_scores_of_files(folder):
    serial = fitted(Pool(folder, sample=200), "adj").cv_results_["mean_test_score"]
    frame = pytest.importorskip("dask.dataframe").from_pandas(POOL, npartitions=4)
    for source in (pa.dataset.dataset(str(folder)), pa.dataset.dataset(pa.Table.from_pandas(POOL)), frame):
        found = fitted(Pool(source, sample=200), "adj").cv_results_["mean_test_score"]
        assert np.allclose(serial, found, rtol=0, atol=1e-12)


def test_models_beyond_their_room_take_several_passes(folder):
    kept, none = (fitted(Pool(folder, sample=200), "adj", keep_models=room) for room in (512, 0))
    assert np.array_equal(kept.cv_results_["mean_test_score"], none.cv_results_["mean_test_score"])


def test_a_journal_has_the_answers_and_a_changed_file_has_none(folder, tmp_path):
    journal = tmp_path / "run.journal"
    first = fitted(Pool(folder, sample=200), "adj", journal=journal)
    again = fitted(Pool(folder, sample=200), "adj", journal=journal)
    assert (first.selection_.n_fits.run, again.selection_.n_fits.run) == (3, 0)
    assert np.array_equal(first.cv_results_["mean_test_score"], again.cv_results_["mean_test_score"])
    other = tmp_path / "other"
    other.mkdir()
    POOL.iloc[::-1].to_parquet(other / "0.parquet", index=False)
    assert fitted(Pool(other, sample=200), "adj", journal=journal).selection_.n_fits.run == 3


def test_a_certificate_counts_the_sample(folder):
    pool, method = Pool(folder, sample=500), Progressive(refit=True)
    certificate = certify(LogisticRegression(), X, Y, X_unlabeled=pool, method=method, random_state=0)
    assert certificate.terms[1].rows == 500


def test_shares_are_those_of_a_sample_with_wider_intervals(folder):
    narrow, wide = (
        quantify(LogisticRegression(), X, Y, X_unlabeled=pool, method="pacc", random_state=0)
        for pool in (POOL, Pool(folder, sample=100))
    )
    assert ((wide.upper - wide.lower) > (narrow.upper - narrow.lower)).all()
    assert any("random sample of 100 rows" in note for note in wide.notes)


def test_the_accuracy_of_a_model_is_estimated_with_a_sample(folder):
    model = LogisticRegression().fit(*drawn(300, 5))
    found = estimate(model, X, Y, X_unlabeled=Pool(folder, sample=500), random_state=0)
    assert found.lower < found.value < found.upper
    assert any("random sample of" in note for note in found.notes)


def test_missing_values_in_one_block_fail_the_candidates_with_its_file(folder, tmp_path):
    damaged = tmp_path / "with_gaps"
    damaged.mkdir()
    POOL.to_parquet(damaged / "0.parquet", index=False)
    POOL.iloc[:300].assign(a=np.nan).to_parquet(damaged / "1.parquet", index=False)
    with pytest.raises(CandidatesFailed, match=r"contains NaN[\s\S]*1\.parquet"):
        fitted(Pool(damaged, sample=1), "ada")


def test_a_file_that_vanishes_during_the_run_is_named(folder, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    POOL.to_parquet(gone / "0.parquet", index=False)

    class Vanishing(LogisticRegression):
        def fit(self, X, y):
            (gone / "0.parquet").unlink(missing_ok=True)
            return super().fit(X, y)

    search = FoldlessSearch(Vanishing(), GRID, criterion="quantification_bound", estimate=False)
    with pytest.raises(BadInput, match=r"0\.parquet"):
        search.fit(X, Y, X_unlabeled=Pool(gone, sample=10))


def test_rows_without_a_label_do_not_join_a_pool_in_files(folder):
    some = np.where(np.arange(90) < 5, None, Y)
    search = FoldlessSearch(LogisticRegression(), GRID, criterion="quantification_bound", estimate=False)
    notes = search.fit(X, some, X_unlabeled=Pool(folder, sample=200)).selection_.notes
    assert "5 rows without a label are left out, as the pool stays on disk" in notes


def test_a_candidate_that_fails_does_not_take_along_those_that_are_compared_with_it(folder):
    class Moody(LogisticRegression):
        """Cannot be fitted with C = 0.1, and cannot predict the pool with C = 10."""

        def fit(self, X, y):
            if self.C == 0.1:
                raise ValueError("no such C")
            return super().fit(X, y)

        def predict(self, X):
            if self.C == 10 and len(X) > 200:
                raise ValueError("too many rows")
            return super().predict(X)

    search = FoldlessSearch(Moody(), {"C": [0.1, 10, 0.001, 1]}, criterion="adj", estimate=False, random_state=0)
    with pytest.warns(FitFailedWarning):
        ranking = search.fit(X, Y, X_unlabeled=Pool(folder, sample=150)).selection_.ranking
    assert sorted(choice.candidate.params["C"] for choice in ranking) == [0.001, 1]
    alone = FoldlessSearch(
        LogisticRegression(), {"C": [0.001, 1]}, criterion="adj", estimate=False, random_state=0
    ).fit(X, Y, X_unlabeled=POOL)
    assert {c.candidate.params["C"]: c.score for c in ranking} == pytest.approx(
        {c.candidate.params["C"]: c.score for c in alone.selection_.ranking}
    )


@pytest.mark.nightly
def test_a_cluster_has_the_scores_of_one_process_also_after_a_worker_is_killed(folder):
    distributed = pytest.importorskip("distributed")
    serial = fitted(Pool(folder, sample=200), "adj").cv_results_["mean_test_score"]
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_config("dask"),
    ):
        for kill in (False, True):
            if kill:
                pids = list(client.run(os.getpid).values())
                threading.Timer(0.3, os.kill, (pids[0], signal.SIGKILL)).start()
            assert np.array_equal(serial, fitted(Pool(folder, sample=200), "adj").cv_results_["mean_test_score"])
