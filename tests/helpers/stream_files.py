"""Small streams in files, and trainings on them."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from foldless.io._faults import Ledger
from foldless.io._parts import parts_of
from foldless.online import NEMSIS
from foldless.streams._batches import Stream
from foldless.streams._plan import Plan
from foldless.streams._trainer import State, Trainer


def rows(n: int, seed: int = 0, share: float = 0.3) -> pd.DataFrame:
    """Two numbers, a color, and a topic that all of them tell something about."""
    rng = np.random.default_rng(seed)
    code = (rng.random(n) < share).astype(int)
    colors = np.where(rng.random(n) < 0.7, np.array(["red", "blue"])[code], "green")
    return pd.DataFrame(
        {"x": rng.normal(size=n) + 1.5 * code, "z": 100 * rng.normal(size=n), "color": colors,
         "topic": np.array(["a", "b"])[code]}
    )  # fmt: skip


def trainer(paths: list[Path], messages: list[str] | None = None, on_error: Any = "skip", **plan: Any) -> Trainer:
    """A training of NEMSIS on files, in small batches."""
    usual = {"label": "topic", "learner": "nemsis", "params": {"measure": "bakld"}, "batch": 100, "hold": 50}
    settings = Plan(**{**usual, **plan})
    stream = Stream(parts_of([str(path) for path in paths]), settings.batch)
    ledger = Ledger(on_error, (messages if messages is not None else []).append)
    return Trainer(stream, settings, NEMSIS(**settings.params), ledger)


def trained(paths: list[Path], messages: list[str] | None = None, **plan: Any) -> State:
    """What is known at the end of a stream."""
    return trainer(paths, messages, **plan).run(lambda _: True)


def same(first: State, other: State) -> bool:
    """Whether two states are equal to the bit in all that decides what comes next."""
    weights = all(np.array_equal(part, other.learner._state[name]) for name, part in first.learner._state.items())
    held = np.array_equal(first.held.codes, other.held.codes) and first.held.drawn == other.held.drawn
    one, two = first.evaluation, other.evaluation
    counts = one.whole.plain() == two.whole.plain() and one.recent.plain() == two.recent.plain()
    return bool(weights and held and counts and first.rows == other.rows)
