"""JSON that somebody else wrote is read within limits, or refused with a reason."""

import pytest

from foldless.io._json_of_others import parse_json


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("[" * 100_000, list, "nested more than 64 deep"),
        ('{"a":' * 65 + "1" + "}" * 65, dict, "nested more than 64 deep"),
        ("[1]", dict, "list in place of dict"),
        ("1e999", float, "not a finite number"),
        ("[Infinity]", list, "not a finite number"),
        (b"\xff", str, "codec"),
        ("9" * 5000, int, "digits|string conversion"),
        ("[" + "1," * 100, list, "Expecting"),
        ("x" * (2**24 + 1), str, "bytes, and at most"),
    ],
)
def test_what_is_refused(text, kind, reason):
    with pytest.raises(ValueError, match=reason):
        parse_json(text, kind)


def test_brackets_in_strings_are_no_depth():
    text = '{"a": "' + "[" * 200 + '\\""}'
    assert parse_json(text, dict) == {"a": "[" * 200 + '"'}
    assert parse_json("[" * 64 + "NaN" + "]" * 64, list)
