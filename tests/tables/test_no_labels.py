"""Files without a label, for who goes on to label: with ``min_per_class=0`` alone."""

import pandas as pd
import pytest

from foldless.errors import BadInput
from foldless.tables import read_problem, with_labels


@pytest.mark.parametrize(("labels", "match"), [([None] * 6, "no row of"), (["a", "a", *[None] * 4], "one class only")])
def test_no_label_or_one_class_is_enough_to_go_on_where_that_is_asked_for(tmp_path, labels, match):
    path = str(tmp_path / "rows.parquet")
    pd.DataFrame({"x": [1.0, 2.5, 3.0, 4.0, 5.5, 6.0], "topic": labels}).to_parquet(path)
    with pytest.raises(BadInput, match=match):
        read_problem(path, "topic")
    problem = read_problem(path, "topic", min_per_class=0)
    assert problem.y.tolist() == [label for label in labels if label]
    assert problem.rows["pool"] == labels.count(None)
    more = with_labels(problem, [0, 2], ["b", "c"])
    assert more.y.tolist() == [*problem.y, "b", "c"]
