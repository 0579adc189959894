"""A finding is a note with a code: it goes where notes go, and is found among them again."""

import json
import pickle

import numpy as np

from foldless.errors import DropColumns
from foldless.results.finding import Finding, among

ID = Finding("FL010", "column 'id' numbers the rows", columns=["id"], remedy=DropColumns(("id",)))


def test_it_reads_as_its_sentence_with_the_remedy() -> None:
    assert ID == "column 'id' numbers the rows: leave it out with drop=['id']"
    assert ID.worded(lambda remedy: f"--drop {remedy.columns[0]}") == "column 'id' numbers the rows: --drop id"


def test_rows_are_plain_numbers_for_json() -> None:
    finding = Finding("FL004", "2 rows are equal", rows=np.array([3, 5]), columns=[np.int64(2)])
    assert json.loads(json.dumps(finding.to_dict())) == {
        "code": "FL004", "sentence": "2 rows are equal", "rows": [3, 5], "columns": [2], "remedies": [],
    }  # fmt: skip


def test_it_survives_pickling_with_all_it_names() -> None:
    again = pickle.loads(pickle.dumps(ID))
    assert (again, again.code, again.columns, again.remedies) == (ID, "FL010", ("id",), ID.remedies)


def test_findings_are_those_among_notes() -> None:
    assert among(["a plain note", ID, ID]) == (ID,)
