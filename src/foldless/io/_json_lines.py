"""JSON lines: one object per line; a key that a line lacks is a missing value."""

import codecs
import json
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from foldless.errors import BadInput
from foldless.io._atomic import reason
from foldless.io._json_of_others import depth
from foldless.io._sources import Source, check_text
from foldless.io._table import first_repeated

BLOCK = 2**24  # bytes that pyarrow parses at once; one row must fit
DEEPEST = 100
ZONE = r":\d{2}.*(?:Z|[+-]\d{2}(?::?\d{2})?)$"  # behind a time of day
ONE = 'write one object per line, such as {"size": 3, "topic": "a"}'
TYPES: dict[type, str] = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}


def read(source: Source) -> pa.Table:
    check_text(source)
    _check_safe(source)
    try:
        table = _parsed(source)
        times = [field.name for field in table.schema if pa.types.is_timestamp(field.type)]
        return _with_zones(table, _parsed(source, times)) if times else table
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        _check_lines(source)
        raise BadInput(f"{source.name} cannot be read as JSON lines ({reason(error)}): {ONE}") from error


def _parsed(source: Source, strings: Sequence[str] = ()) -> pa.Table:
    """What pyarrow reads, some columns as strings."""
    schema = pa.schema([(name, pa.string()) for name in strings]) if strings else None
    with source.arrow() as file:
        return pyarrow.json.read_json(
            file,
            read_options=pyarrow.json.ReadOptions(block_size=BLOCK),
            parse_options=pyarrow.json.ParseOptions(explicit_schema=schema),
        )


def _with_zones(table: pa.Table, written: pa.Table) -> pa.Table:
    """Times that are written with a time zone keep one, which pyarrow would take off; where only some are, as written.

    pyarrow has turned them into universal time.
    """
    for at, field in enumerate(table.schema):
        if not pa.types.is_timestamp(field.type):
            continue
        strings = written.column(field.name)
        zoned = pc.match_substring_regex(strings, ZONE).drop_null()
        if pc.all(zoned).as_py() and len(zoned):
            zone = pa.timestamp(field.type.unit, tz="UTC")
            table = table.set_column(at, field.name, table.column(at).cast(zone))
        elif pc.any(zoned).as_py():
            table = table.set_column(at, field.name, strings)
    return table


def _check_safe(source: Source) -> None:
    """Refuse lines that begin with null or are nested deeply: pyarrow would crash on both."""
    with source.open() as file:
        for number, line in enumerate(file, 1):
            if line.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"null"):
                raise BadInput(f"line {number} of {source.name} is null, not an object: {ONE}")
            if depth(line.decode(), DEEPEST) > DEEPEST:
                raise BadInput(f"line {number} of {source.name} is nested more than {DEEPEST} levels deep: flatten it")


def _check_lines(source: Source) -> None:
    """Raise an error that names the line that is no object, or has a value of another type than the lines before it."""
    seen: dict[str, tuple[str, int]] = {}
    with source.open() as file:
        for number, line in enumerate(file, 1):
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            for name, value in _object(text, number, source.name).items() if text else ():
                kind = TYPES.get(type(value), "a number")
                first, where = seen.setdefault(name, (kind, number))
                if first == "null":
                    seen[name] = (kind, number)
                elif kind not in (first, "null"):
                    raise BadInput(
                        f"key {name!r} is {first} in line {where} of {source.name} and {kind} in line {number}: give "
                        f"it the same type in all lines"
                    )


def _object(text: str, number: int, source: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=lambda pairs: _unique(pairs, number, source))
    except json.JSONDecodeError as error:
        raise BadInput(
            f"line {number} of {source} is not JSON ({error.msg} at character {error.pos + 1}): {ONE}"
        ) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits
        raise BadInput(f"line {number} of {source} cannot be read ({reason(error)}): {ONE}") from error
    if not isinstance(value, dict):
        raise BadInput(f"line {number} of {source} is {TYPES.get(type(value), 'a number')}, not an object: {ONE}")
    return value


def _unique(pairs: list[tuple[str, Any]], number: int, source: str) -> dict[str, Any]:
    if (name := first_repeated(name for name, _ in pairs)) is not None:
        raise BadInput(f"key {name!r} occurs twice in line {number} of {source}: rename or delete one of them")
    return dict(pairs)
