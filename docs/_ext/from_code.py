"""Directives whose text comes from the package, so that pages and code always agree.

``{idea} k_fold``      the module docstring of a criterion, or its own where a file has several, with its references
``{assumes} k_fold``   the assumptions of its score
``{others} idea``      the same for all criteria that the page does not name
``.. criteria::``      API pages of all criteria
``{commands}``         the help of the program and of each of its commands
``{endings}``          the file endings that are read and written
``{papers}``           the pages of papers, if there are any
``{file} mails.csv``   a file of the page, shown and written into the page's folder
``{run}``              commands that are run in that folder, with their output; ``:fails:`` if they should fail
"""

import inspect
import os
import re
import shutil
import subprocess
import sys
from abc import abstractmethod
from pathlib import Path
from typing import ClassVar

import click
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.ext.autosummary import Autosummary
from sphinx.ext.autosummary.generate import generate_autosummary_docs
from sphinx.util.docutils import SphinxDirective

import foldless
from foldless.cli import main
from foldless.cli._group import SECTIONS
from foldless.core import Criterion
from foldless.criteria import BY_NAME, REGISTERED, resolve
from foldless.errors import BadInput
from foldless.io._formats import ENDINGS, TEXT, WRITTEN

SOURCES = sorted(Path(foldless.__file__).parent.glob("**/*.py"))
DIGITS = Path(__file__).parents[2] / "examples" / "digits.py"
WIDTH = 88
CRITERIA = [*BY_NAME.values(), *(entry.kind for entry in REGISTERED.values() if entry.joined_by)]


class FromCode(SphinxDirective):
    """A directive that is run again whenever the package changes."""

    def run(self) -> list[nodes.Node]:
        for path in SOURCES:
            self.env.note_dependency(str(path))
        return self.content_nodes()

    @abstractmethod
    def content_nodes(self) -> list[nodes.Node]:
        """Return what is shown in place of the directive."""

    def markdown(self, text: str) -> list[nodes.Node]:
        return self.parse_text_to_nodes(text)

    def criterion(self) -> type[Criterion]:
        try:
            return type(resolve(self.arguments[0]))
        except BadInput as error:
            raise self.error(str(error)) from error


class Idea(FromCode):
    """The module docstring of a criterion, or that of its class where a file has several."""

    required_arguments = 1

    def content_nodes(self) -> list[nodes.Node]:
        criterion = self.criterion()
        alone = [kind.__module__ for kind in CRITERIA].count(criterion.__module__) == 1
        docstring = inspect.getdoc(sys.modules[criterion.__module__] if alone else criterion) or ""
        text, _, references = docstring.partition("References\n----------\n")
        text = text.partition("Parameters\n----------\n")[0]
        cited = re.sub(r"^(?=.*\(\d{4}\)\.)", "* ", references.strip(), flags=re.MULTILINE)
        return self.markdown(f"{text}\n{cited}")


class Assumes(FromCode):
    """The assumptions that a criterion prints with its score."""

    required_arguments = 1

    def content_nodes(self) -> list[nodes.Node]:
        return self.markdown("".join(f"* {sentence}\n" for sentence in self.criterion().assumes))


class Others(FromCode):
    """A section, with its idea or its assumptions, for each criterion that the page does not name itself."""

    required_arguments = 1

    def content_nodes(self) -> list[nodes.Node]:
        kind = self.arguments[0]
        page = Path(self.env.doc2path(self.env.docname)).read_text(encoding="utf-8")
        named = set(re.findall(rf"```\{{{kind}\}} (\S+)", page))
        sections = [f"## `{name}`\n\n```{{{kind}}} {name}\n```\n" for name in BY_NAME if name not in named]
        return self.markdown("\n".join(sections)) if sections else []


class Criteria(Autosummary):
    """The table of criteria on the API page; `write_criteria` writes the pages behind it."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        self.options = {"toctree": "api/", "nosignatures": None}
        self.content = StringList([kind.__name__ for kind in CRITERIA], source=self.env.docname)
        return super().run()


def write_criteria(app: Sphinx) -> None:
    """Write an API page for each criterion, as autosummary does for the names that pages list."""
    listed = Path(app.doctreedir) / "criteria.rst"
    listed.parent.mkdir(parents=True, exist_ok=True)
    names = "".join(f"   {kind.__name__}\n" for kind in CRITERIA)
    listed.write_text(
        f".. currentmodule:: foldless.criteria\n\n.. autosummary::\n   :toctree: api/\n\n{names}", encoding="utf-8"
    )
    generate_autosummary_docs([str(listed)], output_dir=str(Path(app.srcdir) / "api"), app=app)


class Commands(FromCode):
    """One section per command, with its help."""

    def content_nodes(self) -> list[nodes.Node]:
        context = click.Context(main, info_name="foldless", terminal_width=WIDTH, **main.context_settings)
        shown = [_section("foldless", main.get_help(context))]
        first = [name for names in SECTIONS.values() for name in names]
        for name in dict.fromkeys([*first, *main.list_commands(context)]):
            command = main.commands[name]
            inner = click.Context(command, info_name=name, parent=context, terminal_width=WIDTH)
            shown.append(_section(f"foldless {name}", command.get_help(inner)))
            for part, subcommand in command.commands.items() if isinstance(command, click.Group) else ():
                deeper = click.Context(subcommand, info_name=part, parent=inner, terminal_width=WIDTH)
                shown.append(_section(f"foldless {name} {part}", subcommand.get_help(deeper)))
        return shown


class Endings(FromCode):
    """A table of formats and their endings."""

    def content_nodes(self) -> list[nodes.Node]:
        lines = ["| format | endings | also .gz and .zst | written |", "|---|---|---|---|"]
        for kind in dict.fromkeys(ENDINGS.values()):
            endings = ", ".join(f"`{ending}`" for ending, its in ENDINGS.items() if its == kind)
            marks = ("yes" if kind in among else "–" for among in (TEXT, WRITTEN))
            lines.append(f"| {kind} | {endings} | {' | '.join(marks)} |")
        return self.markdown("\n".join(lines))


class Papers(FromCode):
    """A table of contents of the folder papers; nothing where it is empty."""

    def content_nodes(self) -> list[nodes.Node]:
        self.env.note_reread()
        if not any(name.startswith("papers/") for name in self.env.found_docs):
            return []
        return self.markdown("## Papers, and what we find\n\n```{toctree}\n:glob:\n:maxdepth: 1\n\npapers/*\n```")


class InFolder(FromCode):
    """A directive with a folder of its own for each page, which holds the digits as three files."""

    has_content = True

    def folder(self) -> Path:
        place = Path(self.env.app.doctreedir).parent / "docs-runs" / self.env.docname.replace("/", "-")
        if self.env.temp_data.setdefault("folder", None) is None:
            self.env.temp_data["folder"] = place
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            subprocess.run([sys.executable, DIGITS, place], check=True, capture_output=True)
        return place


class File(InFolder):
    """A file for the commands of the page."""

    required_arguments = 1

    def content_nodes(self) -> list[nodes.Node]:
        text = "\n".join(self.content) + "\n"
        (self.folder() / self.arguments[0]).write_text(text, encoding="utf-8")
        return [nodes.caption(self.arguments[0], self.arguments[0], classes=["file-name"]), _literal(text, "text")]


class Run(InFolder):
    """Commands and their output."""

    option_spec: ClassVar = {"fails": directives.flag}

    def content_nodes(self) -> list[nodes.Node]:
        command = "\n".join(self.content)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], cwd=self.folder(), capture_output=True, text=True,
            check=False, env={**os.environ, "COLUMNS": str(WIDTH)},
        )  # fmt: skip
        if (done.returncode != 0) != ("fails" in self.options):
            raise self.error(f"exit status {done.returncode} of {command}\n{done.stdout}{done.stderr}")
        # the progress of a slow machine is no part of a page
        text = f"{done.stdout}{done.stderr}" if "fails" in self.options else done.stdout
        printed = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
        shown = [_literal(command, "bash")]
        return [*shown, _literal(printed, "text", "printed")] if printed else shown


def _literal(text: str, language: str, *classes: str) -> nodes.Node:
    return nodes.literal_block(text, text, language=language, classes=list(classes))


def _section(title: str, text: str) -> nodes.Node:
    return nodes.section("", nodes.title(title, title), _literal(text, "text"), ids=[title.replace(" ", "-")])


def run_examples(_: Sphinx, tree: nodes.document) -> None:
    """Blocks of Python sessions, which every reader of Markdown shows, are run by ``sphinx-build -b doctest``."""
    for block in tree.findall(nodes.literal_block):
        if block.get("language") == "pycon" and "testnodetype" not in block:
            block["testnodetype"] = "doctest"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives."""
    for directive in (Idea, Assumes, Others, Criteria, Commands, Endings, Papers, File, Run):
        app.add_directive(directive.__name__.lower(), directive)
    app.connect("builder-inited", write_criteria)
    app.connect("doctree-read", run_examples)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
