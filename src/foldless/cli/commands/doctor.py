"""``foldless doctor``: what an installation is made of, what it lacks, and what to do about it."""

import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click
import joblib
import scipy.linalg
from threadpoolctl import threadpool_info

import foldless
from foldless.cli.terminal import _installed as installed
from foldless.core.compiled_code import can_be_written, ensure_place, is_temporary, usual_places

NEEDED = (
    "numpy", "scipy", "scikit-learn", "pandas", "pyarrow", "joblib", "numba", "llvmlite", "threadpoolctl", "skops",
    "click", "rich",
    "jinja2", "markupsafe", "matplotlib", "cycler",
)  # fmt: skip
OPTIONAL = {
    "starlette": ("foldless app", "pip install 'foldless[app]'"),
    "python-calamine": (".xlsx and .ods files", "pip install 'foldless[excel]'"),
    "duckdb": ("DuckDB files", "pip install 'foldless[duckdb]'"),
    "wordllama": ("word vectors", "pip install 'foldless[text]'"),
    "dask": ("fits on several machines", "pip install 'foldless[dask]'"),
    "optuna": ("the race in Optuna", "pip install 'foldless[optuna]'"),
    "polars": ("polars data frames", "pip install polars"),
    "quapy": ("its quantifiers", "pip install quapy"),
}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
def doctor(as_json: bool) -> None:
    """Show versions, threads and optional parts of this installation, and what to do about what is missing.

    \b
    Example:
      foldless doctor
    """
    document = examine()
    if as_json:
        click.echo(json.dumps(document, indent=2))
    else:
        installed.examination(document)


def examine() -> dict[str, Any]:
    """The installation as plain data."""
    needed = {name: _version(name) for name in NEEDED}
    optional = [
        {"name": name, "version": _version(name), "for": use, "install": install}
        for name, (use, install) in OPTIONAL.items()
    ]
    ensure_place()
    cache = _numba_cache() if _version("numba") else None
    advice = [f"foldless needs {name}: pip install {name}" for name, version in needed.items() if version is None]
    if cache is not None and not cache["writable"]:
        advice.append(
            f"Numba cannot write to {cache['folder']} and compiles in every process: "
            f"set NUMBA_CACHE_DIR to a folder that you can write to"
        )
    elif cache is not None and is_temporary(cache["folder"]):
        advice.append(
            f"neither the installation nor your home can be written, so compiled code is in {cache['folder']}: set "
            f"NUMBA_CACHE_DIR to a folder that stays"
        )
    return {
        "foldless": foldless.__version__,
        "folder": str(Path(foldless.__file__).parent),
        "python": platform.python_version(),
        "executable": sys.executable,
        "system": platform.platform(),
        "needed": needed,
        "optional": optional,
        "threads": _threads(),
        "numba_cache": cache,
        "advice": advice,
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _threads() -> dict[str, Any]:
    """Processors, and the thread pools of the libraries that are loaded, which include SciPy's BLAS."""
    assert scipy.linalg is not None
    pools = [
        {
            "library": pool["internal_api"],
            "kind": pool["user_api"],
            "version": pool["version"],
            "threads": pool["num_threads"],
            "file": Path(pool["filepath"]).name,
        }
        for pool in threadpool_info()
    ]
    settings = {name: os.environ[name] for name in THREADS if name in os.environ}
    return {"processors": os.cpu_count(), "usable": joblib.cpu_count(), "pools": pools, "settings": settings}


def _numba_cache() -> dict[str, Any]:
    """Where Numba keeps compiled code: the folder that is set, those beside the sources, or the cache of the user."""
    setting = os.environ.get("NUMBA_CACHE_DIR")
    places = [Path(setting)] if setting else usual_places()
    folder = next(filter(can_be_written, places), places[0])
    return {"folder": str(folder), "writable": can_be_written(folder)}
