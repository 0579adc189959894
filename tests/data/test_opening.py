import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from foldless.core import Rows
from foldless.data._class_labels import encode
from foldless.data._features import concatenate, n_rows, take
from foldless.data._metadata import Metadata
from foldless.data._opening import open_sample
from foldless.data.pool import Pool
from foldless.errors import AmbiguousLabels, BadInput, counted

X6 = np.arange(12.0).reshape(6, 2)
Y6 = np.array([0, 1, 0, 1, 0, 1])


def plain(labels) -> list:
    return np.asarray(labels).tolist()


# −1


MARKED = {
    "ints": np.array([0, 1, -1, 1, -1, 0]),
    "small ints": np.array([0, 1, -1, 1, -1, 0], dtype=np.int8),
    "list": [0, 1, -1, 1, -1, 0],
    "floats": [0.0, 1.0, -1.0, 1.0, -1.0, 0.0],
    "objects": np.array([0, 1, -1, 1, -1, 0], dtype=object),
    "numpy objects": np.array([np.int64(0), 1, np.int64(-1), 1, -1.0, 0], dtype=object),
    "series": pd.Series([0, 1, -1, 1, -1, 0], index=list("uvwxyz")),
    "nullable": pd.Series([0, 1, -1, 1, -1, 0], dtype="Int64"),
    "categories": pd.Series([0, 1, -1, 1, -1, 0], dtype="category"),
    "polars": pl.Series([0, 1, -1, 1, -1, 0]),
}


@pytest.mark.parametrize("y", MARKED.values(), ids=MARKED.keys())
def test_minus_one_marks_the_unlabeled_rows_where_no_pool_is_given(y):
    data = open_sample(X6, y)
    assert plain(data.classes) == [0, 1]
    assert data.y.tolist() == [0, 1, 1, 0]
    assert data.labeled.tolist() == X6[[0, 1, 3, 5]].tolist()
    assert data.pool.tolist() == X6[[2, 4]].tolist()
    assert [len(rows) for rows in data.rows()] == [4, 2, 0]


@pytest.mark.parametrize("y", MARKED.values(), ids=MARKED.keys())
@pytest.mark.parametrize("pool", [X6[:3], X6[:0], Pool(X6[:3])], ids=["some", "empty", "Pool"])
def test_minus_one_is_a_class_where_a_pool_is_given(y, pool):
    data = open_sample(X6, y, pool)
    assert plain(data.classes) == [-1, 0, 1]
    assert data.y.tolist() == [1, 2, 0, 2, 0, 1]
    assert len(data.rows()[1]) == n_rows(pool.X if isinstance(pool, Pool) else pool)


def test_a_number_among_strings_marks_the_unlabeled_rows():
    for y in (np.array(["b", "a", -1, "a"], dtype=object), pd.Series(["b", "a", -1, "a"])):
        data = open_sample(X6[:4], y)
        assert plain(data.classes) == ["a", "b"]
        assert data.y.tolist() == [1, 0, 0]
        assert data.pool.tolist() == [X6[2].tolist()]


STRINGS = {
    "list": ["a", "b", "-1", "a"],
    "mixed list": ["a", "b", -1, "a"],
    "array": np.array(["a", "b", "-1", "a"]),
    "objects": np.array(["a", "b", "-1", "a"], dtype=object),
    "series": pd.Series(["a", "b", "-1", "a"]),
    "arrow": pd.Series(["a", "b", "-1", "a"], dtype="string[pyarrow]"),
    "categories": pd.Series(["a", "b", "-1", "a"], dtype="category"),
    "polars": pl.Series(["a", "b", "-1", "a"]),
    "digits": ["0", "1", "-1", "1"],
}


@pytest.mark.parametrize("y", STRINGS.values(), ids=STRINGS.keys())
def test_the_string_minus_one_may_be_either(y):
    with pytest.raises(AmbiguousLabels, match="string '-1': pass unlabeled=None if −1 is a class"):
        open_sample(X6[:4], y)


@pytest.mark.parametrize("y", [v for k, v in STRINGS.items()], ids=STRINGS.keys())
def test_the_string_minus_one_is_a_class_where_a_pool_is_given(y):
    assert "-1" in plain(open_sample(X6[:4], y, X6).classes)


@pytest.mark.parametrize(
    ("y", "found"),
    [
        ([-1, 1, -1, 1], "−1 and 1"),
        ([-1.0, 1.0, -1.0, 1.0], "−1 and 1.0"),
        (np.array([-1, "a", "a", -1], dtype=object), "−1 and 'a'"),
        ([-1, -1, -1, -1], "only −1"),
    ],
)
def test_minus_one_and_too_few_others_may_be_either(y, found):
    with pytest.raises(AmbiguousLabels, match=f"y holds {found}, .*X_unlabeled="):
        open_sample(X6[:4], y)


def test_minus_one_and_one_other_are_two_classes_beside_a_pool():
    assert plain(open_sample(X6[:4], [-1, 1, -1, 1], X6).classes) == [-1, 1]


@pytest.mark.parametrize("y", [[True, False] * 3, np.array([255, 1] * 3, dtype=np.uint8), ["a", "b"] * 3, [0, 1] * 3])
def test_labels_without_minus_one_are_all_labeled(y):
    data = open_sample(X6, y)
    assert data.pool is None
    assert data.labeled is X6
    assert len(data.rows()[1]) == 0


def test_what_goes_with_the_rows_is_cut_to_the_labeled_ones():
    y, weights = [0, 1, -1, 1, -1, 0], np.arange(6)
    data = open_sample(
        X6,
        y,
        groups=list("aabbcc"),
        metadata=Metadata(
            {"sample_weight": weights, "listed": list("uvwxyz"), "scale": 2.0, "mode": "abcdef", "none": None}
        ),
    )
    assert data.groups.tolist() == ["a", "a", "b", "c"]
    assert set(data.fit_params) == {"sample_weight", "listed", "scale", "mode"}
    cut = data.params_of(Rows(np.array([3, 1, 1])))
    assert cut["sample_weight"].tolist() == [5, 1, 1]
    assert cut["listed"] == ["z", "v", "v"]
    assert cut["scale"] == 2.0
    assert cut["mode"] == "abcdef"


def test_weights_follow_their_rows_by_position_not_by_index():
    weights = pd.Series([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], index=[5, 4, 3, 2, 1, 0])
    data = open_sample(X6, Y6, X6, metadata=Metadata({"sample_weight": weights}))
    assert data.params_of(Rows(np.array([4, 0])))["sample_weight"].tolist() == [4.0, 0.0]
    assert data.params_of(Rows(range(6)))["sample_weight"].tolist() == weights.tolist()


@pytest.mark.parametrize("y", [Y6, [0, 1, -1, 1, -1, 0]])
@pytest.mark.parametrize("n", [0, 4, 5, 7])
def test_groups_of_another_length(y, n):
    with pytest.raises(BadInput, match=f"groups has {n} entries for 6 rows of X"):
        open_sample(X6, y, groups=np.arange(n))


# Pool


def test_a_pool_is_not_array_like():
    pool = Pool(X6)
    assert not hasattr(pool, "__len__")
    assert not hasattr(pool, "shape")
    assert repr(pool) == "Pool(6 rows)"
    assert repr(Pool(["a", "b"])) == "Pool(2 rows)"
    assert open_sample(X6, Y6, pool).pool is X6


# labels of every kind


LABELS = {
    "ints": ([3, 1, 3, 1, 2, 2], [1, 2, 3]),
    "large": (np.array([2**40, 5] * 3), [5, 2**40]),
    "plus-minus floats": ([0.0, 1.0, 2.0] * 2, [0.0, 1.0, 2.0]),
    "strings": (["b", "a"] * 3, ["a", "b"]),
    "objects": (np.array(["b", "a"] * 3, dtype=object), ["a", "b"]),
    "booleans": ([True, False] * 3, [False, True]),
    "boolean objects": (np.array([True, False] * 3, dtype=object), [False, True]),
    "int objects": (np.array([5, 2] * 3, dtype=object), [2, 5]),
    "number objects": (np.array([5, 2.0] * 3, dtype=object), [2.0, 5.0]),
    "tuple": ((1, 0, 1, 0, 1, 0), [0, 1]),
    "categories": (pd.Series(["b", "a"] * 3, dtype="category"), ["a", "b"]),
    "categorical": (pd.Categorical(["b", "a"] * 3, categories=["b", "a", "unused"]), ["a", "b"]),
    "int categories": (pd.Series([5, 2] * 3, dtype="category"), [2, 5]),
    "pandas strings": (pd.Series(["b", "a"] * 3), ["a", "b"]),
    "python strings": (pd.Series(["b", "a"] * 3, dtype="string[python]"), ["a", "b"]),
    "arrow strings": (pd.Series(["b", "a"] * 3, dtype="string[pyarrow]"), ["a", "b"]),
    "arrow type": (pd.Series(["b", "a"] * 3, dtype=pd.ArrowDtype(pa.string())), ["a", "b"]),
    "arrow array": (pa.array(["b", "a"] * 3), ["a", "b"]),
    "nullable ints": (pd.Series([5, 2] * 3, dtype="Int64"), [2.0, 5.0]),  # as scikit-learn has it
    "nullable booleans": (pd.Series([True, False] * 3, dtype="boolean"), [0.0, 1.0]),  # as scikit-learn has it
    "polars strings": (pl.Series(["b", "a"] * 3), ["a", "b"]),
    "polars categories": (pl.Series(["b", "a"] * 3, dtype=pl.Categorical), ["a", "b"]),
    "polars booleans": (pl.Series([True, False] * 3), [False, True]),
    "dates": (np.array(["2020-01-02", "2020-01-01"] * 3, dtype="M8[D]"), ["2020-01-01", "2020-01-02"]),
}


@pytest.mark.parametrize("pool", [None, X6], ids=["alone", "pool"])
@pytest.mark.parametrize(("y", "classes"), LABELS.values(), ids=LABELS.keys())
def test_labels_of_every_kind(y, classes, pool):
    data = open_sample(X6, y, pool)
    assert plain(data.classes) == classes
    assert [type(label) for label in plain(data.classes)] == [type(label) for label in classes]
    asked = list(y.astype(str)) if getattr(y, "dtype", None) == np.dtype("M8[D]") else list(map(_python, y))
    assert [plain(data.classes)[code] for code in data.y] == asked
    assert data.y.dtype == np.int64


def _python(label):
    return label.as_py() if isinstance(label, pa.Scalar) else label


def test_a_column_of_labels_is_taken_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert plain(open_sample(X6, pd.DataFrame({"y": ["b", "a"] * 3})).classes) == ["a", "b"]


BAD_LABELS = {
    "none": (None, "requires y to be passed"),
    "all missing": ([None] * 6, "y has no label in any row .NaN or None."),
    "infinity": ([0, 1, np.inf, 0, 1, 1], "y contains infinity at row 2"),
    "mixed": (np.array(["a", 1] * 3, dtype=object), "mixes labels of the types int and str: make them all strings"),
    "one class": (["a"] * 6, "one class only, 'a': pass labeled rows of at least two classes"),
    "one number": ([7] * 6, "one class only, 7: "),
    "continuous": ([0.5, 1.2, 3.1, 0.1, 0.2, 0.3], "Unknown label type: continuous"),
    "two columns": (
        np.full((6, 2), 3.0),
        "y has 2 columns and holds 3.0, so it is not an indicator .*one label per row",
    ),
    "no label at all": (np.zeros((6, 2)), "y holds no label in any row"),
    "one sparse column": (sparse.csr_array(np.ones((6, 1))), "sparse matrix of one column: pass one label per row"),
    "bytes": (np.array([b"a", b"b"] * 3), "y holds no class labels: .*bytes"),
    "short": ([0, 1, 0], "X has 6 rows and y has 3 labels"),
    "scalar": (3, "one label per row"),
    "string": ("abcdef", "one label per row"),
}


@pytest.mark.parametrize("pool", [None, X6], ids=["alone", "pool"])
@pytest.mark.parametrize(("y", "says"), BAD_LABELS.values(), ids=BAD_LABELS.keys())
def test_labels_that_cannot_be_used(y, says, pool):
    with pytest.raises(BadInput, match=says):
        open_sample(X6, y, pool)


MISSING_LABELS = {
    "nan": ([0, 1, np.nan, 0, 1, 1], [2], [0.0, 1.0]),
    "None": (["a", None, "b", None, "a", "a"], [1, 3], ["a", "b"]),
    "NA": (pd.Series([0, 1, None, 0, 1, 1], dtype="Int64"), [2], [0, 1]),
    "string NA": (pd.Series(["a", None, "b"] * 2, dtype="string[pyarrow]"), [1, 4], ["a", "b"]),
    "category NA": (pd.Series(["a", "b", None] * 2, dtype="category"), [2, 5], ["a", "b"]),
    "polars null": (pl.Series([0, 1, None] * 2), [2, 5], [0, 1]),
}


@pytest.mark.parametrize("pool", [None, X6 + 10], ids=["alone", "pool"])
@pytest.mark.parametrize(("y", "without", "classes"), MISSING_LABELS.values(), ids=MISSING_LABELS.keys())
def test_rows_whose_label_is_missing_join_the_pool(y, without, classes, pool):
    groups, weights = np.arange(6) // 2, np.arange(6.0)
    own = None if pool is None else Pool(pool, groups=np.arange(6) + 7)
    data = open_sample(X6, y, own, groups=groups, metadata=Metadata({"sample_weight": weights}))
    labeled = np.setdiff1d(np.arange(6), without)
    assert plain(data.classes) == classes
    np.testing.assert_array_equal(data.labeled, X6[labeled])
    np.testing.assert_array_equal(data.pool, X6[without] if pool is None else np.vstack([X6[without], pool]))
    np.testing.assert_array_equal(data.groups, groups[labeled])
    np.testing.assert_array_equal(data.pool_groups, [*groups[without], *([] if pool is None else np.arange(6) + 7)])
    np.testing.assert_array_equal(data.fit_params["sample_weight"], weights[labeled])
    assert data.notes == (
        counted(len(without), "row without a label joins the pool", "rows without a label join the pool"),
    )


def test_without_a_pool_both_marks_of_unlabeled_rows_count():
    data = open_sample(X6, [0, 1, np.nan, -1, 1, 0])
    np.testing.assert_array_equal(data.pool, X6[[2, 3]])
    assert plain(open_sample(X6, [0, 1, np.nan, -1, 1, 0], X6).classes) == [-1, 0, 1]
    with pytest.raises(BadInput, match=r"y_test has no label .NaN or None. in 1 rows, the first is row 5"):
        open_sample(X6, [0, 1] * 3, X_test=X6, y_test=[0, 1, 0, 1, 0, None])


# encode


@pytest.mark.parametrize(
    ("n_classes", "kind"), [(127, np.int8), (128, np.int16), (32_767, np.int16), (32_768, np.int32), (40_000, np.int32)]
)
def test_codes_take_the_smallest_type_that_holds_them(n_classes, kind):
    classes = np.arange(n_classes) * 2
    codes = encode(np.array([0, 2 * n_classes - 2, 1, 2 * n_classes]), classes)
    assert codes.dtype == kind
    assert codes.tolist() == [0, n_classes - 1, -1, -1]


@pytest.mark.parametrize(
    ("labels", "classes", "codes"),
    [
        (["b", "zz", "a", ""], np.array(["a", "b"]), [1, -1, 0, -1]),
        (["b", "abc"], np.array(["a", "b"], dtype=object), [1, -1]),
        (np.array(["b", "abc"], dtype=object), np.array(["a", "b"]), [1, -1]),
        ([1.0, 1.5, np.nan, 0.0], np.array([0, 1]), [1, -1, -1, 0]),
        ([True, False], np.array([False, True]), [1, 0]),
        ([1, 0, 2], np.array([False, True]), [1, 0, -1]),
        ([-1, 1, 0], np.array([-1, 1]), [0, 1, -1]),
        (["0", "1"], np.array([0, 1]), [-1, -1]),
        (np.array(["0", "1"], dtype=object), np.array([0, 1]), [-1, -1]),
        ([0, 1], np.array(["0", "1"]), [-1, -1]),
        (np.array([0, 1], dtype=object), np.array(["0", "1"], dtype=object), [-1, -1]),
        (np.array([0, "b", None], dtype=object), np.array(["a", "b"], dtype=object), [-1, 1, -1]),
        (np.array([1, 5], dtype=object), np.array([1, 2]), [0, -1]),
        ([], np.array([0, 1]), []),
    ],
)
def test_labels_outside_the_classes_become_minus_one(labels, classes, codes):
    assert encode(labels, classes).tolist() == codes


# rows of every kind of features


ROWS = [["red", 0.5], ["green", 1.5], ["blue", 2.5], ["red", 3.5], ["white", 4.5], ["black", 5.5], ["gray", 6.5]]
NUMBERS = np.arange(14.0).reshape(7, 2)
FRAME = pd.DataFrame(ROWS, columns=["color", "x"])
KINDS = {
    "array": NUMBERS,
    "fortran": np.asfortranarray(NUMBERS),
    "objects": np.array(ROWS, dtype=object),
    "csr": sparse.csr_array(NUMBERS),
    "csr matrix": sparse.csr_matrix(NUMBERS),
    "csc": sparse.csc_array(NUMBERS),
    "coo": sparse.coo_array(NUMBERS),
    "bsr": sparse.bsr_array(NUMBERS),
    "pandas": FRAME.set_index(pd.Index(list("aabbcca"))),
    "polars": pl.DataFrame(FRAME.to_dict("list")),
    "lists": NUMBERS.tolist(),
    "texts": [color for color, _ in ROWS],
    "text series": pd.Series([color for color, _ in ROWS], index=list("gfedcba")),
    "text array": np.array([color for color, _ in ROWS]),
}


def listed(X) -> list:
    if sparse.issparse(X):
        return X.toarray().tolist()
    if isinstance(X, pl.DataFrame):
        return [list(row) for row in X.rows()]
    if isinstance(X, pd.DataFrame):
        return X.to_numpy().tolist()
    return X if isinstance(X, list) else X.tolist()


def parts_of(X):
    X = X.tocsr() if sparse.issparse(X) and X.format in ("coo", "bsr") else X
    return take(X, slice(0, 3)), take(X, slice(3, 5)), take(X, slice(5, 7))


@pytest.mark.parametrize("X", KINDS.values(), ids=KINDS.keys())
def test_rows_are_taken_across_parts_in_any_order(X):
    labeled, pool, test = parts_of(X)
    data = open_sample(labeled, [0, 1, 0], pool, X_test=test, y_test=[1, 0])
    assert data.rows() == (Rows(range(3)), Rows(range(3, 5)), Rows(range(5, 7)))
    whole = listed(X)
    orders = [
        range(3),
        range(3, 5),
        range(5, 7),
        range(1, 2),
        range(7),
        range(2, 6),
        range(4, 7),
        [0, 2],
        [2, 0, 0],
        [4, 3],
        [0, 4, 6],
        [0, 0, 3, 3],
        [6, 0, 4, 1, 5, 3, 2],
        [3, 2, 3, 6, 0, 6],
        [],
    ]
    for order in orders:
        rows = Rows(order if isinstance(order, range) else np.array(order, dtype=int))
        taken = data.take(rows)
        assert listed(taken) == [whole[at] for at in order], order
        assert isinstance(taken, type(labeled)) or sparse.issparse(labeled), order
        assert n_rows(taken) == len(order)
        if sparse.issparse(labeled):
            assert isinstance(taken, sparse.sparray) == isinstance(labeled, sparse.sparray)


def test_a_whole_part_is_not_copied():
    data = open_sample(NUMBERS[:3], [0, 1, 0], NUMBERS[3:])
    assert np.shares_memory(data.take(Rows(range(3))), data.labeled)
    assert np.shares_memory(data.take(Rows(range(3, 7))), data.pool)
    assert np.shares_memory(data.take(Rows(range(4, 6))), NUMBERS)


@given(st.lists(st.integers(0, 6), max_size=12), st.booleans(), st.booleans())
def test_rows_taken_are_the_rows_asked_for(order, with_pool, with_test):
    pool, test = (NUMBERS[3:5] if with_pool else None), (NUMBERS[5:] if with_test else None)
    data = open_sample(NUMBERS[:3], [0, 1, 0], pool, X_test=test, y_test=[1, 0] if with_test else None)
    present = np.concatenate(data.parts)
    order = [at for at in order if at < len(present)]
    assert data.take(Rows(np.array(order, dtype=int))).tolist() == present[order].tolist()


def test_frames_keep_their_types():
    X = pd.DataFrame({"c": pd.Categorical(["a", "b", "a"]), "n": pd.array([1, 2, None], dtype="Int64")})
    data = open_sample(X, [0, 1, 0], X.iloc[:2])
    assert data.take(Rows(np.array([4, 0, 2]))).dtypes.tolist() == X.dtypes.tolist()


def test_concatenate_leaves_a_single_part_alone():
    part = object()
    assert concatenate([part]) is part


def test_marked_rows_of_every_kind_of_features():
    for X in KINDS.values():
        data = open_sample(X, [0, -1, 1, -1, -1, 1, 0])
        whole = listed(X)
        assert listed(data.labeled) == [whole[at] for at in (0, 2, 5, 6)]
        assert listed(data.pool) == [whole[at] for at in (1, 3, 4)]


@pytest.mark.parametrize("X", ["text", 5, {"a": 1}, np.array(3.0), object()], ids=lambda X: type(X).__name__)
def test_features_without_rows(X):
    with pytest.raises(BadInput, match=r"^X must (have rows|be an array)"):
        open_sample(X, Y6)


def test_no_rows_at_all():
    with pytest.raises(BadInput, match="X has no rows"):
        open_sample(X6[:0], [])


# parts that do not fit together


FRAME6 = pd.DataFrame({"a": [1, 2, 3, 4, 5, 6], "b": [0.5] * 6, "t": list("uvwxyz")})
POLARS6 = pl.DataFrame(FRAME6.to_dict("list"))
UNLIKE = {
    "width": (X6, X6[:, :1], "X has 2 columns and {} has 1"),
    "flat": (X6, X6[:, 0], r"{} holds one value per row and X has 2 columns: .*np.reshape\({}, \(-1, 1\)\)"),
    "flat labeled rows": (
        X6[:, 0],
        X6,
        r"X holds one value per row and {} has 2 columns: .*np.reshape\(X, \(-1, 1\)\)",
    ),
    "sparse": (sparse.csr_array(X6), X6, r"X is sparse and {} is not: .*csr_array\({}\)"),
    "dense": (X6, sparse.csr_array(X6), r"X is dense and {} is not: .*csr_array\(X\)"),
    "frame": (X6, FRAME6, "X is a ndarray and {} a DataFrame"),
    "no frame": (FRAME6, X6, "X is a DataFrame and {} a ndarray"),
    "lacks": (FRAME6, FRAME6[["a", "t"]], "{} lacks column 'b': give it the columns of X, or drop the label"),
    "extra": (FRAME6, FRAME6.assign(z=1, y=2), "{} has also columns 'z', 'y'"),
    "renamed": (FRAME6, FRAME6.rename(columns={"a": "A"}), "{} lacks column 'a' and has also column 'A'"),
    "order": (FRAME6, FRAME6[["b", "a", "t"]], r"{} has the columns of X in another order: .*{}\[X.columns\]"),
    "type": (FRAME6, FRAME6.assign(a=list("123456")), "column 'a' is numeric in X and text in {}"),
    "objects": (
        FRAME6,
        FRAME6.astype({"a": object}),
        "numeric in X and numeric of dtype object in {}: .*infer_objects",
    ),
    "boolean": (FRAME6, FRAME6.assign(a=[True] * 6), "column 'a' is numeric in X and boolean in {}"),
    "date": (FRAME6, FRAME6.assign(t=pd.Timestamp("2020-01-01")), "column 't' is text in X and a date in {}"),
    "category": (FRAME6, FRAME6.astype({"t": "category"}), "column 't' is text in X and categorical in {}"),
    "twice": (FRAME6[["a", "a"]], FRAME6[["a", "a"]], "column 'a' occurs twice"),
    "polars type": (POLARS6, POLARS6.with_columns(a=pl.lit("x")), "column 'a' is numeric in X and text in {}"),
    "pandas and polars": (FRAME6, POLARS6, r"a frame of pandas and {} one of polars: .*{}.to_pandas\(\)"),
    "polars and pandas": (POLARS6, FRAME6, r"a frame of polars and {} one of pandas: .*from_pandas\({}\)"),
    "polars lacks": (POLARS6, POLARS6.drop("b"), "{} lacks column 'b'"),
    "many": (
        pd.DataFrame(np.zeros((6, 8)), columns=list("abcdefgh")),
        FRAME6[["a"]],
        "lacks columns 'b', 'c', 'd', 'e', 'f' and 2 more",
    ),
    "nested lists": (X6.tolist(), X6[:, :1].tolist(), "X has 2 columns and {} has 1"),
}


@pytest.mark.parametrize(("X", "other", "says"), UNLIKE.values(), ids=UNLIKE.keys())
def test_a_pool_or_test_set_of_another_kind(X, other, says):
    with pytest.raises(BadInput, match=says.replace("{}", "X_unlabeled")):
        open_sample(X, Y6, other)
    with pytest.raises(BadInput, match=says.replace("{}", "X_unlabeled")):
        open_sample(X, Y6, Pool(other))
    with pytest.raises(BadInput, match=says.replace("{}", "X_test")):
        open_sample(X, Y6, X_test=other, y_test=Y6)


@pytest.mark.parametrize(
    "other",
    [
        FRAME6.astype({"a": float}),
        FRAME6.astype({"a": "Int64"}),
        FRAME6.astype({"t": object}),
        FRAME6.astype({"t": "string[pyarrow]"}),
        FRAME6.iloc[:0],
    ],
)
def test_frames_whose_columns_hold_the_same_kind_fit_together(other):
    assert list(open_sample(FRAME6, Y6, other).labeled) == ["a", "b", "t"]


# the test set


def test_labels_of_the_test_set_become_codes():
    data = open_sample(X6, ["b", "a"] * 3, X_test=X6[:3], y_test=["a", "zebra", "b"])
    assert data.test_y.tolist() == [0, -1, 1]
    assert len(data.rows()[2]) == 3
    with pytest.raises(BadInput, match="such as '0', is a class of y, such as 0"):
        open_sample(X6, Y6, X_test=X6[:2], y_test=pd.Series(["0", "1"]))


@pytest.mark.parametrize(
    ("X_test", "y_test", "says"),
    [
        (X6, None, "needs both X_test and y_test, got only X_test"),
        (None, Y6, "needs both X_test and y_test, got only y_test"),
        (X6, Y6[:3], "X_test has 6 rows and y_test has 3 labels"),
        (X6[:0], Y6[:0], "X_test has 0 rows and y_test has 0 labels"),
        (X6, [0, 1, np.nan] * 2, "no label"),
    ],
)
def test_test_sets_that_cannot_be_used(X_test, y_test, says):
    with pytest.raises(BadInput, match=says):
        open_sample(X6, Y6, X_test=X_test, y_test=y_test)


# label sets

SETS = [["b"], ["a", "b"], [], ["c", "a"], ["b"], ["a"]]
ROWS, LABELS = [0, 1, 1, 3, 3, 4, 5], ["b", "a", "b", "a", "c", "b", "a"]


def test_a_row_is_copied_for_each_of_its_labels_and_joins_the_pool_without_one():
    data = open_sample(X6, SETS, X6[:1] + 100)
    np.testing.assert_array_equal(data.labeled, X6[ROWS])
    assert data.classes[data.y].tolist() == LABELS
    np.testing.assert_array_equal(data.pool, np.vstack([X6[2:3], X6[:1] + 100]))
    assert data.groups.tolist() == ROWS
    assert data.notes == (
        "1 row without any label joins the pool",
        "y holds 7 labels for 5 rows, and a row is copied for each of its labels: accuracy on the copies cannot exceed "
        "0.7143",
    )


def test_without_another_pool_the_rows_without_a_label_are_one():
    data = open_sample(X6, SETS)
    np.testing.assert_array_equal(data.pool, X6[2:3])
    assert open_sample(X6, [["a"], ["b"]] * 3).pool is None


def test_fit_parameters_and_groups_are_copied_with_their_rows():
    weights, groups = np.arange(6.0), np.array(["p", "p", "q", "q", "r", "r"])
    data = open_sample(X6, SETS, metadata=Metadata({"sample_weight": weights, "check": True}), groups=groups)
    assert data.fit_params["sample_weight"].tolist() == weights[ROWS].tolist()
    assert data.fit_params["check"] is True
    assert data.groups.tolist() == groups[ROWS].tolist()
    np.testing.assert_array_equal(data.params_of(Rows([1, 3]))["sample_weight"], [1, 3])


def test_sets_of_one_label_are_single_labels():
    one, sets = (open_sample(X6, y, X6) for y in (["b", "a"] * 3, [["b"], ["a"]] * 3))
    assert (sets.y.tolist(), sets.classes.tolist(), sets.groups, sets.notes) == (one.y.tolist(), ["a", "b"], None, ())
    np.testing.assert_array_equal(sets.labeled, one.labeled)


def test_minus_one_is_a_class_in_a_set():
    assert open_sample(X6, [[-1], [1, -1], [1], [2], [], [2]]).classes.tolist() == [-1, 1, 2]


@pytest.mark.parametrize("kind", [list, sparse.csr_array, pd.DataFrame, pl.DataFrame])
def test_features_of_any_type_are_copied(kind):
    X = kind(X6.tolist() if kind is list else X6)
    data = open_sample(X, SETS)
    taken = data.take(Rows([1, 2, 7]))
    taken = taken.toarray() if sparse.issparse(taken) else np.asarray(taken)
    np.testing.assert_array_equal(taken, X6[[1, 1, 2]])


def test_a_test_set_is_copied_too():
    data = open_sample(X6, SETS, X_test=X6[:3], y_test=[["a"], ["c", "b"], ["zebra"]])
    np.testing.assert_array_equal(data.test, X6[[0, 1, 1, 2]])
    assert data.test_y.tolist() == [0, 1, 2, -1]
    assert data.notes[-2].startswith("y_test holds 4 labels for 3 rows")
    assert (
        data.notes[-1] == "1 test row is of class 'zebra', which no labeled row has: every candidate is wrong about it"
    )
    assert data.notes[-2].endswith("cannot exceed 0.7500")
    assert open_sample(X6, SETS, X_test=X6[:2], y_test=["b", "c"]).test_y.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("y", "y_test", "says"),
    [
        (SETS[:5], None, "X has 6 rows and y has 5 labels"),
        (SETS, [["a"], [], ["b"]], "y_test has no label in row 1"),
        (SETS, [["a"]], "X_test has 3 rows and y_test has 1 labels"),
        ([["a"]] * 6, None, "one class only, 'a'"),
    ],
)
def test_label_sets_that_cannot_be_used(y, y_test, says):
    with pytest.raises(BadInput, match=says):
        open_sample(X6, y, X_test=None if y_test is None else X6[:3], y_test=y_test)


def test_tables_of_arrow_keep_the_names_and_types_of_their_columns():
    table = pa.table({"size": X6[:, 0], "color": ["red", "blue"] * 3})
    sample = open_sample(table, Y6, table)
    pd.testing.assert_frame_equal(sample.labeled, table.to_pandas())
    pd.testing.assert_frame_equal(sample.pool, table.to_pandas())
