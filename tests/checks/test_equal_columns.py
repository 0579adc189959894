"""FL017: columns that say the same, in other units or under other names."""

import numpy as np
from helpers.checked_data import diagnoses, numbers


def test_units_signs_and_names_do_not_matter():
    columns = numbers(60)
    columns |= {"cm": 2.54 * columns["x0"] + 1, "debt": -columns["x0"]}
    color = np.random.default_rng(0).choice(["red", "green", "blue"], 60)
    columns |= {"color": color, "farbe": np.array([{"red": "rot", "green": "grün", "blue": "blau"}[c] for c in color])}
    assert [set(each.finding.columns) for each in diagnoses("FL017", columns)] == [
        {"x0", "cm", "debt"},
        {"color", "farbe"},
    ]


def test_columns_that_are_only_alike_are_not_named():
    columns = numbers(60)
    columns["near"] = columns["x0"] + 0.001 * columns["x1"]
    columns["a"], columns["b"] = [f"id{at}" for at in range(60)], [f"key{at}" for at in range(60)]
    assert diagnoses("FL017", columns) == []


def test_codes_and_the_names_that_they_stand_for_say_the_same():
    level = np.random.default_rng(5).integers(4, size=100)
    names = np.array(["none", "school", "college", "doctor"])[level]
    (one,) = diagnoses("FL017", {**numbers(), "education": names, "education_num": level * 3 + 1})
    assert one.finding.columns == ("education", "education_num")
