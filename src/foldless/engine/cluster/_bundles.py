"""What goes to a worker of a cluster in one call, and what the worker makes of it.

A bundle is pickled here and not by the cluster's own client: what several bundles share and is large, such as a
candidate with a fitted model inside, is a hole in it that the worker fills with an object it has already.
"""

import io
import pickle
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import joblib
from sklearn import config_context

from foldless.core import Array
from foldless.engine._carried_data import SHELL
from foldless.engine._fits import Outcome
from foldless.engine._groups import Group
from foldless.engine._warned import recorded_in_threads
from foldless.engine._workers import run_group
from foldless.engine.cluster._same_versions import WrongWorker, check_here
from foldless.engine.cluster._scattered import held

PATIENCE = 4.0  # times the seconds that a bundle should take, after which a worker comes back with what it has


class Terms(NamedTuple):
    """How a worker runs a bundle: the versions it must have, scikit-learn's settings, and seconds it should take."""

    versions: Mapping[str, str]
    settings: Mapping[str, Any]
    seconds: float


class Done(NamedTuple):
    """The outcomes of a piece, by its number, and the seconds that it took."""

    at: int
    outcomes: list[Outcome]
    seconds: float


def pack(pieces: Mapping[int, Group], holes: Mapping[int, int]) -> bytes:
    """Pieces by their numbers as bytes; objects whose ``id`` is among the holes are left to the worker to fill in."""
    file = io.BytesIO()
    _pickler(file, holes).dump(dict(pieces))
    return file.getvalue()


def shared_by(piece: Group) -> list[Any]:
    """What other bundles may hold too: candidates, and labels that are not the true ones."""
    labels: list[Array] = [order.fit.labels for order, _ in piece.work if order.fit.labels is not None]
    return [*{id(recipe): recipe for _, recipe in piece.work}.values(), *labels]


def run_bundle(body: bytes, terms: Terms, parts: Mapping[str, str], *fillings: Any) -> list[Done]:
    """Run the pieces of a bundle in their order, those that there is time for.

    The parts of the data are named by the keys under which the worker has them; ``fillings`` go into the body's holes.
    """
    check_here(terms.versions)
    objects = {name: held(key) for name, key in parts.items()}
    data = replace(objects.pop(SHELL), **objects)
    pieces = _unpacked(body, fillings)
    done: list[Done] = []
    start = time.perf_counter()
    # a candidate with threads of its own has them; one that starts processes or tasks would wait for this one
    with config_context(**terms.settings), joblib.parallel_config("threading", n_jobs=1), recorded_in_threads():
        for at, piece in pieces.items():
            begun = time.perf_counter()
            if done and begun - start > PATIENCE * terms.seconds:
                break
            outcomes = run_group(piece, data)
            done.append(Done(at, outcomes, time.perf_counter() - begun))
    return done


def _unpacked(body: bytes, fillings: Sequence[Any]) -> dict[int, Group]:
    try:
        return _Unpickler(io.BytesIO(body), fillings).load()
    except ImportError as error:
        raise WrongWorker(f"cannot import the code of a candidate ({error})", "install it there too") from None


def _pickler(file: io.BytesIO, holes: Mapping[int, int]) -> Any:
    import cloudpickle  # as Dask does, so that functions and classes of a notebook can travel

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc,unused-ignore]
        def persistent_id(self, obj: Any) -> int | None:
            return holes.get(id(obj))

    return Pickler(file, protocol=5)


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, fillings: Sequence[Any]):
        super().__init__(file)
        self._fillings = fillings

    def persistent_load(self, pid: Any) -> Any:
        return self._fillings[pid]
