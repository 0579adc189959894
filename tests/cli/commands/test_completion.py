"""Shell completion: through click's API, and in a real bash."""

import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from foldless.cli import main
from foldless.cli.commands.completion import SHELLS, VARIABLE

BIN = Path(sys.executable).parent


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"topic": ["a"], "title": ["b"], "body": ["c"], "two words": ["d"]})
    frame.to_csv("train.csv", index=False)
    frame.to_csv("train.tsv", index=False, sep="\t")
    frame.to_parquet("train.parquet", index=False)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    return tmp_path


def offered(*words: str) -> list[str]:
    *args, incomplete = words
    return [item.value for item in ShellComplete(main, {}, "foldless", VARIABLE).get_completions(args, incomplete)]


def test_commands_and_options() -> None:
    assert offered("") == sorted(main.commands)
    assert offered("pre") == ["predict"]
    assert offered("select", "--una") == []
    assert offered("select", "--unl") == ["--unlabeled"]
    assert offered("select", "--model", "n") == ["nearest-neighbors", "naive-bayes", "neighbor-spreading"]
    assert offered("select", "--model", "co-") == ["co-training", "co-regularized"]


@pytest.mark.parametrize("file", ["train.csv", "train.tsv", "train.parquet"])
def test_columns_come_from_the_header(file: str) -> None:
    assert offered("select", file, "--label", "") == ["topic", "title", "body"]  # the one with a blank needs quotes
    assert offered("select", file, "--label", "t") == ["topic", "title"]
    assert offered("select", file, "--label", "topic", "--drop", "b") == ["body"]
    assert offered("compare", file, "--grid", "C=1", "--label", "x") == []
    assert offered("select", file, "--view", "b") == ["body"]
    assert offered("select", file, "--view", "body,ti") == ["body,title"]


@pytest.mark.parametrize("file", ["nothing.csv", "broken.parquet", "train.weird", "."])
def test_no_columns_where_none_can_be_seen(file: str) -> None:
    assert offered("select", file, "--label", "") == []


def test_no_table_no_columns() -> None:
    assert offered("select", "--label", "") == []


def test_criteria_one_or_several() -> None:
    assert offered("select", "--criterion", "k") == ["k-fold", "k-fold|dagging"]
    assert offered("compare", "--criteria", "k-fold,ho") == ["k-fold,hold-out"]


@pytest.mark.parametrize("words", [("select", ""), ("select", "t", "--unlabeled", ""), ("select", "--save", ""),
                                   ("predict", ""), ("predict", "m", ""), ("predict", "--output", "")])  # fmt: skip
def test_files_are_left_to_the_shell(words: tuple[str, ...]) -> None:
    *args, incomplete = words
    (item,) = ShellComplete(main, {}, "foldless", VARIABLE).get_completions(args, incomplete)
    assert item.type == "file"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_for_each_shell(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = CliRunner().invoke(main, ["completion", shell])
    assert printed.exit_code == 0
    assert f"{VARIABLE}={shell}_complete" in printed.stdout
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert CliRunner().invoke(main, ["completion"]).stdout == printed.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_a_real_bash(folder: Path) -> None:
    script = f"""
    PATH={BIN}:$PATH
    eval "$(foldless completion bash)"
    COMP_WORDS=(foldless select train.csv --label t); COMP_CWORD=4
    _foldless_completion foldless t --label
    echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, cwd=folder)
    assert (done.stdout, done.stderr) == ("topic title\n", "")
