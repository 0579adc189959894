"""A search as the last step of a Pipeline: the pool must go through the steps before it, as the labeled rows do.

A Pipeline transforms X for its last step, and hands parameters such as ``X_unlabeled`` over as they are, unless
``transform_input`` names them. A pool of other features than the labeled rows makes every criterion wrong, so it is
refused.
"""

import sys
from typing import Any

from foldless.engine._candidates import is_pipeline
from foldless.errors import BadInput

DEPTH = 40  # frames of scikit-learn and of decorators between nested pipelines and a search, at most


def check_transformed(search: Any, **rows: Any) -> None:
    """Refuse rows that come through a Pipeline whose earlier steps have not transformed them."""
    given = [name for name, value in rows.items() if value is not None]
    inner, frame = search, sys._getframe(1)
    for _ in range(DEPTH if given else 0):
        if frame.f_back is None:
            return
        frame = frame.f_back
        outer: Any = frame.f_locals.get("self") if frame.f_code.co_name == "fit" else None
        if not is_pipeline(outer) or outer.steps[-1][1] is not inner:
            continue
        changing = [name for name, step in outer.steps[:-1] if step is not None and step != "passthrough"]
        raw = [name for name in given if name not in (outer.transform_input or ())]
        if changing and raw:
            raise BadInput(
                f"the Pipeline transforms X by {', '.join(map(repr, changing))} and hands {' and '.join(raw)} over as "
                f"passed, so the rows do not match",
                value=raw[0],
                remedy=(
                    f"put the steps inside the search, as FoldlessSearch(Pipeline([({changing[0]!r}, …), …]), …)",
                    f"with metadata routing enabled set transform_input={raw!r} of the Pipeline",
                ),
            )
        inner = outer
