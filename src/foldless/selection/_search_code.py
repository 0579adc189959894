"""The Python code that makes a search again, from the search itself."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

WHOLE = 100_000  # characters of a repr, where scikit-learn would leave some out


def code_of(search: Any, *, pool: bool, path: Any) -> str:
    """Imports, the search as its repr has it, and the calls."""
    text = search.__repr__(N_CHAR_MAX=WHOLE)
    imports = {"from foldless import FoldlessSearch"}
    for kind in {type(part) for part in _parts(search.get_params(deep=False))}:
        module = kind.__module__.split("._")[0]
        if re.search(rf"\b{kind.__name__}\(", text) and module not in ("builtins", "__main__"):
            imports.add(f"from {module} import {kind.__name__}")
    if re.search(r"\barray\(", text):
        imports.add("from numpy import array")
    arguments = "X, y, X_unlabeled=pool" if pool else "X, y"
    calls = [f"search = {text}", f"search.fit({arguments})", f"search.report({str(path)!r})"]
    return "\n".join([*sorted(imports), "", *calls])


def _parts(value: Any) -> Iterator[Any]:
    """The estimators and criteria inside parameters, however deep."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _parts(inner)
    elif hasattr(value, "get_params") and not isinstance(value, type):
        yield value
        yield from _parts(value.get_params(deep=False))
    elif hasattr(value, "evaluate") or hasattr(value, "split"):
        yield value
        yield from _parts(list(getattr(value, "__dict__", {}).values()))
