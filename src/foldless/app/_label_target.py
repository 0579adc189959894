"""What labels are given for, whether it is reached, and how many more labels it takes, as plain data for a page.

The target is kept beside the labels: one that was chosen before the first look holds after a restart too.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from foldless.errors import BadInput
from foldless.io import parse_json, placed
from foldless.labeling import LabelingTarget, Look, enough, forecast

MAX_ROWS = 10_000  # of each class


def read_target(accuracy: Any, confidence: Any, per_class: Any) -> LabelingTarget:
    for name, value in (("accuracy", accuracy), ("confidence", confidence)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
            raise BadInput(f"the {name} of a target is between 0 and 1, got {value!r:.50}", value=value)
    if isinstance(per_class, bool) or not isinstance(per_class, int) or not 0 <= per_class <= MAX_ROWS:
        raise BadInput(
            f"rows of each class are a number from 0 to {MAX_ROWS:,}, got {per_class!r:.50}", value=per_class
        )
    return LabelingTarget(float(accuracy), float(confidence), per_class)


def keep_target(target: LabelingTarget, place: Path) -> None:
    with placed(place, private=True) as path, open(path, "w", encoding="utf-8") as file:
        json.dump(target._asdict(), file)
        file.flush()
        os.fsync(file.fileno())


def kept_target(place: Path) -> LabelingTarget | None:
    """The target that was kept there; None where none was chosen."""
    try:
        values = parse_json(place.read_bytes(), dict)
        return read_target(*(values.get(name) for name in LabelingTarget._fields))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, BadInput) as error:
        raise BadInput(f"{place} is not a target: correct it, or delete it", place=str(place)) from error


def shown_target(target: LabelingTarget, rounds: Sequence[Mapping[str, Any]], batch: int) -> dict[str, Any]:
    """The target with what all rounds so far say; the page counts the rows of each class itself, after each label."""
    looks = [_look(each) for each in rounds]
    decision, more = enough(looks, target), forecast(looks, target, batch)
    return {
        **target._asdict(),
        "accurate": decision.accurate,
        "lower": decision.lower,
        "n_labels": decision.n_labels,
        "forecast": more._asdict(),
    }


def _look(chosen: Mapping[str, Any]) -> Look:
    """A round without an estimate is a look without an interval: it was looked at all the same."""
    estimate = chosen["estimate"]
    if not estimate:
        return Look(chosen["labels"], float("nan"), None)
    return Look(chosen["labels"], estimate["value"], estimate["lower"], estimate["upper"])
