"""A run must not overwrite a file that it reads: one check for the commands and for the page."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from foldless.errors import BadInput
from foldless.io._atomic import reason


def check_apart(
    outputs: Mapping[str, Any], inputs: Iterable[Any], remedy: str = "name another file for {option}"
) -> None:
    """Refuse an output that is an input, lies in a folder that is read, or is written twice.

    ``outputs`` are paths by the option that names them, or None; the remedy is said with the option.
    """
    taken = {path: "read" for path in inputs if path is not None}
    for option, path in outputs.items():
        if path is None:
            continue
        for other, done in taken.items():
            if _is_in(path, other):
                raise BadInput(
                    f"{path} is also {done} in this run: {remedy.format(option=option)}", value=os.fspath(path)
                )
        taken[path] = "written"


def _is_in(path: Any, other: Any) -> bool:
    """Whether a path is another one, or in the folder of that name, whatever links lead there."""
    try:
        place, reached = Path(path).resolve(), Path(other).resolve()
        return reached in (place, *place.parents) or (place.exists() and reached.exists() and place.samefile(reached))
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, a loop of links
        raise BadInput(f"{path} cannot be written ({reason(error)}): name another file") from error
