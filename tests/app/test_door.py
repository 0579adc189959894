"""A browser finds the page by a file that only its owner reads."""

import os
import time

import pytest

from foldless.app._door import browsed, door_to

ADDRESS = "http://127.0.0.1:8000/?token=secret&x=1"


def test_the_address_is_in_a_private_file_that_goes(tmp_path):
    theirs = tmp_path / "open-page-mine.html"
    theirs.write_text("<p>mine</p>")
    with door_to(ADDRESS, tmp_path) as door:
        assert 'url=http://127.0.0.1:8000/?token=secret&amp;x=1"' in door.read_text()
        assert "secret" not in str(door)
        assert os.name == "nt" or door.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [theirs.name]


def test_that_of_a_server_that_was_killed_goes_too(tmp_path):
    first = door_to(ADDRESS, tmp_path)
    left = first.__enter__()
    with door_to(ADDRESS, tmp_path) as door:
        assert list(tmp_path.iterdir()) == [door] != [left]


@pytest.mark.skipif(os.name == "nt", reason="modes are other ones there")
def test_the_command_gives_no_browser_the_token(tmp_path, monkeypatch):
    import importlib

    from click.testing import CliRunner

    from foldless.cli import main

    command = importlib.import_module("foldless.cli.commands.app")
    opened = []
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    monkeypatch.setattr(command.webbrowser, "open", opened.append)

    def serve(setup, *, port, shown, browse, reach):
        shown(ADDRESS)
        with browsed(ADDRESS, setup.folder, browse):
            end = time.monotonic() + 30
            while not opened and time.monotonic() < end:  # its thread may start late
                time.sleep(0.01)

    monkeypatch.setattr("foldless.app.serve", serve)
    CliRunner().invoke(main, ["app", "train.csv", "--label", "y", "--folder", "s"])
    assert [address.startswith("file:///") and "secret" not in address for address in opened] == [True]
