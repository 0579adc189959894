"""How rows of Python are read in front of a model of the portfolio."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.pipeline import Pipeline

from foldless.data._columns import Columns
from foldless.errors import BadInput
from foldless.portfolio import default_candidates
from foldless.portfolio._catalog import Facts
from foldless.portfolio._rows import RowReader
from foldless.selection._default_candidates import candidates_for

TEXTS = ["the cat sat down", "a dog ran away", "birds fly very high", "fish swim in water"]
NUMBERS = np.array([[1.0, -2.0], [3.0, 4.0], [5.0, 6.0], [0.0, 1.0]])
WIDE = sparse.csr_array((4, 1001))
FRAME = pd.DataFrame({"x": NUMBERS[:, 0], "color": ["red", "blue", "red", "blue"]})


def read(X, *, nonnegative=False, dense=False):
    steps = RowReader(X).steps(nonnegative=nonnegative, dense=dense)
    return Pipeline(steps).fit(X)


@pytest.mark.parametrize(
    ("X", "text"),
    [
        (NUMBERS, False),
        (NUMBERS.tolist(), False),
        (sparse.csr_array(np.abs(NUMBERS)), False),
        (WIDE, True),
        (TEXTS, True),
        (np.array(TEXTS, dtype=object), True),
        (np.array(TEXTS, dtype=object)[:, None], True),
        (np.array([["red", 1.0], ["blue", 2.5], ["red", 3.0], ["blue", 0.5]], dtype=object), False),
        (NUMBERS.astype(object), False),
        (pd.Series(TEXTS), True),
        (FRAME, False),
        (FRAME.assign(body=TEXTS), True),
        (pl.from_pandas(FRAME), False),
    ],
)
def test_which_list_is_for_which_rows(X, text):
    assert RowReader(X).text == text
    assert ("naive-bayes" in default_candidates(X)) == text
    assert "pool-features" in default_candidates(X, pool=True)
    assert "pool-features" not in default_candidates(X, pool=False)


def test_an_array_of_objects_is_read_like_a_frame():
    X = np.array([[text, at / 2] for at, text in enumerate(TEXTS)], dtype=object)
    as_frame = pd.DataFrame(X, columns=["0", "1"]).infer_objects()
    np.testing.assert_allclose(read(X).transform(X).toarray(), read(as_frame).transform(as_frame).toarray())


def test_columns_of_several_levels():
    deep = FRAME.set_axis(pd.MultiIndex.from_product([["a"], FRAME.columns]), axis=1)
    np.testing.assert_array_equal(read(deep).transform(deep), read(FRAME).transform(FRAME))


@pytest.mark.parametrize("X", [NUMBERS, sparse.csr_array(NUMBERS), WIDE, TEXTS, FRAME, FRAME.assign(body=TEXTS)])
def test_all_models_of_the_list_read_them(X):
    for pipeline, _ in default_candidates(X).values():
        rows = pipeline[:-1].fit_transform(X)
        assert rows.shape[0] == 4


def test_no_value_is_negative_where_a_model_wants_none():
    for X in (NUMBERS, FRAME, TEXTS):
        values = read(X, nonnegative=True).transform(X)
        assert values.min() >= 0
    beyond = read(NUMBERS, nonnegative=True).transform(NUMBERS - 10)  # rows to predict go beyond those of training
    assert beyond.min() == 0


def test_gaps_are_filled_also_where_training_rows_have_none():
    gap = NUMBERS.copy()
    gap[0, 0] = np.nan
    assert np.isfinite(read(gap).transform(gap)).all()
    assert np.isfinite(read(NUMBERS).transform(gap)).all()
    holes = FRAME.assign(x=[np.nan, 1, 2, 3], color=["red", None, "red", "blue"])
    for rows in (holes, pl.from_pandas(holes), holes.assign(more=1.0)):  # columns beside those of training are not read
        assert np.isfinite(read(FRAME, dense=True).transform(rows)).all()


def test_a_frame_may_have_numbers_as_names_of_columns():
    frame = pd.DataFrame(NUMBERS)
    assert np.isfinite(read(frame).transform(frame)).all()


def test_negative_sparse_rows_have_no_naive_bayes():
    assert "naive-bayes" in default_candidates(WIDE)
    assert "naive-bayes" not in default_candidates(sparse.csr_array(([-1.0], ([0], [0])), shape=WIDE.shape))


def test_a_narrow_sparse_matrix_is_a_table_and_has_trees():
    X = sparse.csr_array(NUMBERS)
    models = default_candidates(X)
    assert models.keys() == default_candidates(NUMBERS).keys()
    assert sparse.issparse(models["extra-trees"][0][:-1].fit_transform(X))  # trees read it as it is
    assert not sparse.issparse(models["linear-discriminant"][0][:-1].fit_transform(X))
    columns = Columns({}, width=2)
    assert not Facts.of(columns, pool=True, n_labels=4).text
    assert Facts.of(replace(columns, width=1001), pool=True, n_labels=4).text


def test_few_labels_have_fewer_neighbors_and_thousands_no_kernel_machines():
    assert "nearest-neighbors" in default_candidates(NUMBERS, n_labels=20)
    assert "nearest-neighbors" not in default_candidates(NUMBERS, n_labels=6)
    assert "svc" in default_candidates(NUMBERS, n_labels=500)
    many = default_candidates(NUMBERS, n_labels=10_000)
    assert "svc" not in many
    assert {"model__features": ["many"], "model__estimator": ["svc"]} not in many["pool-features"][1]
    assert default_candidates(NUMBERS).keys() == default_candidates(NUMBERS, n_labels=500).keys()


def test_a_column_without_any_value_stays_a_column():
    empty = np.column_stack([NUMBERS, np.full(4, np.nan)])
    assert read(empty).transform(empty).shape == (4, 3)


@pytest.mark.parametrize(("X", "row"), [([1, 2, 3], "1"), ([2.5, 1.0], "2.5"), (["a text", None], "None")])
def test_rows_that_are_neither_texts_nor_numbers(X, row):
    with pytest.raises(BadInput, match=f"X must have two dimensions, or be a list of texts, got a row {row}"):
        RowReader(X)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("dense", [False, True])
def test_any_sparse_format(form, dense):
    X = sparse.csr_array(np.abs(NUMBERS))
    plain = read(X, dense=dense)
    other = X.asformat(form)
    values = [
        np.asarray(sparse.csr_array(model.transform(rows)).todense())
        for model in (plain, read(other, dense=dense))
        for rows in (X, other)
    ]
    assert all((each == values[0]).all() for each in values)
    assert sparse.issparse(plain.transform(other)) is not dense


class OnlyConverted:
    """Values that NumPy can read, and nothing else."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype=dtype)


def test_rows_and_labels_that_only_numpy_can_read_have_the_same_portfolio():
    labels = [0, -1, 1, 0]
    plain = candidates_for(NUMBERS, labels, None, -1)
    assert candidates_for(OnlyConverted(NUMBERS), OnlyConverted(labels), None, -1).keys() == plain.keys()
    assert "pool-features" in plain


def test_a_structured_array_is_refused_with_what_to_pass():
    with pytest.raises(BadInput, match=r"X is a structured array, which no model reads: pass pandas.DataFrame\(X\)"):
        candidates_for(FRAME.to_records(index=False), [0, 1, 0, 1], None, -1)


def test_integers_of_128_bits_are_one_sentence():
    frame = pl.DataFrame({"x": [1.0, 2.0], "wide": pl.Series([1, 2], dtype=pl.Int128)})
    with pytest.raises(
        BadInput, match=r"^column 'wide' of polars with 128 bits cannot be read: cast to 64 bits, .*Int64"
    ):
        RowReader(frame)
    assert RowReader(frame.cast({pl.Int128: pl.Int64}))
