"""An installation on the terminal, as `foldless doctor` finds it."""

from collections.abc import Mapping
from typing import Any

from foldless.cli.terminal._console import Screen

PIP = "pip install "


def examination(document: Mapping[str, Any]) -> None:
    """An installation, as ``doctor.examine`` gives it."""
    screen, threads = Screen(), document["threads"]
    screen.say(f"foldless {document['foldless']} in {document['folder']}", style="bold")
    screen.say(f"Python {document['python']} ({document['executable']})", document["system"])
    needed = {name: version or "missing" for name, version in document["needed"].items()}
    screen.table({"needs": list(needed), "version": list(needed.values())})
    optional = document["optional"]
    screen.table(
        {
            "may use": [package["name"] for package in optional],
            "version": [package["version"] or "–" for package in optional],
            "for": [package["for"] for package in optional],
            "pip install": ["" if package["version"] else package["install"].removeprefix(PIP) for package in optional],
        },
    )
    screen.say(f"{threads['usable']} of {threads['processors']} processors are usable")
    pools = threads["pools"]
    screen.table(
        {
            "thread pool": [pool["library"] for pool in pools],
            "kind": [pool["kind"] for pool in pools],
            "version": [pool["version"] or "–" for pool in pools],
            "threads": [str(pool["threads"]) for pool in pools],
            "file": [pool["file"] for pool in pools],
        },
    )
    for name, value in threads["settings"].items():
        screen.say(f"{name} is set to {value}")
    if cache := document["numba_cache"]:
        screen.say(f"Numba's cache {cache['folder']} is {'' if cache['writable'] else 'not '}writable")
    screen.note(*document["advice"])
    screen.say("Something is missing" if document["advice"] else "All is well", style="bold")
