"""The help pages: one can read them, and what they show can be typed."""

import re
import shlex

import click
import pytest
from click.testing import CliRunner
from helpers.command import run

from foldless.cli import _help_pages, main
from foldless.cli._group import SECTIONS
from foldless.cli._help_pages import command_lines


def page(*command: str) -> str:
    result = CliRunner().invoke(main, [*command, "--help"])
    assert result.exit_code == 0
    return result.stdout


def examples(shown: str) -> list[list[str]]:
    """The commands of a page, without what a shell does with their output."""
    lines = re.findall(r"^ +(foldless .*)$", shown.partition("Example")[2], flags=re.MULTILINE)
    return [shlex.split(re.sub(r" >>? .*", "", line))[1:] for line in lines]


def check_parses(words: list[str]) -> None:
    """A command with these words exists and takes them."""
    name, *args = words
    command = main.commands[name]
    parent = click.Context(main, info_name="foldless", **main.context_settings)  # click caches what -h is called
    with command.make_context(name, list(args), parent=parent) as context:
        assert context.command is command


@pytest.mark.parametrize("name", [None, *main.commands])
def test_every_page_has_examples_that_parse(name: str | None) -> None:
    shown = examples(page(*([name] if name else [])))
    assert len(shown) == 8 if name is None else len(shown) >= 1
    for words in shown:
        check_parses(words)
        assert name in (None, words[0])


def test_the_check_would_find_an_option_that_is_gone() -> None:
    with pytest.raises(click.NoSuchOption):
        check_parses(["select", "train.csv", "--label", "topic", "--no-such-option"])
    assert examples("Example:\n  foldless completion zsh >> ~/.zshrc\n") == [["completion", "zsh"]]


def test_every_command_is_in_a_section_with_its_line() -> None:
    shown = page()
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(main.commands)
    at = [shown.index(f"{title}:") for title in SECTIONS]
    assert at == sorted(at)
    assert shown.index("Choose classifiers") < at[0] < at[-1] < shown.index("Options:") < shown.index("Examples:")
    for name in main.commands:
        assert re.search(rf"^  {name} +[A-Z].*\.$", shown, flags=re.MULTILINE)


def test_a_command_without_a_section_is_shown_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(main.commands, "extra", click.Command("extra", short_help="Do more."))
    assert re.search(r"More:\n  extra +Do more\.\n", page())


def test_no_page_is_wider_than_a_line_except_for_examples() -> None:
    for name in (None, *main.commands):
        prose = [
            line for line in page(*([name] if name else [])).splitlines() if not line.strip().startswith("foldless ")
        ]
        assert max(map(len, prose)) <= 100


@pytest.mark.parametrize("words", [("select",), ("check",), ("stream", "train"), ("predict",), ("app",), ()], ids=str)
def test_help_ends_with_what_to_type(words):
    last = run(*words, "--help").stdout.rstrip().splitlines()[-1]
    assert last.strip().startswith("foldless ")


def test_a_wrong_command_says_where_to_read_what_to_type():
    assert (
        run("select", status=2).stderr == "Error: Missing argument 'TRAIN': foldless select --help shows what to type\n"
    )
    assert "foldless stream train --help" in run("stream", "train", "x.csv", status=2).stderr
    alone = run("stream", status=2)
    assert alone.stdout.startswith("Usage: ")
    assert alone.stderr.startswith("Error: ")
    assert alone.stderr.endswith("stream is followed by a command, see above\n")


def test_a_model_that_is_not_there_is_named_with_those_like_it():
    said = run("select", "t.csv", "--label", "y", "--model", "logistic", status=2).stderr
    assert "there is no model 'logistic', did you mean logistic-regression" in said
    other = run("select", "t.csv", "--label", "y", "--model", "qqqq", status=2).stderr
    assert other.endswith("there is no model 'qqqq': foldless select --help shows what to type\n")


def test_errors_on_a_terminal_break_between_words(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with pytest.raises(SystemExit):
        main(["select", "a_file_with_quite_a_long_name.csv", "--label", "some_column"])
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["Error: there is no file", "a_file_with_quite_a_long_name.csv: check", "the name and the folder"]


def test_on_a_narrow_terminal_examples_go_on_behind_a_backslash(monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    example = "  foldless select train.csv --label topic --unlabeled pool.csv --save model.skops"
    assert command_lines(example, 100) == [example]
    assert command_lines(example, 58) == [
        "  foldless select train.csv --label topic \\",
        "      --unlabeled pool.csv --save model.skops",
    ]
    assert command_lines("foldless select a.csv --verbose --quiet", 30) == [
        "foldless select a.csv \\",
        "    --verbose --quiet",
    ]


def test_no_name_of_a_model_is_broken_at_a_hyphen():
    shown = CliRunner().invoke(main, ["select", "--help"], terminal_width=58).stdout
    assert re.search(r"\bgradient-boosting\b", shown)
    assert "package.module:Class(depth=3)" in shown
    assert not re.search(r"\w-$", shown, flags=re.MULTILINE)


@pytest.mark.parametrize("name", [None, *main.commands])
def test_no_line_is_wider_than_a_terminal_of_60_columns(name, monkeypatch):
    monkeypatch.setattr(_help_pages, "_is_terminal", lambda: True)
    shown = CliRunner().invoke(main, [*([name] if name else []), "--help"], terminal_width=58).stdout
    assert [line for line in shown.splitlines() if len(line) > 60] == []


def test_options_are_below_what_they_are_for_and_each_is_shown_once():
    def shown(name):
        """The help below the words about the command, which name options too."""
        return page(name).partition(":\n")[2]

    titles = re.findall(r"^([A-Z][a-z ]+):$", page("select"), flags=re.MULTILINE)
    assert titles == ["Data", "Models", "Answer", "Run", "Values and labels", "Reading files"]
    in_order = [page("select").index(words) for words in ("--label COL", "Models:", "--grid KEY", "Answer:", "--save")]
    assert in_order == sorted(in_order)
    assert "\nOptions:\n  --confidence P" in page("certify")
    for name, command in main.commands.items():
        options = [param.opts[-1] for param in command.params if isinstance(param, click.Option)]
        names = [re.split(r"[ ,]+", line) for line in re.findall(r"^  (-.*?)(?:  |$)", shown(name), re.MULTILINE)]
        assert {option: sum(option in each for each in names) for option in options} == dict.fromkeys(options, 1)


def test_every_named_option_of_a_section_exists():
    known = {name for words in _help_pages.SECTIONS.values() for name in words.split()}
    commands = [main.commands[name] for name in main.commands]
    options = {name.lstrip("-") for command in commands for param in command.params for name in param.opts}
    assert known - {"help"} <= options
