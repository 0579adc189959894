"""Names that go warn at the line of the user, with the release in which they go and the name to use."""

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import foldless
from foldless import batching, certificates, core, keeping, tables
from foldless._deprecations import deprecated

SOURCES = Path(foldless.__file__).parent
SHIMS = (batching, certificates, keeping)
PAGE = (Path(__file__).parents[1] / "docs" / "public.md").read_text(encoding="utf-8")


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)[:2]))


@pytest.mark.parametrize("shim", SHIMS, ids=lambda shim: shim.__name__)
def test_a_moved_name_is_that_of_its_new_home(shim: ModuleType) -> None:
    for name in shim.__all__:
        home = shim.HOMES[name]
        says = rf"{shim.__name__}\.{name} is deprecated and is removed in foldless 0\.5: import it from {home}$"
        with pytest.warns(DeprecationWarning, match=says) as caught:
            moved = getattr(shim, name)
        assert moved is getattr(import_module(home), name)
        assert caught[0].filename == __file__


def test_an_import_from_the_old_module_warns_at_the_line_of_the_import() -> None:
    with pytest.warns(DeprecationWarning, match="import it from foldless.core.batch") as caught:
        from foldless.batching import Member
    assert Member.__module__ == "foldless.core.batch"
    assert caught[0].filename == __file__


def test_importing_an_old_module_alone_does_not_warn() -> None:
    for shim in SHIMS:
        assert import_module(shim.__name__) is shim


def test_other_names_of_an_old_module_are_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'foldless\.batching' has no attribute 'Batch'"):
        _ = batching.Batch


@pytest.mark.parametrize("name", ["MODELS", "TWO_VIEWS", "NAMES", "PRESETS"])
def test_a_view_of_the_catalog_warns_and_says_how_to_get_it(name: str) -> None:
    says = rf"foldless\.tables\.{name} is deprecated and is removed in foldless 0\.5: use (foldless\.portfolio\.\S.*)$"
    with pytest.warns(DeprecationWarning, match=says) as caught:
        view = getattr(tables, name)
    call = re.search(says, str(caught[0].message))
    assert call is not None
    assert view == eval(call[1])
    assert caught[0].filename == __file__
    assert f"| `foldless.tables.{name}` | `{call[1]}` | 0.5 |".replace("'", '"') in PAGE


def test_certificates_warn_under_the_names_of_their_first_release() -> None:
    certificate = core.Certificate("error", 0.2, 0.95, "k", ("rows are drawn at random",))
    with pytest.warns(DeprecationWarning, match=r"Certificate\.plain is deprecated .* 0\.5: use to_dict$"):
        plain = certificate.plain()
    with pytest.warns(DeprecationWarning, match=r"Certificate\.from_plain is deprecated .* 0\.5: use from_dict$"):
        assert core.Certificate.from_plain(plain) == certificate


def test_a_decorated_function_warns_and_works() -> None:
    @deprecated(removed_in="9.1", instead="foldless.other")
    def doubled(value: int, *, times: int = 2) -> int:
        """Twice the value."""
        return value * times

    with pytest.warns(
        DeprecationWarning, match="doubled is deprecated and is removed in foldless 9.1: use foldless"
    ) as w:
        assert doubled(4, times=3) == 12
    assert w[0].filename == __file__
    assert doubled.__doc__ == "Twice the value."


def test_a_class_warns_where_it_is_made() -> None:
    class Old:
        @deprecated(removed_in="9.1", instead="New")
        def __init__(self, value: Any):
            self.value = value

    with pytest.warns(DeprecationWarning, match=r"Old is deprecated and is removed in foldless 9\.1: use New$"):
        assert Old(1).value == 1


def test_nothing_is_kept_beyond_the_release_that_removes_it() -> None:
    for path in SOURCES.rglob("*.py"):
        for release in re.findall(r'removed_in="([\d.]+)"', path.read_text(encoding="utf-8")):
            overdue = number(release) <= number(foldless.__version__)
            assert not overdue or path.name == "_deprecations.py", f"{path.name}: remove what goes in {release}"


def test_the_page_on_what_is_public_has_every_old_module() -> None:
    for shim in SHIMS:
        assert f"| `{shim.__name__}` | `{next(iter(shim.HOMES.values()))}` | 0.5 |" in PAGE
