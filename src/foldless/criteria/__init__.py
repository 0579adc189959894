"""Ways of choosing, one file each. A class says its name where it is defined, and nothing else lists it::

    @register("stability")
    @dataclass(frozen=True)
    class Stability(Criterion): ...

Names are read from the source of the files in this folder, so that a help page that shows all of them imports none; a
file is imported when its criterion is first used. Type checkers find a class in its file: ``foldless.criteria.k_fold``.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from foldless.errors import BadInput

if TYPE_CHECKING:
    from foldless.core import Criterion

# what several criteria assume
INDEPENDENT = "labeled rows are independent draws from the population of interest"
BOTH_INDEPENDENT = "labeled and pool rows are independent draws from the population of interest"
OPTIMISTIC = "the best of many scores is optimistic"
OF_FOLDS = f"the score is of fits on a part of the labels, and {OPTIMISTIC}"
OF_PARTS = f"the score is that of fits on a part of the labels, and {OPTIMISTIC}"
LAST = 100  # the place of a criterion that asks for none
DECORATED = re.compile(
    r'^@register\("(?P<name>\w+)"(?:, place=(?P<place>\d+))?(?:, joined_by="(?P<joined_by>.)")?\)\n'
    r"(?:@.*\n)*class (?P<class_name>\w+)",
    flags=re.MULTILINE,
)

_Kind = TypeVar("_Kind", bound="type[Criterion]")


class RegisteredCriterion(NamedTuple):
    """A criterion that is registered, whether its file is imported or not."""

    module: str
    class_name: str
    place: int = LAST
    joined_by: str = ""

    @property
    def kind(self) -> "type[Criterion]":
        """The class; importing its file registers it."""
        if (self.module, self.class_name) not in _CLASSES:
            import_module(self.module)
        return _CLASSES[self.module, self.class_name]


_CLASSES: "dict[tuple[str, str], type[Criterion]]" = {}


def register(name: str, *, place: int = LAST, joined_by: str = "") -> Callable[[_Kind], _Kind]:
    """Make a class known by the name that users write, in Python and on the command line.

    Help pages and tables show criteria by their ``place``, then by name. A combination of criteria is ``joined_by`` the
    sign that users write between their names. A file of this package has the decorator on one line.
    """

    def known(kind: _Kind) -> _Kind:
        before = REGISTERED.get(name)
        if before is not None and before.module != kind.__module__:
            raise BadInput(f"there is a criterion {name!r} already, {before.module}.{before.class_name}: choose a name")
        _CLASSES[kind.__module__, kind.__name__] = kind
        REGISTERED[name] = RegisteredCriterion(kind.__module__, kind.__name__, place, joined_by)
        return kind

    return known


def _written_in(folder: Path) -> Iterator[tuple[str, RegisteredCriterion]]:
    """The criteria in the files of a folder, by their decorators."""
    for path in folder.rglob("[!_]*.py"):
        module = ".".join((__name__, *path.relative_to(folder).with_suffix("").parts))
        for match in DECORATED.finditer(path.read_text(encoding="utf-8")):
            place = int(match["place"] or LAST)
            yield match["name"], RegisteredCriterion(module, match["class_name"], place, match["joined_by"] or "")


REGISTERED: dict[str, RegisteredCriterion] = dict(_written_in(Path(__file__).parent))


class _ByName(Mapping[str, "type[Criterion]"]):
    """The criteria by their names, without combinations of them; each is imported when it is asked for."""

    def __getitem__(self, name: str) -> "type[Criterion]":
        return self._entries()[name].kind

    def __contains__(self, name: object) -> bool:
        return name in self._entries()

    def __iter__(self) -> Iterator[str]:
        entries = self._entries()
        return iter(sorted(entries, key=lambda name: (entries[name].place, name)))

    def __len__(self) -> int:
        return len(self._entries())

    def _entries(self) -> dict[str, RegisteredCriterion]:
        return {name: entry for name, entry in REGISTERED.items() if not entry.joined_by}


BY_NAME: Mapping[str, "type[Criterion]"] = _ByName()


def __getattr__(name: str) -> Any:
    classes = {entry.class_name: entry for entry in REGISTERED.values()}
    if name == "__all__":  # no list has to be kept
        return sorted([*classes, "BY_NAME", "register", "resolve"])
    if name in classes:
        return classes[name].kind
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})


def resolve(criterion: "str | Criterion") -> "Criterion":
    """Return a criterion object for a name or an object.

    Names may be joined: a plus adds the ranks of the criteria, a bar takes the best of their estimates.

    >>> from foldless.criteria import resolve
    >>> resolve("k_fold")
    KFold(k=5, scoring='accuracy', by=None, train_scores=False)
    >>> resolve("similar_data+ada").name
    'similar_data+ada'
    """
    from foldless.core import Criterion  # imports scikit-learn, which the names above do not need

    if isinstance(criterion, Criterion):
        return criterion
    name = str(criterion).replace("-", "_")
    if isinstance(criterion, str) and name in BY_NAME:
        return BY_NAME[name]()
    combinations = {entry.joined_by: entry for entry in REGISTERED.values() if entry.joined_by}
    for sign in ("|", "+"):  # a plus binds more tightly than a bar
        if isinstance(criterion, str) and sign in name:
            return combinations[sign].kind(*(resolve(part.strip()) for part in name.split(sign)))
    near = get_close_matches(name, list(BY_NAME), n=1, cutoff=0.8)  # slips, not other words
    if isinstance(criterion, str) and near:
        raise BadInput(f"there is no criterion {criterion!r}: did you mean {near[0]!r}?")
    raise BadInput(
        f"criterion must be one of {', '.join(BY_NAME)}, several with a plus or a bar between them such as "
        f"'similar_data+ada' or 'k_fold|dagging', or a Criterion object, got {criterion!r}"
    )
