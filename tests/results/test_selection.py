"""A selection is a few values that can be told in a sentence each, whatever release pickled it."""

import pickle
from dataclasses import fields

from helpers.selections import grid, selection

from foldless.results import Selection
from foldless.results._selection_parts import PARTS


def test_a_selection_has_few_parts_and_their_values_are_its_own():
    assert len(fields(Selection)) <= 12
    chosen = selection(*grid(4), failed=(1,), unfinished=(2,), stopped="interrupted")
    for part, kind in PARTS.items():
        for value in fields(kind):
            assert getattr(chosen, value.name) is getattr(getattr(chosen, part), value.name)


def test_a_pickle_of_a_release_in_which_all_fields_were_its_own_loads():
    chosen = selection(*grid(4), failed=(1,), unfinished=(2,), stopped="interrupted", model=None)
    flat = dict(chosen.__dict__)
    for part in PARTS:
        flat |= flat.pop(part).__dict__
    flat.pop("temperature")  # which the earliest release did not have
    loaded = Selection.__new__(Selection)
    loaded.__setstate__(flat)
    assert loaded.to_dict() == chosen.to_dict()
    assert loaded.temperature is None
    assert loaded.__dict__.keys() == chosen.__dict__.keys()
    assert pickle.loads(pickle.dumps(loaded)).stopped == "interrupted"
