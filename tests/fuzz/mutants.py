"""Files that nobody wrote: one change somewhere in a model, a checkpoint or a journal, with a digest that matches."""

import io
import json
import random
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from foldless.engine._journal import CHECKSUM, Entry, _packed
from foldless.saving import model_files
from foldless.streams import _checkpoints as checkpoints

JUNK: tuple[Any, ...] = (
    None, True, 0, -1, 1, 2**31 - 1, 2**63, 1e308, "", "zero", "precomputed", "\x1b[2J", [], {}, [[1]], {"a": None},
    "x" * 5000,
)  # fmt: skip
NAMES = ("SVC", "DecisionTreeClassifier", "KDTree", "Pipeline", "LinearSVC", "ndarray", "Tree")


def mutated_model(content: bytes, rng: random.Random) -> bytes:
    """A saved model with one member changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members.pop(model_files.MEMBER))
    del document["digest"]
    if rng.random() < 0.3:
        _change_leaf(document, rng)
    else:
        _change_member(members, rng)
    return model_files.sealed(_zipped(members), document)


def mutated_checkpoint(content: bytes, rng: random.Random) -> bytes:
    """A checkpoint with what it learned or what it tells changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        learned, rest = archive.read(checkpoints.MODEL), json.loads(archive.read(checkpoints.REST))
    if rng.random() < 0.5:
        _change_leaf(rest, rng)
    else:
        with zipfile.ZipFile(io.BytesIO(learned)) as archive:
            inside = {name: archive.read(name) for name in archive.namelist()}
        _change_member(inside, rng)
        learned = _zipped(inside)
    members = {checkpoints.MODEL: learned, checkpoints.REST: json.dumps(rest).encode()}
    return _zipped({**members, checkpoints.DIGEST: checkpoints._digest(members)})


def mutate_journal(path: Path, rng: random.Random) -> None:
    """Change an answer of a journal and write its checksum anew, or flip bytes of the file."""
    if rng.random() < 0.3:
        content = bytearray(path.read_bytes())
        for _ in range(rng.choice([1, 1, 50])):
            content[rng.randrange(len(content))] = rng.randrange(256)
        path.write_bytes(content)
        return
    with sqlite3.connect(path) as db:
        key, answer, fit, told = rng.choice(db.execute("SELECT * FROM answers ORDER BY key").fetchall())
        array = changed_array(np.load(io.BytesIO(answer[:-CHECKSUM]), allow_pickle=False), rng)
        db.execute("UPDATE answers SET answer = ? WHERE key = ?", (_packed(key, Entry(array, fit, told)), key))
    db.close()


def changed_array(array: Any, rng: random.Random) -> Any:
    """An array of another shape, type or content."""
    if not array.ndim or not array.size:
        return np.zeros(rng.choice([0, 1, 7]))
    kind = rng.randrange(8)
    if kind == 0:
        return array[: len(array) // 2]
    if kind == 1:
        return array[..., : array.shape[-1] // 2]
    if kind == 2:
        return np.concatenate([array] * 3)
    if kind == 3:
        return array.astype(rng.choice([np.float64, np.int64, np.int32, np.float32]), casting="unsafe") if (
            array.dtype.kind in "fiu"
        ) else array[:1]  # fmt: skip
    if kind == 4:
        return array.ravel()
    return _changed_values(array.copy(), rng)


def _changed_values(array: Any, rng: random.Random) -> Any:
    values = {"f": [np.nan, np.inf, -1.0, 1e300], "i": [-1, -(10**9), 10**9, 7], "u": [0, 1, 255], "b": [True]}
    flat = array.reshape(-1)
    at = slice(None) if rng.random() < 0.3 else rng.randrange(flat.size)
    if array.dtype.names:
        name = rng.choice(array.dtype.names)
        inner = values.get(array.dtype[name].kind, [0])
        with np.errstate(all="ignore"):
            flat[name][at] = np.array(rng.choice(inner)).astype(array.dtype[name])
    elif array.dtype.kind in values:
        with np.errstate(all="ignore"):
            flat[at] = np.array(rng.choice(values[array.dtype.kind])).astype(array.dtype)
    return array


def _change_member(members: dict[str, bytes], rng: random.Random) -> None:
    arrays = [name for name in members if name.endswith(".npy")]
    if arrays and rng.random() < 0.6:
        name, buffer = rng.choice(arrays), io.BytesIO()
        np.save(buffer, changed_array(np.load(io.BytesIO(members[name]), allow_pickle=False), rng))
        members[name] = buffer.getvalue()
        return
    schema = json.loads(members["schema.json"])
    for _ in range(rng.choice([1, 1, 2])):
        _change_node(schema, rng)
    members["schema.json"] = json.dumps(schema).encode()


def _change_node(schema: Any, rng: random.Random) -> None:
    """Another literal, another class, or another object in the place of an attribute."""
    nodes = list(_dicts(schema))
    literals = [node for node in nodes if node.get("__loader__") == "JsonNode"]
    kind = rng.random()
    if literals and kind < 0.6:
        rng.choice(literals)["content"] = json.dumps(rng.choice(JUNK))
    elif kind < 0.8:
        node = rng.choice(nodes)
        if "__class__" in node:
            node["__class__"] = rng.choice(NAMES)
        elif node:
            del node[rng.choice(list(node))]
    else:
        one, other = rng.choice(nodes), rng.choice(nodes)
        copied = json.loads(json.dumps(other))
        one.clear()
        one.update(copied)


def _change_leaf(document: Any, rng: random.Random) -> None:
    holders = [(holder, key) for holder in _holders(document) for key in _keys(holder)]
    holder, key = rng.choice(holders)
    if rng.random() < 0.2 and isinstance(holder, dict):
        del holder[key]
    else:
        holder[key] = rng.choice(JUNK)


def _dicts(value: Any) -> Any:
    yield from (part for part in _holders(value) if isinstance(part, dict))


def _holders(value: Any) -> Any:
    if isinstance(value, dict | list):
        if value:
            yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from _holders(part)


def _keys(holder: Any) -> list[Any]:
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))


def _zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    return buffer.getvalue()
