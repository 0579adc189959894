"""A model that was saved with its table: the columns it reads of another one, and one sentence where it fails."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from foldless.errors import BadInput, FoldlessError, some_columns
from foldless.io import Table
from foldless.io._atomic import reason
from foldless.saving import Kept, Schema, load
from foldless.tables._feature_columns import features


def opened(model: Kept | str | Path, instead: str) -> tuple[Kept, Schema, str]:
    """A saved model, its columns and what messages call it; ``instead`` is what to use for models without columns."""
    kept, name = (model, "the model") if isinstance(model, Kept) else (load(model), str(model))
    if kept.schema is None:
        raise BadInput(f"{name} was not trained on a table, so it reads no columns: use {instead} in Python")
    return kept, kept.schema, name


def unread(columns: Sequence[Any], table: str, schema: Schema, model: str) -> list[str]:
    """The columns of a table that the model does not read, but for the label; an error where it lacks one."""
    lacks = [name for name in schema.columns.kinds if name not in columns]
    others = [str(name) for name in columns if name not in schema.columns.kinds and name != schema.label]
    if lacks:
        unread_ones = f" (it has {some_columns(others)}, not read by the model)" if others else ""
        remedy = f"add {'them' if len(lacks) > 1 else 'it'}" + (", or rename a column" if others else "")
        raise BadInput(f"{table} lacks {some_columns(lacks)} that {model} was trained on{unread_ones}: {remedy}")
    return others


def features_of(read: Table, schema: Schema, model: str) -> Any:
    """The columns that the model reads, in its order and types."""
    return features(read, schema.columns, model, [schema.label, *unread(list(read.frame), read.name, schema, model)])


@contextmanager
def one_sentence(kept: Kept, name: str) -> Iterator[None]:
    """A model of another version, or a forged one, fails in its own way: say which, and what to do."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # notes say that the version is another, and which rows have no label
            yield
    except FoldlessError:
        raise
    except Exception as error:
        why = "; ".join(kept.notes) or "save the model again"
        raise BadInput(f"{name} cannot label these rows ({reason(error)}): {why}") from error
