"""All settings that decide what is learned from a stream: a run is resumed only with the settings it began with."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from foldless.data._columns import Kind, Missing
from foldless.errors import BadInput, StartOver

NOUNS = {"params": "parameters", "drop": "dropped columns", "kinds": "kinds of columns", "missing": "missing values"}


@dataclass(frozen=True)
class Plan:
    """The label, what is done with the columns, the learner, and how rows are taken together and held out."""

    label: str
    learner: str
    params: Mapping[str, Any] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    missing: Missing = "error"
    classes: tuple[str, ...] = ()
    batch: int = 10_000
    hold: int = 10_000
    seed: int = 0

    def plain(self) -> dict[str, Any]:
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    def check_same(self, other: Mapping[str, Any], path: str) -> None:
        for key, value in self.plain().items():
            if other.get(key) != value:
                raise BadInput(
                    f"{path} was written with other settings, {NOUNS.get(key, key)} {_shown(other.get(key))} and not "
                    f"{_shown(value)}",
                    value=value,
                    place=path,
                    remedy=("repeat the settings to continue", StartOver(path)),
                )


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}={part}" for key, part in value.items()) or "nothing"
    return ", ".join(map(str, value)) or "nothing" if isinstance(value, list) else str(value)
