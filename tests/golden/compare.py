"""Compare the golden runs of two commits in one place, to the last digit.

    python tests/golden/compare.py                     the files as they are, with the commit before
    python tests/golden/compare.py --base v0.2.0       with any other commit
    python tests/golden/compare.py resampling          one run, or several

The same runs.py, the present one, calls both packages. A name that it imports and the base has elsewhere is looked up
where the base's own runs.py has it; a run that the base cannot make so is made by the base's own runs.py, and if that
fails too, the run is named and left out. What the base tells is kept in build/golden until the base, runs.py, or the
versions of the libraries are others. The exit code is the number of runs that differ.
"""

import argparse
import ast
import hashlib
import importlib
import json
import os
import platform
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any

import comparing

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = ROOT / "build" / "golden"
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "pandas")


# one package -------------------------------------------------------------------------------------------------------


def load_runs(script: Path, own_script: Path | None) -> Any:
    """The module of a script; names that its package does not have stay undefined, in the runs that use them."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    elsewhere = imported_from(own_script) if own_script else {}
    module = type(sys)("golden_runs")
    module.__file__ = str(script)
    sys.modules["golden_runs"] = module
    statements: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").split(".")[0] == "foldless":
            for alias in statement.names:
                bind(module, alias.asname or alias.name, statement.module or "", alias.name, elsewhere)
        else:
            statements.append(statement)
    exec(compile(ast.Module(statements, []), str(script), "exec"), module.__dict__)
    return module


def imported_from(script: Path) -> dict[str, str]:
    """By name the module that a script imports it from."""
    statements = ast.parse(script.read_text(encoding="utf-8")).body
    return {
        alias.asname or alias.name: statement.module or ""
        for statement in statements
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }


def bind(module: Any, bound: str, path: str, name: str, elsewhere: dict[str, str]) -> None:
    for place in dict.fromkeys([path, elsewhere.get(bound, path)]):
        try:
            value = getattr(importlib.import_module(place), name)
        except (ImportError, AttributeError):
            continue
        setattr(module, bound, value)
        return


def run_all(script: Path, own_script: Path | None, source: Path, names: list[str], out: Path) -> None:
    """In a process of its own: the results of runs, or why there are none."""
    import foldless

    if source not in Path(str(foldless.__file__)).resolve().parents:
        raise SystemExit(f"foldless is imported from {foldless.__file__}, not from {source}")
    runs = load_runs(script, own_script)
    results = {}
    for name in names or list(runs.RUNS):
        try:
            results[name] = {"result": runs.observed(name)}
        except Exception as error:
            results[name] = {"error": f"{type(error).__name__}: {str(error).strip()[:300]}"}
        out.write_text(json.dumps(results))


def started(script: Path, own_script: Path | None, source: Path, names: list[str]) -> dict[str, Any]:
    """The results of runs of the package in a folder."""
    if not script.exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.json"
        environment = {
            **os.environ, "PYTHONPATH": str(source), "PYTHONHASHSEED": "0", "PYTHONWARNINGS": "ignore",
            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_CACHE_DIR": str(kernel_cache(source)),
        }  # fmt: skip
        command = [
            sys.executable,
            str(HERE / "compare.py"),
            "--run",
            str(script),
            "--source",
            str(source),
            "--out",
            str(out),
        ]
        command += ["--own", str(own_script)] if own_script and own_script.exists() else []
        done = subprocess.run(
            [*command, *names], env=environment, capture_output=True, text=True, cwd=folder, check=False
        )
        if done.returncode:
            raise RuntimeError(f"the runs of {source} stopped:\n{done.stdout}{done.stderr}")
        return dict(json.loads(out.read_text()))


def kernel_cache(source: Path) -> Path:
    """Kernels are cached by the sources of all of them: Numba looks only at the file of the one it compiles."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(source.rglob("*.py")):
        text = path.read_bytes()
        if b"numba" in text or "solvers" in path.parts:
            digest.update(text)
    return Path(tempfile.gettempdir()) / f"foldless-golden-{version('numba')}-{digest.hexdigest()}"


# the base ----------------------------------------------------------------------------------------------------------


def git(*args: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *args], check=True, capture_output=True).stdout


def commit_before() -> str:
    """The last commit if the package has changed since, and otherwise the one before it."""
    return "HEAD" if git("status", "--porcelain", "--", "src").strip() else "HEAD~1"


def base_results(revision: str, names: list[str]) -> dict[str, Any]:
    """What a commit tells, by the present script or by its own."""
    store = KEPT / f"{kept_name(revision)}.json"
    kept = dict(json.loads(store.read_text())) if store.exists() else {}
    missing = [name for name in names if name not in kept]
    if missing:
        folder = KEPT / "base"
        extract(revision, folder)
        own_script = folder / "tests" / "golden" / "runs.py"
        made = started(HERE / "runs.py", own_script, folder / "src", missing)
        again = [name for name, result in made.items() if "error" in result]
        if again and own_script.exists():
            for name, result in started(own_script, None, folder / "src", again).items():
                if "result" in result:
                    made[name] = {**result, "by": "the base's own runs.py"}
        kept |= made
        store.write_text(json.dumps(kept))
    return kept


def kept_name(revision: str) -> str:
    """After everything that the results of the base depend on."""
    parts = [git("rev-parse", f"{revision}^{{commit}}").decode().strip(), (HERE / "runs.py").read_text()]
    parts += [platform.machine(), sys.version, *(version(library) for library in LIBRARIES)]
    parts += [
        f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith(("NUMBA_", "OPENBLAS_C"))
    ]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=10).hexdigest()


def extract(revision: str, folder: Path) -> None:
    """The files of a commit, always in one place and dated after their content, so that compiled kernels are found."""
    git_folder = BytesIO(git("archive", revision, "src", "tests/golden"))
    fresh = set()
    with tarfile.open(fileobj=git_folder) as archive:
        for member in archive:
            if member.isfile():
                content = archive.extractfile(member).read()  # type: ignore[union-attr]
                path = folder / member.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                date = 1_000_000_000 + int.from_bytes(hashlib.blake2b(content, digest_size=3).digest(), "big")
                os.utime(path, (date, date))
                fresh.add(path)
    for path in folder.rglob("*"):
        if path.is_file() and path not in fresh and (path.suffix == ".py" or "__pycache__" in path.parts):
            path.unlink()  # of the base before


# both --------------------------------------------------------------------------------------------------------------


def compare(revision: str, names: list[str]) -> int:
    KEPT.mkdir(parents=True, exist_ok=True)
    names = names or names_of_runs()
    with ThreadPoolExecutor(1) as beside:
        starting = beside.submit(started, HERE / "runs.py", None, ROOT / "src", names)
        base = base_results(revision, names)
        present = starting.result()
    differing = [name for name in names if not same(name, present[name], base[name])]
    print(f"{len(names) - len(differing)} of {len(names)} runs are the same as in {revision}")
    return len(differing)


def names_of_runs() -> list[str]:
    """The names of the runs, read without importing anything."""
    functions = [node for node in ast.parse((HERE / "runs.py").read_text()).body if isinstance(node, ast.FunctionDef)]
    return [f.name for f in functions if any(isinstance(d, ast.Name) and d.id == "run" for d in f.decorator_list)]


def same(name: str, present: dict[str, Any], base: dict[str, Any]) -> bool:
    """Whether a run tells the same; what differs is printed."""
    by = f" (by {base['by']})" if "by" in base else ""
    if "error" in present:
        print(f"{name}: FAILS now: {present['error']}")
        return False
    if "error" in base:
        print(f"{name}: not compared, fails in the base: {base['error']}")
        return True
    found = list(comparing.exact_differences(present["result"], base["result"]))
    print(f"{name}: {f'{len(found)} DIFFERENCES' if found else 'the same'}{by}")
    for line in found[:8]:
        print(f"    {line}")
    return not found


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", help="a commit; by default the last, or the one before if src is as committed")
    parser.add_argument("names", nargs="*", help="runs; all if none is named")
    for inside in ("--run", "--own", "--source", "--out"):  # of the processes that this one starts
        parser.add_argument(inside, type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.run:
        run_all(args.run, args.own, args.source.resolve(), args.names, args.out)
        return 0
    return compare(args.base or commit_before(), args.names)


if __name__ == "__main__":
    sys.exit(_main())
