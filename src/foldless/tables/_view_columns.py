"""Two sets of columns, for learners of two views: columns by their names, or by patterns with * and ?."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from foldless.errors import BadInput, NameViews
from foldless.tables import _label_column as labeling

Views = tuple[tuple[str, ...], ...]
NONE: Views = ()


def resolve(views: Sequence[Sequence[str]], known: Sequence[str] | None, label: str) -> tuple[Views, list[str]]:
    """The columns of each view, in the order of the table, and the columns in no view."""
    if known is None:
        raise BadInput("views are made of columns with names, and columns of svmlight have none: leave the views out")
    if len(views) != 2:
        raise BadInput(f"there must be two views, got {len(views)}", remedy=NameViews())
    first, second = (_columns(view, known, label) for view in views)
    if both := [name for name in first if name in second]:
        raise BadInput(f"{labeling.listed(both)} in both views: name every column in one of them")
    return (first, second), [name for name in known if name not in (*first, *second)]


def _columns(view: Sequence[str], known: Sequence[str], label: str) -> tuple[str, ...]:
    """The columns of a view, each once."""
    matched = set[str]()
    for asked in view:
        if asked == label:
            raise BadInput(f"a view names {asked!r}, which is the label: name other columns")
        matching = [asked] if asked in known else [name for name in known if fnmatchcase(name, asked)]
        if not matching:
            raise BadInput(f"a view names {asked!r}, and the table has no such column: {labeling.near(asked, known)}")
        matched.update(matching)
    return tuple(name for name in known if name in matched)
