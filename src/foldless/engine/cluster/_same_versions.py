"""Workers must have what this process has: other versions compute other answers, or cannot read what they are sent."""

import sys
from collections.abc import Mapping
from typing import Any

PACKAGES = {"foldless": "foldless", "sklearn": "scikit-learn", "numpy": "numpy"}  # modules, and what pip calls them


class WrongWorker(Exception):
    """A worker that cannot run the fits: why, and what to do about it."""

    def __init__(self, why: str, remedy: str):
        super().__init__(why, remedy)
        self.why, self.remedy = why, remedy


def versions_here() -> dict[str, str]:
    """The versions of this process that matter."""
    return make_probe(tuple(PACKAGES))()


def make_probe(modules: tuple[str, ...]) -> Any:
    """A function that looks up versions; it travels by value, so that it runs where foldless is not installed."""

    def probe() -> dict[str, str]:
        import importlib
        import sys

        versions = {"python": f"{sys.version_info[0]}.{sys.version_info[1]}"}
        for module in modules:
            try:
                versions[module] = str(importlib.import_module(module).__version__)
            except Exception:  # an installation may be broken in any way
                versions[module] = ""
        return versions

    return probe


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> WrongWorker | None:
    """What a worker lacks, or has in another version; None where it can be used."""
    for module, wanted in here.items():
        version, name = there.get(module, ""), PACKAGES.get(module, "Python")
        if not version:
            return WrongWorker(f"lacks {name}", f"install {name} {wanted} there")
        if _matters(module, version) != _matters(module, wanted):
            return WrongWorker(
                f"has {name} {version}, and this process has {wanted}", "install the same version in both places"
            )
    return None


def _matters(module: str, version: str) -> str:
    """What must be equal of a version: repairs of numpy leave answers and pickles as they are."""
    return ".".join(version.split(".")[:2]) if module == "numpy" else version


def check_here(wanted: Mapping[str, str]) -> None:
    """In a worker: refuse work from a process with other versions; it may have joined after all were asked."""
    modules = {name: getattr(sys.modules.get(name), "__version__", wanted[name]) for name in PACKAGES}
    wrong = difference(wanted, {"python": f"{sys.version_info[0]}.{sys.version_info[1]}", **modules})
    if wrong is not None:
        raise wrong
