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
        if option not in ENDINGS:
            check_target(path)
            continue
        ending, endings = Path(path).suffix, ENDINGS[option]
        if ending.lower() not in endings:
            shown = f"the ending {ending!r}" if ending else "no ending"
            raise BadInput(f"{path} has {shown}: {option} writes {endings[0]} files")
        check_place(Path(path))
    check_apart(outputs, inputs)
