"""foldless doctor: what it finds is what there is."""

import json
import platform
import re
from pathlib import Path

import numpy as np
import pytest
import sklearn
from click.testing import CliRunner

import foldless
from foldless.cli import main
from foldless.cli.commands import doctor

PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"


def shown(*args: str) -> str:
    result = CliRunner().invoke(main, ["doctor", *args])
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_the_document() -> None:
    document = json.loads(shown("--json"))
    assert document["foldless"] == foldless.__version__
    assert document["python"] == platform.python_version()
    assert document["needed"]["numpy"] == np.__version__
    assert document["needed"]["scikit-learn"] == sklearn.__version__
    assert document["threads"]["processors"] >= document["threads"]["usable"] >= 1
    assert {"blas", "openmp"} <= {pool["kind"] for pool in document["threads"]["pools"]}
    assert all(pool["threads"] >= 1 for pool in document["threads"]["pools"])


def test_the_tables() -> None:
    printed = shown()
    assert re.search(rf"numpy +{re.escape(np.__version__)}", printed)
    assert re.search(r"openblas|mkl|blis|accelerate", printed)
    assert re.search(r"\d+ of \d+ processors are usable", printed)
    assert "\x1b" not in printed


def test_every_dependency_is_looked_for() -> None:
    printed = re.search(r"^dependencies = \[(.*?)^\]", PYPROJECT.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert printed is not None
    needs = {name.lower() for name in re.findall(r'"([A-Za-z0-9-]+)', printed[1])}
    assert {"numpy", "skops"} <= needs
    assert needs <= {*doctor.NEEDED, *doctor.OPTIONAL}


def test_what_is_missing_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = doctor._version
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in ("skops", "dask") else found(name))
    printed = shown()
    assert re.search(r"skops +missing", printed)
    assert "Note: foldless needs skops: pip install skops" in printed
    assert re.search(r"may use .* pip install$", printed, flags=re.MULTILINE)
    assert re.search(r"dask +– .* 'foldless\[dask\]'$", printed, flags=re.MULTILINE)
    assert "All is well" not in printed


def test_what_is_there_is_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: "1.0")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    printed = shown()
    assert "All is well" in printed
    assert "pip install" not in printed


def test_a_numba_cache_that_nobody_can_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: "1.0")
    (tmp_path / "file").write_text("")
    for folder, writable in {tmp_path / "file" / "cache": False, tmp_path / "new" / "cache": True}.items():
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
        assert doctor.examine()["numba_cache"] == {"folder": str(folder), "writable": writable}
        printed = shown()
        assert ("set NUMBA_CACHE_DIR to a folder" in printed) is not writable
        assert f"Numba's cache {folder} is {'' if writable else 'not '}writable" in printed
    monkeypatch.setattr(doctor, "_version", lambda name: None)
    assert doctor.examine()["numba_cache"] is None


def test_threads_that_were_set_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    assert "OPENBLAS_NUM_THREADS is set to 3" in shown()
    assert "MKL_NUM_THREADS" not in shown()


def test_lines_fit_a_terminal_of_80_columns_where_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    document = doctor.examine() | {
        "folder": "/f", "executable": "/e", "system": "Linux-6.18.44-fc-v595-x86_64-with-glibc2.36", "advice": [],
        "numba_cache": None, "threads": {"usable": 2, "processors": 2, "pools": [], "settings": {}},
    }  # fmt: skip
    for package in document["optional"]:
        package["version"] = None
    monkeypatch.setattr(doctor, "examine", lambda: document)
    assert max(map(len, shown().splitlines())) <= 80
