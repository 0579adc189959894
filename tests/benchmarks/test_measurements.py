"""Each measurement is a command of benchmarks/README.md, and a page shows what it measures."""

from benchmarks import figures
from benchmarks.measurements import MEASUREMENTS
from benchmarks.places import ROOT

IN_PROSE = {"larger_than_memory", "many_classes", "optuna_race", "overhead", "speed", "stream_memory"}


def test_commands_are_those_of_the_readme():
    text = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    modules = {measurement.command.split()[0] for measurement in MEASUREMENTS.values()}
    assert [module for module in sorted(modules) if f"python -m {module}" not in text] == []


def test_two_measurements_are_not_the_same():
    commands = [measurement.command for measurement in MEASUREMENTS.values()]
    assert len(set(commands)) == len(commands)


def test_papers_alone_write_their_own_records():
    papers = {name for name, measurement in MEASUREMENTS.items() if measurement.records}
    assert papers == {name for name, m in MEASUREMENTS.items() if m.command.startswith("benchmarks.papers.")}


def test_markers_name_measurements():
    text = "\n".join(page.read_text(encoding="utf-8") for page in figures.pages())
    printed = {name for at in figures.PRINTED.finditer(text) for name in at["names"].split()}
    files = {name for at in figures.NUMBERED.finditer(text) for name in at["files"].split()}
    shown = printed | {file.partition("/")[0] for file in files} | set(figures.FOLDERS.values())
    assert shown <= set(MEASUREMENTS)
    assert set(MEASUREMENTS) - shown - {f"{name}_short" for name in shown} <= IN_PROSE
