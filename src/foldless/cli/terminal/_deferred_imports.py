"""Leave for later what scikit-learn imports and few commands use.

``import sklearn`` imports ``scipy.stats`` and much else, which takes longer than a search over a hundred rows. Within
`deferred`, a stand-in takes the place of such a module; a name that is imported from it is looked up in the real module
when it is first used. Afterwards the stand-ins are gone, and imports are as ever. Only the command line does so, for it
has its process to itself, only where scikit-learn is not there yet, and only with the versions of `TESTED`: with any
other nothing is deferred, so that the command starts later and is right.
"""

import gc
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from foldless.cli.terminal._interrupts import ends_quietly

TESTED = {"scikit-learn": ("1.9",), "scipy": ("1.17",)}  # versions, by major and minor number
DOCS = "scipy._lib._docscrape"
LATER = (
    "asyncio",
    "numpy.f2py",
    "numpy.testing",
    "psutil",
    DOCS,
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.ndimage",
    "scipy.optimize",
    "scipy.spatial",
    "scipy.stats",
    "sklearn.linear_model",
)


class Later:
    """A name of a module that is imported when the name is used."""

    __slots__ = ("_module", "_name")

    def __init__(self, module: str, name: str):
        self._module, self._name = module, name

    def _real(self) -> Any:
        return getattr(_loaded(self._module), self._name)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._real()(*args, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real(), name)

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, self._real())

    def __subclasscheck__(self, kind: type) -> bool:
        return issubclass(kind, self._real())

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self._real(),)


class StandIn(ModuleType):
    """A module whose names are all `Later`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Later(self.__name__, name)


class NoDoc:
    """Stands for a docstring that SciPy takes apart and composes anew; in a command nobody reads it."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self._parts: dict[str, Any] = {}

    def __getitem__(self, part: str) -> Any:
        return self._parts.setdefault(part, [])

    def __setitem__(self, part: str, value: Any) -> None:
        self._parts[part] = value

    def __str__(self) -> str:
        return "\n\n"


class _Finder:
    """Finds stand-ins; a module that is inside of one is found in the real module."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:  # noqa: ARG002
        parent = name.rpartition(".")[0]
        if isinstance(sys.modules.get(parent), StandIn):
            real = _loaded(parent)
            return ModuleSpec(name, _There()) if name in sys.modules else PathFinder.find_spec(name, real.__path__)
        return ModuleSpec(name, self) if name in LATER and name not in _real else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = StandIn(spec.name)
        module.__path__ = []
        if spec.name == DOCS:
            vars(module)["FunctionDoc"] = NoDoc
        return module

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""


class _There(Loader):
    """Loads a module that its package has imported already."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = sys.modules[spec.name]
        spec.loader, spec.origin = module.__loader__, getattr(module, "__file__", None)  # type: ignore[assignment]
        spec.submodule_search_locations = getattr(module, "__path__", None)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run."""


_real: set[str] = set()


def _loaded(name: str) -> ModuleType:
    """The real module."""
    _real.add(name)
    if isinstance(sys.modules.get(name), StandIn):
        del sys.modules[name]
    return importlib.import_module(name)


def is_tested() -> bool:
    """Whether the installed versions are among those whose imports are known to work with stand-ins."""
    from importlib import metadata  # takes time, and help pages do not need it

    try:
        return all(".".join(metadata.version(name).split(".")[:2]) in known for name, known in TESTED.items())
    except metadata.PackageNotFoundError:
        return False


@contextmanager
def deferred() -> Iterator[None]:
    """Import what is imported here without the modules of `LATER`, if scikit-learn is not imported yet.

    Garbage is not looked for in between: modules stay, and there are many.
    """
    if "sklearn" in sys.modules or not gc.isenabled() or not is_tested():
        yield
        return
    finder: Any = _Finder()
    sys.meta_path.insert(0, finder)
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
        sys.meta_path.remove(finder)
        for name in LATER:
            parent, _, child = name.rpartition(".")
            if isinstance(sys.modules.get(name), StandIn):
                del sys.modules[name]
            if parent in sys.modules and isinstance(vars(sys.modules[parent]).get(child), StandIn):
                delattr(sys.modules[parent], child)


def import_all(*modules: str) -> None:
    """Import the modules of a command without what they seldom use; Ctrl-C ends it with one line."""
    with ends_quietly(), deferred():
        for module in modules:
            importlib.import_module(module)
