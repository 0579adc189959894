"""The reproduction of Balikas et al. (2015) runs, and its own arithmetic is right."""

import json

import numpy as np
import pandas as pd
import pytest
from benchmarks.papers.balikas2015 import printed, run, sets
from helpers.papers import needs, reproduce
from scipy import sparse

pytestmark = pytest.mark.slow  # papers


def test_harmonic_reading_by_hand():
    # class 0: precision 1/2, recall 1; class 1: precision 1, recall 1/2; class 2 is never there
    value = run.harmonic([0, 1, 1], [0, 0, 1], [0, 1, 2])
    assert value == pytest.approx(0.5)
    assert run.harmonic([0, 0], [1, 1], [0, 1]) == 0


def test_maf_counts_the_classes_of_the_labels_that_the_test_rows_lack():
    assert run.SCORES["maf"]([0, 1], [0, 1], [0, 1, 2, 3]) == pytest.approx(0.5)


def test_claims_are_differences_with_a_standard_error_over_sets():
    cells = {"bound_un": (0.5, 0.7), "bound_test": (0.5, 0.5), "hold_out": (0.4, 0.4), "5_cv": (0.5, 0.6)}
    table = pd.DataFrame(
        [("svm", "maf", f"set {at}", method, scores[at]) for method, scores in cells.items() for at in range(2)],
        columns=["learner", "measure", "set", "method", "score"],
    )
    row = run.claims(table, "by hand").set_index("difference").loc["bound_un − 5_cv"]
    assert row["mean"] == pytest.approx(0.05)
    assert row["se"] == pytest.approx(0.05)
    assert (row["better"], row["equal"], row["worse"]) == (1, 1, 0)


def test_printed_table_3_is_complete():
    table = printed.table_3()
    assert len(table) == 2 * 10 * 2 * 4
    best = table.query("set == 'wiki_2500' and learner == 'svm' and measure == 'accuracy' and method == '5_cv'")
    assert best["score"].tolist() == [0.5832]
    assert table.loc[table["method"] != "hold_out", "sd"].eq(0).all()


def test_copies_of_a_document_stay_in_one_part_and_share_a_group():
    rng = np.random.default_rng(0)
    counts = sparse.csr_matrix(np.eye(50, dtype=int) + 1)
    document = np.repeat(np.arange(50), 3)
    parts = sets.split("made up", sets.Collection(counts, document, np.tile([0, 1, 2], 50)), None, rng)
    assert (parts.X.shape[0], parts.pool.shape[0], parts.X_test.shape[0]) == (3 * 16, 25, 3 * 9)
    assert np.bincount(parts.groups)[np.unique(parts.groups)].tolist() == [3] * 16
    assert parts.pool_y is None


def test_subsample_keeps_two_rows_of_every_class():
    label = np.repeat([0, 1, 2], [2, 8, 990])
    chosen = sets.subsample(np.arange(1000), label, 20, np.random.default_rng(0))
    assert len(chosen) == len(set(chosen)) == 20
    assert (np.bincount(label[chosen]) >= 2).all()


def test_words_of_the_test_rows_alone_are_no_features():
    X = sets.tf_idf(sparse.csr_matrix([[1, 0, 0], [1, 2, 0], [0, 0, 5]]), np.array([0, 1]))
    assert X.shape == (3, 2)
    assert X[2].nnz == 0


@pytest.mark.reproduction
@needs()
def test_smallest_set_writes_every_table(tmp_path):
    done = reproduce("balikas2015", "--only", "wordnet_250", "--rows", 400, "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Table 3" in done.stdout
    table = pd.read_csv(tmp_path / "table3.csv")
    assert len(table) == 2 * 2 * 5
    assert {"set", "learner", "measure", "method", "C", "accuracy", "maf", "harmonic", "seconds"} <= set(table.columns)
    assert table["harmonic"].ge(table["maf"] - 1e-9).all()
    best = table[table["method"] == "best"].set_index(["learner", "measure"])["score"]
    assert all(row.score <= best[row.learner, row.measure] + 1e-9 for row in table.itertuples())
    assert pd.read_csv(tmp_path / "table1.csv")["documents"].tolist() == [400]
    assert {"svm", "lr", "sigma"} <= set(pd.read_csv(tmp_path / "table2.csv").columns)
    assert len(pd.read_csv(tmp_path / "scores.csv")) == 2 * 8
    assert len(pd.read_csv(tmp_path / "figure1.csv")) == 8
    assert (tmp_path / "figure1.png").stat().st_size > 1000
    assert json.loads((tmp_path / "meta.json").read_text())["seed"] == 0


def test_a_missing_data_folder_is_said_plainly(tmp_path):
    done = reproduce("balikas2015", data=tmp_path)
    assert done.returncode == 2
    assert f"no collections in {tmp_path}: pass --data FOLDER or set FOLDLESS_DATA" in done.stderr
