import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldless.core.certificate import Certificate, Term, difference, raised, rounded_up

TERMS = (Term("error on folds", 0.15, 0.1, 1200, 0.025), Term("disagreement", 0.06123, 0.05, 3000, 0.00011))
MADE = Certificate("error", 0.21123, 0.95, "semi_supervised_cv", ("rows are independent", "so is all"), TERMS, 8)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.2134, "0.2134"), (0.21341, "0.2135"), (0.213400001, "0.2135"), (0.25, "0.25"), (1, "1"), (0.99999, "1"),
        (0.000123451, "0.0001235"), (1e-9, "0.000000001"), (0.07 * 100, "7.001"), (0, "0"),
    ],
)  # fmt: skip
def test_bounds_are_rounded_up(value, shown):
    assert rounded_up(value) == shown


@given(st.floats(0, 2))
def test_no_digit_promises_more_than_was_computed(value):
    assert value <= float(rounded_up(value)) <= value * 1.001 + 1e-300


def test_a_certificate_is_never_shown_without_all_it_rests_on():
    assert str(MADE) == (
        "error at most 0.2113 with confidence 0.95 (semi_supervised_cv), if rows are independent; so is all"
    )
    almost = Certificate("error", 0.2, 0.9999999, "by hand", ("x",))
    assert "confidence 0.9999999" in str(almost)


def test_a_bound_of_1_says_that_it_says_nothing_and_why():
    parts = (Term("error on folds", 0.75, 0.1, 12, 0.025), Term("disagreement", 0.5, 0.1, 30, 0.025))
    vacuous = Certificate("error", 1.0, 0.95, "m", ("x",), parts, notes=("and a note",))
    assert str(vacuous) == (
        "error at most 1 with confidence 0.95 (m), if x. Note: a bound of 1 is vacuous (its parts are 0.75 + 0.5): "
        "use more labels, a larger pool, fewer candidates, or a lower confidence. and a note"
    )
    assert MADE.nothing == ""
    assert "parts" not in Certificate("error", 1.0, 0.95, "m", ("x",), parts[:1]).nothing


def test_why_two_certificates_differ():
    held = Certificate("error", 0.1, 0.95, "hold_out", ("x",), (Term("error on others", 0.1, 0.05, 300, 0.00625),), 8)
    assert difference(MADE, held) == (
        "semi_supervised_cv bounds the error of a model trained on every label by the sum of 0.15, from 1,200 labels "
        "that test other fits, and 0.06123, from the pool; hold_out bounds the error of a model trained on fewer "
        "labels by one term, from 300 rows held out at δ 0.0063"
    )


def test_its_terms_are_sentences():
    assert [str(term) for term in MADE.terms] == [
        "error on folds: at most 0.15 (observed 0.1 on 1,200 rows, δ 0.025)",
        "disagreement: at most 0.06123 (observed 0.05 on 3,000 rows, δ 0.00011)",
    ]


def test_json_brings_it_back_without_its_model():
    with_model = Certificate(**{**vars(MADE), "model": object()})
    assert Certificate.from_dict(json.loads(json.dumps(with_model.to_dict()))) == MADE
    assert "model" not in with_model.to_dict()
    assert repr(with_model) == repr(MADE)
    assert Certificate.from_dict({"quantity": "error", "upper": 1, "confidence": 0.9, "method": "m", "assumes": []})


def test_certificates_compare_and_travel_by_value():
    assert pickle.loads(pickle.dumps(MADE)) == MADE
    assert len({MADE, Certificate(**vars(MADE))}) == 1


@pytest.mark.parametrize(
    ("value", "shown"), [(0.13241, "0.1325"), (0.1324, "0.1324"), (1.0, "1.0000"), (1e-9, "0.0001"), (0, "0.0000")]
)
def test_in_columns_bounds_have_as_many_decimals(value, shown):
    assert raised(value) == shown


def test_its_repr_is_short_with_plain_numbers():
    made = Certificate("error", np.float64(0.12341), np.float64(0.95), "progressive", ("a", "b"), candidates=3)
    assert repr(made) == "Certificate(progressive, error at most 0.1235, confidence=0.95, candidates=3, assumptions: 2)"
    noted = Certificate("error", 1.0, 0.9, "m", (), notes=("look",))
    assert repr(noted).endswith("assumptions: 0, notes: 1)")
