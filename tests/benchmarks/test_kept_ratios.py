"""A ratio that lost more than a fifth is said; others and new ones are not."""

from pathlib import Path

from benchmarks.speed.kept_ratios import keep, kept, lost


def test_what_lost_a_fifth_is_named(tmp_path: Path) -> None:
    record = tmp_path / "speed" / "ratios.json"
    assert lost({"a": 0.1}, record) == []
    keep({"b": 10.004, "a": 2.0}, record)
    assert kept(record) == {"a": 2.0, "b": 10.0}
    assert lost({"a": 1.61, "b": 8.1, "new": 0.1}, record) == []
    assert lost({"a": 1.59, "b": 20.0}, record) == ["a: 1.59 times as fast as its peer, 2.0 before"]
    keep({"a": 1.5}, record)
    assert kept(record) == {"a": 1.5, "b": 10.0}
