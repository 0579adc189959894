"""Runs the commands of `measurements` and keeps what they print and write, one after the other.

A run writes below ``build/measurements``, in a folder of its name and of the digest of the code that it measures. Where
it ends well, its files go to ``results/NAME``: ``printed.txt``, what the command itself has written, and ``meta.json``.
A run that is stopped leaves the results as they were, and the next one goes on where its files of lines end.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from benchmarks import ages
from benchmarks.measurements import MEASUREMENTS, QUIET, Measurement
from benchmarks.measuring import commit, recorded
from benchmarks.places import RESULTS, ROOT

UNDER_WAY = ROOT / "build" / "measurements"


def run(named: Sequence[str], minutes: int | None = None) -> list[str]:
    """Measure again what is named, or all that is older than the code; a sentence for each that failed."""
    failed = []
    if not named:
        print("\n".join(plan(ages.to_measure(), minutes)))
    for name in named or [name for name in ages.to_measure() if _why_not(name, minutes) is None]:
        print(f"\n{name}: python -m {MEASUREMENTS[name].command}", flush=True)
        try:
            measure(name)
        except subprocess.CalledProcessError as error:
            failed.append(f"{name} failed with status {error.returncode}; its results are as they were")
        except KeyboardInterrupt:
            return [*failed, f"stopped in {name}; what was finished is kept, and the next run goes on"]
    return failed


def plan(names: Iterable[str], minutes: int | None = None) -> Iterator[str]:
    """What would be measured, and what is left out and why."""
    for name in names:
        why = _why_not(name, minutes)
        yield f"{name}, about {MEASUREMENTS[name].minutes} min" + (f": left out, {why}" if why else "")


def measure(name: str) -> None:
    """Run one command, put what it printed and wrote into its folder of results, and note of which code it is."""
    measurement = MEASUREMENTS[name]
    of, code, kept = commit(), ages.digest(measurement.measures), RESULTS / name
    if measurement.records:
        subprocess.run(next(_commands(measurement.command, kept)), cwd=ROOT, check=True)
    else:
        folder = UNDER_WAY / f"{name}-{code}"
        folder.mkdir(parents=True, exist_ok=True)
        shown = measurement.command.replace("FOLDER", kept.relative_to(ROOT).as_posix())
        typed, printed = f"python -m {shown}".replace("&& ", "&& python -m "), folder / "printed.txt"
        with recorded(folder, typed), printed.open("w", encoding="utf-8") as lines:
            for command in _commands(measurement.command, folder):
                _print(command, lines, measurement)
        kept.mkdir(parents=True, exist_ok=True)
        for file in sorted(folder.iterdir()):
            file.replace(kept / file.name)
        folder.rmdir()
    ages.note(name, of, code)


def _why_not(name: str, minutes: int | None) -> str | None:
    """Why a measurement is only run if it is named."""
    measurement = MEASUREMENTS[name]
    if measurement.needs:
        return f"it needs {measurement.needs}"
    return f"more than {minutes} minutes" if minutes is not None and measurement.minutes > minutes else None


def _commands(joined: str, folder: Path) -> Iterator[list[str]]:
    for command in joined.split(" && "):
        yield [sys.executable, "-m", *(word.replace("FOLDER", str(folder)) for word in command.split())]


def _print(command: Sequence[str], file: TextIO, measurement: Measurement) -> None:
    """What a command prints, on the screen and in a file; threads are not limited where times are compared."""
    limits = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS") if measurement.needs == QUIET else ()
    kept = {name: value for name, value in os.environ.items() if name not in limits}
    with subprocess.Popen(command, cwd=ROOT, env=kept, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        try:
            for line in process.stdout or ():
                print(line, end="", flush=True)
                file.write(line)
        except KeyboardInterrupt:
            process.terminate()
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
