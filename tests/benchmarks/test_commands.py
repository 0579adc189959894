"""Every benchmark has a line in benchmarks/README.md, and every command there and in the documentation starts."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "benchmarks" / "README.md"
COMMAND = re.compile(r"python\s+-m\s+(benchmarks\.[\w.]+)([^`#]*)")
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "benchmarks").rglob("*.py")
    if path.name != "__init__.py"
)
SCRIPTS = [
    name
    for name in MODULES
    if '\nif __name__ == "__main__":\n' in (ROOT / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
]

# one process for all, which imports once what they need
HELP = """
import importlib, io, json, runpy, sys, traceback
from contextlib import redirect_stdout
scripts, modules = json.loads(sys.argv[1])
told = {}
for name in modules:
    printed, wrong = io.StringIO(), ""
    try:
        if name in scripts:
            sys.argv = [name, "--help"]
            with redirect_stdout(printed):
                runpy.run_module(name, run_name="__main__", alter_sys=True)
        else:
            importlib.import_module(name)
    except SystemExit as end:
        wrong = f"ended with {end.code}" if end.code else ""
    except BaseException:
        wrong = traceback.format_exc()
    told[name] = printed.getvalue(), wrong
print(json.dumps(told))
"""


def commands(path):
    """Modules that a page says to run, with the words behind them."""
    found = COMMAND.findall(path.read_text(encoding="utf-8"))
    return [(module, words.split("\n\n")[0].split()) for module, words in found]


@pytest.fixture(scope="module")
def told():
    """What each module prints with ``--help`` if it is a script, and how it failed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HELP, json.dumps([SCRIPTS, MODULES])], capture_output=True, text=True,
        timeout=600, check=True, cwd=ROOT, env={**os.environ, "COLUMNS": "1000", "MPLBACKEND": "agg"},
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_it_starts(module, told):
    printed, wrong = told[module]
    assert not wrong
    assert printed.startswith("usage:") == (module in SCRIPTS)


def test_the_readme_has_every_script_and_no_other():
    assert {module for module, _ in commands(README)} == set(SCRIPTS)


PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.name)
def test_the_options_on_a_page_exist(page, told):
    for module, words in commands(page):
        printed = told[module][0]
        for word in words:
            if word.startswith("--") or module == "benchmarks.speed.run":  # options, and the names that it runs
                assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", printed), f"{module} {' '.join(words)}"


def test_modules_are_imported_by_their_whole_names():
    for module in MODULES:
        text = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        assert not re.search(r"^\s*from \.", text, flags=re.MULTILINE), module
