"""What a column holds, and how it is prepared inside a candidate."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer

from foldless.data._columns import Columns, prepare, recognize, transformer
from foldless.errors import BadInput

SENTENCES = ["the cat sat down", "a dog ran away", "birds fly very high", "fish swim in water", "ants work all day"]


def table(**columns: object) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(values) for name, values in columns.items()})


def words(*values: object) -> "pd.Series[object]":
    return pd.Series(list(values), dtype=object)


def mixed() -> pd.DataFrame:
    return table(
        size=[1.0, 2.0, 3.0, 4.0, 5.0],
        count=pd.array([1, 2, 3, 4, 5], dtype="Int64"),
        flag=pd.array([True, False, True, True, False], dtype="boolean"),
        color=words("red", "green", "red", "red", "green"),
        body=words(*SENTENCES),
    )


def test_kinds_and_the_sentence() -> None:
    columns = recognize(mixed(), "t.csv")
    assert columns.kinds == {
        "size": "numeric", "count": "numeric", "flag": "boolean", "color": "categorical", "body": "text",
    }  # fmt: skip
    assert columns.describe() == (
        "2 numeric columns scaled; 1 boolean column as 0 and 1; 1 categorical column encoded; "
        "1 text column ('body') as tf-idf"
    )
    assert columns.count() == {"numeric": 2, "boolean": 1, "categorical": 1, "text": 1}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (words(*SENTENCES), "text"),
        (words(*["I strongly agree", "I do not agree"] * 3), "categorical"),  # long, and each three times
        (words(*["I strongly agree", "I do not agree"] * 2), "text"),  # long, and only twice
        (words("paris", "rome", "oslo", "bern"), "categorical"),  # never repeated, but short
        (words("x" * 30, "y" * 30), "text"),  # a script without spaces
        (pd.Series(pd.Categorical(SENTENCES)), "categorical"),  # its type says so
        (pd.Series(SENTENCES, dtype="string"), "text"),
        (pd.Series(SENTENCES, dtype=pd.ArrowDtype(pa.string())), "text"),  # as read_csv(dtype_backend="pyarrow") has
        (pd.Series(["red", "blue"] * 3, dtype=pd.ArrowDtype(pa.large_string())), "categorical"),
        (pd.Series(["red", "blue"] * 3, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))), "categorical"),
    ],
)
def test_text_or_categorical(values: "pd.Series[object]", kind: str) -> None:
    assert recognize(table(a=values), "t.csv").kinds == {"a": kind}


def test_a_mere_name_of_the_row_is_noted() -> None:
    names = words(*[f"id{at}" for at in range(7)])
    assert "drop=['the id']" in recognize(table(**{"the id": names}), "t.csv").notes[0]
    assert not recognize(mixed(), "t.csv").notes


def test_what_no_model_reads() -> None:
    with pytest.raises(BadInput, match=r"'long' of t\.csv holds values of type timedelta64.*drop=\['long'\]"):
        recognize(table(long=pd.to_timedelta([1, 2], unit="s")), "t.csv")
    with pytest.raises(BadInput, match=r"'tags' of t\.csv holds values of type list<.*drop=\['tags'\]"):
        recognize(table(tags=pd.Series([["a"], []], dtype=pd.ArrowDtype(pa.list_(pa.string())))), "t.csv")
    with pytest.raises(BadInput, match=r"'void' of t\.csv has no values.*drop=\['void'\]"):
        recognize(table(void=words(None, None)), "t.csv")
    several = table(a=words(1, 2), b=words([1], [2]), c=words({}, {}), d=words([1], []), e=words(None, None))
    with pytest.raises(BadInput) as refused:
        recognize(several, "X")
    assert str(refused.value) == (
        "columns 'b', 'c', 'd' of X hold values of type list, dict, which no model reads: turn them into numbers, or "
        "leave them out of X"
    )
    with pytest.raises(
        BadInput, match=r"columns 'a', 'b' of t\.csv have no values: leave them out with drop=\['a', 'b'\]"
    ):
        recognize(table(a=words(None, None), b=words(None, None), c=words([1], [2])), "t.csv")


def test_objects_that_are_numbers_are_read_where_numbers_were():
    known = recognize(table(a=[1.0, 2.0]), "X")
    assert prepare(table(a=words(3, 4.5)), known, "X", "the training rows")["a"].tolist() == [3.0, 4.5]


def test_a_data_frame_has_no_argument_that_drops_columns():
    known = recognize(table(a=[1.0, 2.0], b=[1.0, 2.0]), "t.csv")
    with pytest.raises(BadInput) as refused:
        prepare(table(a=[1.0, 2.0]), known, "the data frame", "the stream")
    assert str(refused.value) == "the data frame lacks column 'b' of the stream: add it"


def test_the_preparation_by_hand() -> None:
    columns = recognize(mixed(), "t.csv")
    features = transformer(columns).fit_transform(prepare(mixed(), columns, "t.csv", "t.csv"))
    assert sparse.issparse(features)
    features = features.toarray()
    scaled = (np.arange(1, 6) - 3) / np.sqrt(2)
    np.testing.assert_allclose(features[:, :2], np.column_stack([scaled, scaled]))
    np.testing.assert_array_equal(features[:, 2], [1, 0, 1, 1, 0])
    np.testing.assert_array_equal(features[:, 3:5], [[0, 1], [1, 0], [0, 1], [0, 1], [1, 0]])
    np.testing.assert_allclose(features[:, 5:], TfidfVectorizer(sublinear_tf=True).fit_transform(SENTENCES).toarray())


def test_without_text_it_is_dense_unless_there_are_many_categories() -> None:
    frame = mixed().drop(columns="body")
    few = recognize(frame, "t.csv")
    assert isinstance(transformer(few).fit_transform(prepare(frame, few, "t", "t")), np.ndarray)
    frame = table(a=words(*[f"c{at}" for at in range(101)]))
    many = recognize(frame, "t.csv")
    assert sparse.issparse(transformer(many).fit_transform(prepare(frame, many, "t", "t")))
    assert isinstance(transformer(many, dense=True).fit_transform(prepare(frame, many, "t", "t")), np.ndarray)


def test_no_negative_value_where_a_model_wants_none() -> None:
    frame = table(a=[-5.0, 0.0, 5.0])
    columns = recognize(frame, "t")
    fitted = transformer(columns, nonnegative=True).fit(frame)
    np.testing.assert_array_equal(fitted.transform(table(a=[-9.0, 0.0, 9.0])).ravel(), [0, 0.5, 1])


def test_a_constant_column_and_an_unseen_category_do_no_harm() -> None:
    frame = table(a=[2.0, 2.0, 2.0], c=words("x", "y", "x"))
    columns = recognize(frame, "t")
    features = transformer(columns).fit(frame).transform(table(a=[2.0], c=words("never seen")))
    np.testing.assert_array_equal(features, [[0, 0, 0]])


def test_the_preparation_can_be_cloned_and_learns_nothing_outside_fit() -> None:
    columns = recognize(mixed(), "t")
    prepared = prepare(mixed(), columns, "t", "t")
    one = clone(transformer(columns)).fit(prepared.iloc[:3])
    assert one.named_transformers_["numeric"].mean_[0] == 2.0  # of the three rows, not of all


@pytest.mark.parametrize("name", ["size", "count", "flag", "color", "body"])
def test_missing_values(name: str) -> None:
    whole, holes = recognize(mixed(), "t.csv"), mixed()
    holes.loc[3, name] = None
    with pytest.raises(BadInput, match=rf"'{name}' of p\.csv has no value in 1 row, first in row 4.*missing='impute'"):
        prepare(holes, whole, "p.csv", "t.csv")
    columns = recognize(holes, "t.csv", "impute")
    assert columns.describe().endswith("; missing values imputed")
    prepared = prepare(holes, columns, "t.csv", "t.csv")
    features = transformer(columns).fit_transform(prepared).toarray()
    assert np.isfinite(features).all()
    if name == "size":  # the median of 1, 2, 3, 5 is 2.5
        assert features[3, 0] == pytest.approx((2.5 - 2.7) / np.std([1, 2, 3, 2.5, 5]))
    if name == "color":
        assert prepared["color"].tolist() == ["red", "green", "red", "missing", "green"]
    if name == "body":
        assert prepared["body"][3] == ""


def test_an_empty_string_is_missing() -> None:
    columns = recognize(mixed(), "t.csv")
    holes = mixed()
    holes.loc[0, "color"] = ""
    with pytest.raises(BadInput, match=r"'color' of t\.csv has no value in 1 row, first in row 1"):
        prepare(holes, columns, "t.csv", "t.csv")


def test_a_column_without_values_in_the_pool_is_imputed() -> None:
    columns = recognize(mixed(), "t.csv", "impute")
    fitted = transformer(columns).fit(prepare(mixed(), columns, "t.csv", "t.csv"))
    pool = mixed().assign(size=words(*[None] * 5), flag=words(*[None] * 5), color=words(*[None] * 5))
    assert np.isfinite(fitted.transform(prepare(pool, columns, "p.csv", "t.csv")).toarray()).all()


@pytest.mark.parametrize("missing", ["error", "impute"])
def test_infinities_are_never_taken(missing: str) -> None:
    columns = Columns({"a": "numeric"}, missing)  # type: ignore[arg-type]  # a parameter of the test
    with pytest.raises(BadInput, match=r"'a' of p\.csv is infinite in row 2"):
        prepare(table(a=[1.0, -np.inf]), columns, "p.csv", "t.csv")


@pytest.mark.parametrize("missing", ["error", "impute"])
@pytest.mark.parametrize("value", [1e299, -3.5e38])
def test_numbers_beyond_single_precision_are_never_taken(missing: str, value: float) -> None:
    columns = Columns({"a": "numeric", "b": "numeric"}, missing)  # type: ignore[arg-type]  # a parameter of the test
    with pytest.raises(BadInput, match=r"'b' of p\.csv holds .*e\+.* in row 2, beyond .*correct the value, or divide"):
        prepare(table(a=[1.0, 3.4e38], b=[1.0, value]), columns, "p.csv", "t.csv")
    assert prepare(table(a=[1.0, 3.4e38], b=[1.0, 2.0]), columns, "p.csv", "t.csv").to_numpy().max() == 3.4e38


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": None}, r"p\.csv lacks column 'size' of t\.csv"),
        ({"extra": [1] * 5}, r"p\.csv has column 'extra', which t\.csv does not have.*drop="),
        ({"size": words(1, 2, "oops", 4, 5)}, r"'size' is numeric in t\.csv .* strings in p\.csv \('oops' in row 3\)"),
        ({"body": [1.0] * 5}, r"'body' is text in t\.csv and numeric in p\.csv"),
        ({"flag": [0, 1, 0, 1, 0]}, r"'flag' is boolean in t\.csv and numeric in p\.csv"),
    ],
)  # fmt: skip
def test_another_table_must_have_the_same_columns(change: dict[str, object], message: str) -> None:
    columns = recognize(mixed(), "t.csv")
    pool = mixed().assign(**{name: values for name, values in change.items() if values is not None})
    pool = pool.drop(columns=[name for name, values in change.items() if values is None])
    with pytest.raises(BadInput, match=message):
        prepare(pool, columns, "p.csv", "t.csv")


def test_the_order_of_columns_does_not_matter() -> None:
    columns = recognize(mixed(), "t.csv")
    backwards = mixed()[list(mixed())[::-1]]
    pd.testing.assert_frame_equal(prepare(backwards, columns, "p", "t"), prepare(mixed(), columns, "t", "t"))


MOMENTS = pd.Series(pd.to_datetime(["2024-01-05", "2024-01-01", "2024-02-01", "2024-03-01", "2024-01-03"]))
ISO = words("2024-01-05", "2024-01-01", "2024-02-01", "2024-03-01", "2024-01-03")


@pytest.mark.parametrize(
    "values",
    [
        MOMENTS, MOMENTS.dt.tz_localize("UTC"), MOMENTS.astype(pd.ArrowDtype(pa.date32())),
        MOMENTS.astype(pd.ArrowDtype(pa.timestamp("s"))), ISO, ISO.astype("string"), ISO + "T00:00:00Z",
        ISO + " 02:00+0200", ISO + "T00:00",
    ],
    ids=lambda values: f"{values.dtype} {values[0]}",
)  # fmt: skip
def test_dates_in_every_form_are_the_same(values: "pd.Series[object]") -> None:
    columns = recognize(table(when=values), "t.csv")
    assert columns.kinds == {"when": "date"}
    assert columns.describe() == "1 date column ('when') as year, month, day, weekday, hour and days since the first"
    prepared = prepare(table(when=values), columns, "t.csv", "t.csv")
    pd.testing.assert_series_equal(prepared["when"], MOMENTS.astype("datetime64[us]").rename("when"))
    features = transformer(columns).fit_transform(prepared)
    days = np.array([4, 0, 31, 60, 2])
    np.testing.assert_allclose(features[:, -1], (days - days.mean()) / days.std())


@pytest.mark.parametrize(
    "values", [ISO.replace("2024-02-01", "2024-02-30"), ISO.replace("2024-02-01", "soon"), ISO.str[:7]]
)
def test_strings_that_are_not_all_dates_are_words(values: "pd.Series[object]") -> None:
    assert recognize(table(when=values), "t.csv").kinds == {"when": "categorical"}


def test_dates_in_another_table() -> None:
    columns = recognize(table(when=MOMENTS), "t.csv")
    prepare(table(when=ISO), columns, "p.csv", "t.csv")
    with pytest.raises(BadInput, match=r"'when' is a date in t\.csv and made of strings in p\.csv \('soon' in row 3\)"):
        prepare(table(when=ISO.replace("2024-02-01", "soon")), columns, "p.csv", "t.csv")
    with pytest.raises(BadInput, match=r"'when' is a date in t\.csv and numeric in p\.csv"):
        prepare(table(when=[1.0] * 5), columns, "p.csv", "t.csv")


def test_missing_dates() -> None:
    holes = MOMENTS.mask(np.arange(5) == 1)
    with pytest.raises(BadInput, match=r"'when' of t\.csv has no value in 1 row, first in row 2"):
        prepare(table(when=holes), recognize(table(when=holes), "t.csv"), "t.csv", "t.csv")
    columns = recognize(table(when=holes), "t.csv", "impute")
    fitted = transformer(columns).fit(prepare(table(when=holes), columns, "t.csv", "t.csv"))
    empty = prepare(table(when=words(*[None] * 5)), columns, "p.csv", "t.csv")
    features = fitted.transform(empty)
    assert np.isfinite(features).all()
    assert (features == features[0]).all()  # the medians of training


def test_dates_where_a_model_wants_no_negative_values() -> None:
    columns = recognize(table(when=MOMENTS), "t.csv")
    prepared = prepare(table(when=MOMENTS), columns, "t.csv", "t.csv")
    fitted = transformer(columns, nonnegative=True).fit(prepared)
    earlier = prepare(table(when=MOMENTS - pd.Timedelta(days=900)), columns, "t.csv", "t.csv")
    assert fitted.transform(earlier).min() == 0


def test_the_user_may_know_better() -> None:
    columns = recognize(mixed(), "t.csv", chosen={"count": "categorical", "color": "text", "flag": "text"})
    assert [columns.kinds[name] for name in ("size", "count", "flag", "color")] == [
        "numeric", "categorical", "text", "text",
    ]  # fmt: skip
    assert columns.describe().endswith(
        "; 'count' as categorical on request; 'flag' as text on request; 'color' as text on request"
    )
    prepared = prepare(mixed(), columns, "t.csv", "t.csv")
    assert prepared["count"].tolist() == ["1", "2", "3", "4", "5"]
    assert prepared["flag"].tolist() == ["True", "False", "True", "True", "False"]
    floats = prepare(mixed().assign(count=[1.0, 2.5, 3.0, 4.0, 5.0]), columns, "p.csv", "t.csv")
    assert floats["count"].tolist() == ["1", "2.5", "3", "4", "5"]  # the same categories as whole numbers
    features = transformer(columns).fit(prepared).transform(floats)
    assert features.toarray()[0, 1:6].tolist() == [1, 0, 0, 0, 0]


def test_a_date_taken_as_a_category_is_its_text() -> None:
    columns = recognize(table(when=MOMENTS), "t.csv", chosen={"when": "categorical"})
    assert prepare(table(when=MOMENTS), columns, "t", "t")["when"].tolist() == ISO.tolist()
    assert (
        prepare(table(when=MOMENTS.astype(pd.ArrowDtype(pa.date32()))), columns, "t", "t")["when"].tolist()
        == ISO.tolist()
    )


@pytest.mark.parametrize("dense", [False, True])
def test_a_sparse_matrix_keeps_its_zeros(dense: bool) -> None:
    X = sparse.csr_array(np.array([[0, 2.0, -4], [0, 1, 0], [0, 0, 2]]))
    columns = Columns({}, width=3)
    features = transformer(columns, dense=dense).fit(X).transform(X)
    assert sparse.issparse(features) != dense
    np.testing.assert_array_equal(features if dense else features.toarray(), [[0, 1, -1], [0, 0.5, 0], [0, 0, 0.5]])
    assert columns.count() == {"sparse": 3}
    assert columns.describe() == "sparse features with numbers up to 2 scaled to [−1, 1]"


def test_many_columns_of_numbers_are_taken_from_first_to_last() -> None:
    names = [f"c{at}" for at in range(1001)]
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(4, 1001)), columns=names).assign(
        word=["a", "b", "a", "b"]
    )
    columns = recognize(frame, "t")
    wide = transformer(columns)
    assert wide.transformers[0][2] == slice("c0", "c1000")
    by_name = transformer(columns, whole=False)
    assert by_name.transformers[0][2] == names
    np.testing.assert_array_equal(wide.fit_transform(frame), by_name.fit_transform(frame))
    between = recognize(frame[[*names[:500], "word", *names[500:]]], "t")
    assert transformer(between).transformers[0][2] == names


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (words([1], [2, 3]), "list"),
        (words({1}, {2}), "set"),
        (words({}, {"a": 1}), "dict"),
        (words(np.ones(2), np.ones(3)), "ndarray"),
        (pd.Series([[1], [2, 3]], dtype=pd.ArrowDtype(pa.list_(pa.int64()))), "list<item: int64>"),
        (pd.Series(pd.to_timedelta([1, 2], "D")).astype("timedelta64[us]"), "timedelta64[us]"),
    ],
)
def test_columns_of_what_no_model_reads_can_be_left_out(values: "pd.Series[object]", kind: str) -> None:
    with pytest.raises(BadInput) as refused:
        recognize(table(a=values), "X")
    reason = f"column 'a' of X holds values of type {kind}, which no model reads"
    assert str(refused.value) == f"{reason}: turn it into numbers, or leave it out of X"
    with pytest.raises(BadInput, match=r"leave it out with drop=\['a'\]"):
        recognize(table(a=values), "t.csv")
