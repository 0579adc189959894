"""The pages in docs/ name everything there is, and the scripts they are made of run. None of this needs a build."""

import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import foldless
from foldless import criteria, errors, learners, measures, online, report, saving, selection, streams, tables, text
from foldless import portfolio as models
from foldless.cli import main
from foldless.criteria import BY_NAME, LAST, REGISTERED

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = sorted((ROOT / "examples").glob("plot_*.py"))
PUBLIC = {
    module.__name__: [name for name in getattr(module, "__all__", ()) or vars(module) if not name.startswith("_")]
    for module in (
        *(foldless, criteria, learners, measures, models, online),
        *(report, saving, selection, streams, tables, text),
    )
} | {
    errors.__name__: [
        name
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and kind.__module__ == errors.__name__ and errors.Remedy not in kind.__mro__[1:]
    ]
}
PLACED = [name for name in BY_NAME if REGISTERED[name].place < LAST]  # {others} and criteria:: show the other ones
CRITERIA = [*PLACED, "similar_data+ada", "k_fold|dagging"]


def listed():
    """The names that the API page documents, by module."""
    text = (DOCS / "api.rst").read_text(encoding="utf-8")
    module, names = "", {}
    for line in text.splitlines():
        if found := re.match(r"\.\. (?:currentmodule|module|automodule):: (\S+)", line):
            module = found[1]
        elif re.fullmatch(r"   \w+", line):
            names.setdefault(module, set()).add(line.strip())
    assert ".. criteria::\n" in text
    names["foldless.criteria"] |= {name for name in dir(criteria) if inspect.isclass(getattr(criteria, name))}
    return names, text


@pytest.mark.parametrize("module", PUBLIC)
def test_the_api_page_has_every_public_name(module):
    names, text = listed()
    in_sentences = set(re.findall(r"``(\w+)``", text))  # such as BY_NAME
    top = names["foldless"] if module == "foldless.selection" else set()  # the same objects
    assert set(PUBLIC[module]) <= names[module] | in_sentences | top


def test_the_api_page_has_no_name_that_is_not_there():
    for module, names in listed()[0].items():
        for name in names:
            assert hasattr(importlib.import_module(module), name), f"{module}.{name}"


@pytest.mark.parametrize("name", [*BY_NAME, "similar_data+ada", "k_fold|dagging"])
def test_every_criterion_is_in_both_tables_of_the_page_that_helps_to_choose(name):
    choose, cell = (DOCS / "choose.md").read_text(encoding="utf-8"), name.replace("|", r"\|")  # a bar ends a cell
    assert choose.count(f"| `{cell}` |") + choose.count(f"| [`{cell}`](") == 2


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_pages_begin_with_what_a_reader_can_do_then(page):
    if page.stem not in ("index", "guide", "changelog", "contributing"):  # which have no text of their own
        assert re.search(r"^# .*\n\nAfter this page you can .*\.$", page.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", CRITERIA)
def test_both_guides_have_every_criterion(name):
    pages = ("criteria.md", "scores.md")
    one_by_one, assumes = ((DOCS / page).read_text(encoding="utf-8") for page in pages)
    assert f"```{{idea}} {name}\n" in one_by_one
    assert f"## `{name}`" in assumes
    assert f"```{{assumes}} {name}\n" in assumes


def test_the_guides_have_no_criterion_that_is_not_there():
    for page, kind in (("criteria.md", "idea"), ("scores.md", "assumes")):
        text = (DOCS / page).read_text(encoding="utf-8")
        assert f"```{{others}} {kind}\n```" in text
        assert set(re.findall(r"```\{(?:idea|assumes)\} (\S+)", text)) == set(CRITERIA)


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_commands_on_the_pages_exist(page):
    blocks = re.findall(r"```(?:bash|\{run\})\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for name, rest in re.findall(r"^foldless ((?:stream )?\w+)(.*)$", "\n".join(blocks), flags=re.MULTILINE):
        command = main
        for word in name.split():
            command = command.commands[word]
        known = {option for param in command.params for option in param.opts}
        assert set(re.findall(r"(?<= )--[\w-]+", rest)) <= known, f"foldless {name}{rest}"


# one process for all, which imports once what they need
RUNNING = """
import json, os, runpy, sys, traceback, warnings
from contextlib import redirect_stdout
from io import StringIO
from matplotlib import pyplot as plt
found = {}
sys.path.insert(0, os.path.dirname(sys.argv[1]))  # as where a script is started
for script in sys.argv[1:]:
    printed, wrong = StringIO(), ""
    with warnings.catch_warnings(), redirect_stdout(printed):
        warnings.simplefilter("error")
        try:
            runpy.run_path(script, run_name="__main__")
        except BaseException:
            wrong = traceback.format_exc()
    plt.close("all")
    found[script] = printed.getvalue(), wrong
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def gallery(tmp_path_factory):
    """What each script prints, and how it failed."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNING, *EXAMPLES], capture_output=True, text=True, timeout=600, check=True,
        cwd=tmp_path_factory.mktemp("gallery"), env={**os.environ, "MPLBACKEND": "agg", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_the_gallery_runs_without_a_warning(script, gallery):
    printed, wrong = gallery[str(script)]
    assert not wrong
    assert printed
