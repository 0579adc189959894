"""Files that are small and unpack to more than a machine has: refused at the limit, not at the end of the memory."""

import gzip
import io
import resource
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from foldless.errors import BadInput
from foldless.io import read_table
from foldless.io._sources import check_archive
from foldless.saving import load

BOMB = 2**26


@pytest.fixture(autouse=True)
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDLESS_MOST_UNPACKED", str(2**22))


def zstd(content: bytes) -> bytes:
    target = pa.BufferOutputStream()
    with pa.CompressedOutputStream(target, "zstd") as file:
        file.write(content)
    return target.getvalue().to_pybytes()


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("zst", zstd)])
def test_a_table_that_unpacks_to_too_much(tmp_path: Path, ending: str, pack) -> None:
    path = tmp_path / f"a.csv.{ending}"
    path.write_bytes(pack(b"x,y\n" + b"1,2\n" * (BOMB // 4)))
    with pytest.raises(BadInput, match=r"more than 4,194,304 bytes when it is unpacked.*FOLDLESS_MOST_UNPACKED"):
        read_table(path)
    path.write_bytes(pack(b"x,y\n1,2\n"))
    assert read_table(path).frame.shape == (1, 2)


def test_a_model_that_unpacks_to_too_much(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("foldless.json", "{}")
        with archive.open("0.npy", "w", force_zip64=True) as member:
            for _ in range(64):
                member.write(bytes(2**20))
    (tmp_path / "m.skops").write_bytes(buffer.getvalue())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadInput, match=r"m.skops has more than 4,194,304 bytes when it is unpacked"):
        load(tmp_path / "m.skops")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**14  # kilobytes


def test_a_model_that_unpacks_to_many_times_its_size_is_refused_until_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FOLDLESS_MOST_UNPACKED", raising=False)
    monkeypatch.setattr("foldless.io._sources.LEAST_UNPACKED", 1000)
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(10**6))
    with zipfile.ZipFile(path) as archive:
        with pytest.raises(BadInput, match=r"would unpack from [\d,]+ to 1,000,000 bytes.*set FOLDLESS_MOST_UNPACKED"):
            check_archive(archive, "m.skops")
        monkeypatch.setenv("FOLDLESS_MOST_UNPACKED", str(10**7))
        check_archive(archive, "m.skops")
