"""The program around its commands: how it ends, and the page that ``foldless --help`` shows.

Whatever a user can correct is one line on standard error and exit status 2. Ctrl-C before a candidate is complete is
exit status 130.
"""

import atexit
import errno
import gc
import os
import shlex
import sys
import time
from collections import UserDict
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from inspect import cleandoc
from typing import Any, NamedTuple, NoReturn, TextIO

import click
from click.shell_completion import CompletionItem

from foldless.cli._completed_values import teach
from foldless.cli._help_pages import HelpContext, command_lines, options_by_use
from foldless.cli._process_start import process_start
from foldless.cli._remedies import worded
from foldless.cli.terminal._interrupts import INTERRUPTED, ends_quietly
from foldless.cli.terminal._printable import printable, show_error
from foldless.errors import FoldlessError, Interrupted, Overtime, shortened

MAX_CHARACTERS = 480  # characters of an error
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)
LIBRARIES = 700_000_000  # bytes of addresses of NumPy, SciPy, pandas, scikit-learn and Numba, once imported
OUT_OF_TIME = (
    "the time budget ran out before there was an answer: pass a longer --time-budget, or take fewer rows or columns"
)
NO_MEMORY = (
    "failed to map segment",
    "annot allocate memory",
    "can't start new thread",
    "cannot allocate",
    "find/load shared object",
)
SECTIONS: Mapping[str, Mapping[str, str]] = {  # the line of each command in the help
    "Look at the data": {"check": "Say what is wrong with files, and how much it matters."},
    "Choose a model": {
        "select": "Choose a model by one criterion; label the pool, save the model.",
        "compare": "Choose by several criteria at once and see them side by side.",
        "certify": "Choose a model and bound its error.",
    },
    "Label": {
        "suggest": "Write the pool rows whose labels would help most.",
        "app": "Label rows of the pool on a web page, and see which model leads.",
    },
    "Count": {"quantify": "Estimate the share of each class in a file, also under drift."},
    "Use it": {
        "predict": "Label a new file with a saved model.",
        "evaluate": "Evaluate a saved model class by class, with a confusion matrix.",
        "estimate": "Estimate how good a saved model is, from labels it has not seen.",
    },
    "Learn from a stream": {"stream": "Learn from a stream, or estimate its class shares."},
    "Check the installation": {
        "doctor": "Show versions, threads, and what is missing.",
        "completion": "Print the script that completes commands in your shell.",
    },
}
SUMMARIES = {name: line for lines in SECTIONS.values() for name, line in lines.items()}


class Invocation(NamedTuple):
    """A command as it was typed, the moment it began, and whether it is all that this process does."""

    typed: str
    started: float
    is_process: bool


class Commands(UserDict[str, Any]):
    """Commands by name, each imported from the file of its name when it is first used: until then it is None."""

    def __getitem__(self, name: str) -> click.Command:
        command = self.data[name]
        if command is None:
            with ends_quietly():
                command = getattr(import_module(f"foldless.cli.commands.{name}"), name)
            command.short_help = SUMMARIES.get(name)
            _arrange_help(command)
            teach(command)
            self.data[name] = command
        return command


def _arrange_help(command: click.Command) -> None:
    """Let the help of a command, and of those below it, be one of our pages and end with what to type."""
    for each in command.commands.values() if isinstance(command, click.Group) else ():
        _arrange_help(each)
    command.context_class = HelpContext
    if not isinstance(command, click.Group):
        command.format_options = partial(options_by_use, command)  # type: ignore[method-assign]
    about, mark, examples = cleandoc(command.help or "").partition("\b\nExample")
    if mark:
        command.help, command.epilog = about.rstrip(), mark + examples


class OneLine(click.Group):
    """A group whose errors are one line each, and whose help has its commands first and by what they are for."""

    context_class = HelpContext

    def __init__(self, *args: Any, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.commands = Commands(dict.fromkeys(SUMMARIES))

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run and exit; the command as it was typed is in the context's object."""
        passed = args[0] if args else extra.get("args")
        started = _started() if passed is None else time.monotonic()
        _open_streams()
        words = sys.argv[1:] if passed is None else passed
        _spare_addresses(words)
        invoked = Invocation(shlex.join(["foldless", *words]), started, is_process=passed is None)
        if any("\0" in word for word in words):
            _fail("an argument holds a NUL character, which file and column names cannot contain")
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False, "obj": invoked})
            sys.stdout.flush()
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            if error.ctx is None or error.ctx.parent is None:  # the page of all commands is what was asked for
                sys.exit(2)
            _fail(f"{error.ctx.command_path} is followed by a command, see above")
        except click.ClickException as error:
            _fail(_with_help(error))
        except (KeyboardInterrupt, click.Abort):
            hint = "; with --journal FILE the same command continues where it stopped"
            _fail(f"interrupted{hint if '--journal' in _options(self, words) else ''}", INTERRUPTED)
        except FoldlessError as error:
            _fail(worded(error, _options(self, words)), INTERRUPTED if isinstance(error, Interrupted) else 2)
        except Overtime:
            _fail(OUT_OF_TIME)
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except Exception as error:
            if _lacks_memory(error):
                _fail("there is not enough memory: take fewer rows, columns or models, or a machine with more")
            if not isinstance(error, OSError) or error.errno not in FULL:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            _fail(f"standard output cannot be written ({error.strerror}): free some space, or write to another place")
        sys.exit(status if isinstance(status, int) else 0)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands under what they are for, then the options."""
        others = [name for name in self.list_commands(ctx) if name not in SUMMARIES]
        width = max(len(name) for name in self.commands)
        for title, names in {**SECTIONS, "More": others}.items():
            lines = {name: self._line(name) for name in names if name in self.commands}
            if lines:
                with formatter.section(title):
                    formatter.write_dl([(name.ljust(width), line) for name, line in lines.items()])
        click.Command.format_options(self, ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands with their lines, then the options."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=self._line(name)) for name in names]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def _line(self, name: str) -> str:
        return SUMMARIES.get(name) or self.commands[name].get_short_help_str(limit=200)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 (click's)
        with formatter.section("Examples"):
            for example in (self.epilog or "").splitlines():
                for line in command_lines(f"  {example}", formatter.width):
                    formatter.write(f"{line}\n")


def _started() -> float:
    """The moment at which this process began, which ends without looking through all objects for half a second."""
    atexit.register(gc.freeze)
    return process_start()


def _open_streams() -> None:
    """Let there be standard output and error, which can write everything."""
    sys.stdout, sys.stderr = (stream or _nowhere() for stream in (sys.stdout, sys.stderr))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a console that lacks a character shows another, and goes on
            stream.reconfigure(errors="replace")


def _with_help(error: click.ClickException) -> str:
    """What is wrong with a command, and where to read what it takes."""
    said, context = error.format_message(), getattr(error, "ctx", None)
    if context is None or "did you mean" in said.lower():
        return said
    return f"{said.rstrip('.')}: {context.command_path.replace('main', 'foldless', 1)} --help shows what to type"


def _lacks_memory(error: Exception) -> bool:
    """Whether an error says in some way that there is no memory; libraries that cannot be loaded are ImportErrors."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    return isinstance(error, ImportError | RuntimeError | OSError) and any(word in str(error) for word in NO_MEMORY)


def command_as_typed() -> str:
    return invocation().typed


def invocation() -> Invocation:
    called = click.get_current_context().find_root().obj
    assert isinstance(called, Invocation)
    return called


def _nowhere() -> TextIO:
    """Where a program writes whose output was closed."""
    return open(os.devnull, "w", encoding="utf-8")


def _fail(message: str, status: int = 2) -> NoReturn:
    sentence = printable(shortened(" ".join(message.split())))
    sentence = sentence if len(sentence) <= MAX_CHARACTERS else f"{sentence[:300]} … {sentence[-150:]}"
    show_error(f"Error: {sentence}")
    sys.exit(status)


def _options(command: click.Command, words: Sequence[str]) -> set[str]:
    """The options of the command that these words call."""
    for word in words:
        if isinstance(command, click.Group) and word in command.commands:
            command = command.commands[word]
    return {option for param in command.params for option in param.opts}


def _spare_addresses(words: Sequence[str]) -> None:
    """Where addresses are limited (``ulimit -v``), pyarrow must not reserve a gigabyte of them for itself.

    Below what the libraries take the command ends here: OpenBLAS, which SciPy loads, would ask for memory forever.
    """
    if sys.platform == "win32":
        return
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if limit < LIBRARIES and words and not {"--help", "--version", "completion"}.intersection(words):
        _fail(
            f"memory is limited to {limit / 1e9:.1f} GB (ulimit -v), and the libraries alone take "
            f"{LIBRARIES / 1e9:.1f} GB: raise the limit"
        )
