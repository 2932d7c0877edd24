"""Uploads made to exhaust who reads them: bounded in time and memory, and nothing of them is written anywhere."""

import io
import os
import resource
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.archive import MAX_UNPACKED, BundleError
from bots.bundle import MAX_UPLOAD, read_bundle

BOT = b"from bots.sdk import play\nplay(lambda view, question: question.default())\n"
MOST_MEMORY = 64 << 20  # bytes more than before
MOST_CPU = 1.5  # seconds


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, level: int = 9) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method, compresslevel=level) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def a_bomb() -> bytes:
    """Half a gigabyte of nothing in half a megabyte."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("bot.py", "w") as file:
        for _ in range(512):
            file.write(bytes(1 << 20))
    return buffer.getvalue()


def a_bomb_that_lies() -> bytes:
    """The same, and its directory says that it is small."""
    data = bytearray(a_bomb())
    offset = data.rindex(b"PK\x01\x02")
    data[offset + 24 : offset + 28] = struct.pack("<L", 4096)
    return bytes(data)


def bombs_in_bombs() -> bytes:
    data = BOT
    for _ in range(8):
        data = zipped({"bot.py": BOT, "inner.zip": data})
    return data


def many_entries() -> bytes:
    """Return a zip with as many names as an upload holds, all of one empty file."""
    directory, number = io.BytesIO(), 0
    head = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 0, 0, 0, 0, 0, 0, 1, 0) + b"a"
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    while directory.tell() + len(entry) < MAX_UPLOAD - 100:
        directory.write(entry)
        number += 1
    size = directory.tell()
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, number & 0xFFFF, number & 0xFFFF, size, len(head), 0)
    return head + directory.getvalue() + end


def a_long_comment() -> bytes:
    data = zipped({"bot.py": BOT})
    return data[:-2] + struct.pack("<H", 65_535) + b"PK\x05\x06" * 16_383 + b"xyz"


def as_large_as_is_taken() -> bytes:
    """An honest one, at both limits."""
    noise = os.urandom(MAX_UPLOAD - 200_000)
    return zipped({"bot.py": BOT, "noise": noise, "zeros": bytes(MAX_UNPACKED - len(noise) - 10_000)})


def a_manifest_of_brackets() -> bytes:
    return zipped({"bot.py": BOT, "bot.toml": b"a = " + b"[" * 4000})


def one_endless_line() -> bytes:
    return b"x = " + b"(" * (MAX_UPLOAD - 10)


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a bomb": (a_bomb, "too_large"),
    "a bomb that lies": (a_bomb_that_lies, "zip_bomb"),
    "bombs in bombs": (bombs_in_bombs, ""),
    "entries without end": (many_entries, "too_large"),
    "a comment full of ends": (a_long_comment, "not_a_zip"),
    "as large as is taken": (as_large_as_is_taken, ""),
    "a manifest of brackets": (a_manifest_of_brackets, "bad_manifest"),
    "one endless line": (one_endless_line, ""),
    "a stream that never ends": (lambda: b"PK\x03\x04" + zlib.compress(bytes(1 << 20)) * 9, "not_a_zip"),
}

# Run in a process of its own, so that the most memory it ever held is that of this upload.
MEASURE = """
import resource, sys, time
from bots.archive import BundleError
from bots.bundle import read_bundle
data = open(sys.argv[1], "rb").read()
before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
try:
    read_bundle(data, sys.argv[2])
    code = ""
except BundleError as error:
    code = error.code
spent = time.process_time() - begun
print(code or "-", spent, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.mark.parametrize("name", HOSTILE)
def test_no_upload_costs_more_than_its_bounds(name: str, tmp_path: Path) -> None:
    make, code = HOSTILE[name]
    upload = tmp_path / "upload"
    upload.write_bytes(make())
    assert upload.stat().st_size <= MAX_UPLOAD
    result = subprocess.run(
        [sys.executable, "-c", MEASURE, str(upload), "bot.py" if name == "one endless line" else "bot.zip"],
        capture_output=True, text=True, check=True, timeout=60, cwd=Path(__file__).parents[2],
    ).stdout.split()  # fmt: skip
    assert result[0] == (code or "-")
    assert float(result[1]) < MOST_CPU
    assert int(result[2]) < MOST_MEMORY


def test_reading_an_upload_writes_nothing_anywhere() -> None:
    """The site reads all the same where no file of any size is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    data = zipped({"bot.py": BOT, "deep/er/file.txt": os.urandom(100_000)})
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        assert read_bundle(data, "bot.zip").files["bot.py"] == BOT
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_the_site_has_no_code_that_unpacks_to_disk() -> None:
    """Workers alone call `unpack` and `place`."""
    site = Path(__file__).parents[2] / "tournaments"
    for path in site.rglob("*.py"):
        text = path.read_text()
        assert "extractall" not in text
        assert "bundle import unpack" not in text
        assert "bundle import place" not in text


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_a_zip_cut_anywhere_is_refused(cut: int) -> None:
    data = zipped({"bot.py": BOT, "more.txt": b"0123456789" * 50})
    with pytest.raises(BundleError):
        read_bundle(data[: max(1, len(data) - 1 - cut)], "bot.zip")
