"""``foldless app``: what it refuses before it serves anything. Its page is tested in e2e/test_app_story.py."""

import socket
import subprocess
import sys
from importlib import import_module

import pytest
from helpers.app_server import write_files
from helpers.command import run

from foldless.app import serving
from foldless.app.app_setup import Setup
from foldless.errors import BadInput

app_command = import_module("foldless.cli.commands.app")
FILES = ("train.csv", "--label", "label", "--unlabeled", "pool.csv")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)


def test_standard_input_is_read_once_only():
    result = run("app", "-", *FILES[1:], status=2)
    assert "standard input can be read only once: name a file" in result.stderr


def test_a_folder_is_no_file(tmp_path):
    result = run("app", *FILES, "--folder", "pool.csv", status=2)
    assert "pool.csv is a file: name a folder with --folder" in result.stderr
    result = run("app", *FILES, "--folder", "missing/here", status=2)
    assert "does not exist: create it first" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pool.csv", "train.csv", "truth.json"]


def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("app", *FILES, "--port", str(port), status=2)
    assert f"port {port} of this machine is in use: name another one with --port" in result.stderr


def test_what_is_not_installed_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"the app needs starlette and uvicorn: pip install 'foldless\[app\]'"):
        serving.serve(Setup("train.csv", "label", tmp_path / "work"))


def test_a_wrong_grid_is_said_before_a_process_starts():
    assert "there is no parameter 'D'" in run("app", *FILES, "--grid", "D=1,2", status=2).stderr
    assert "there is no criterion 'k-fould'" in run("app", *FILES, "--criterion", "k-fould", status=2).stderr


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("foldless app train.csv --label y --unlabeled pool.csv", ()),
        ("foldless app train.csv --model svc --batch 5 --people a,b --no-browser", ("--model", "svc")),
        ("foldless app --port=80 train.csv --folder 'my work' --drop 'a b'", ("--drop", "a b")),
    ],
)
def test_the_final_command_has_the_options_that_select_has_too(typed, left):
    assert app_command._as_typed(typed, "train.csv") == list(left)


@pytest.mark.parametrize("names", ["anna,", "anna,anna", "another program", "x" * 61, "a\nb"])
def test_people_have_different_names(names):
    with pytest.raises(BadInput, match="--people are different names"):
        app_command._names(names)


def test_people_are_named_with_commas():
    assert app_command._names("anna, ben") == ("anna", "ben")
    assert app_command._names(None) == ()


def test_the_files_are_read_by_the_process_that_trains_alone(monkeypatch):
    setups = []
    monkeypatch.setattr("foldless.app.serve", lambda setup, **_: setups.append(setup))
    monkeypatch.setattr("foldless.tables.read_problem", lambda *_, **__: pytest.fail("the server reads the files"))
    run("app", *FILES)
    run("app", *FILES, "--no-check")
    assert setups[0].first_look is not None
    assert setups[1].first_look is None


@pytest.mark.slow
def test_the_process_that_serves_imports_nothing_that_trains():
    code = (
        "import sys; from foldless.app import serve; import foldless.cli.commands.app; "
        "print([name for name in ('numpy', 'pandas', 'pyarrow', 'sklearn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
