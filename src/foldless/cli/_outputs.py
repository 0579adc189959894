"""Files that a run will write: all of them are known to be possible before any work is done."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from foldless.errors import BadInput
from foldless.io import check_apart, check_place, check_target

ENDINGS = {"--save": (".skops",), "--report": (".html", ".htm"), "--picture": (".png", ".svg", ".pdf")}


def check_outputs(outputs: Mapping[str, str | None], inputs: Sequence[str]) -> None:
    """Whether each option's file can be written without writing over an input or another output."""
    for option, path in outputs.items():
        if path is None:
            continue
        if option in ENDINGS:
            _check_file(option, path)
        else:
            check_target(path)
    check_apart(outputs, inputs)


def _check_file(option: str, path: str) -> None:
    place, endings = Path(path), ENDINGS[option]
    if place.suffix.lower() not in endings:
        shown = f"the ending {place.suffix!r}" if place.suffix else "no ending"
        raise BadInput(f"{path} has {shown}: {option} writes {endings[0]} files")
    check_place(place)
