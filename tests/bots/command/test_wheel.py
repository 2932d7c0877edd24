"""The wheel: what is in it, and that the same sources make the same bytes."""

import base64
import csv
import io
import os
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from packaging.metadata import Metadata

from bots.command.wheel import PACKAGES, ROOT, main, wheel


@pytest.fixture(scope="module")
def archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(wheel().content))


def test_it_holds_the_games_the_bots_and_the_command_and_nothing_of_the_site(archive: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in archive.namelist()}
    assert tops == {*PACKAGES, "boardroom_kit-0.2.0.dist-info"}
    sources = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix in (".py", ".c", ".js", ".css", ".svg")
    }
    assert sources <= set(archive.namelist())
    assert not [name for name in archive.namelist() if "__pycache__" in name or name.endswith(".pyc")]


def test_every_file_is_in_the_record_with_its_hash(archive: zipfile.ZipFile) -> None:
    rows = list(csv.reader(archive.read("boardroom_kit-0.2.0.dist-info/RECORD").decode().splitlines()))
    assert {row[0] for row in rows} == set(archive.namelist())
    for name, digest, size in rows[:-1]:
        content = archive.read(name)
        expected = base64.urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={expected}", len(content)), name


def test_its_metadata_are_read_by_what_installs_it(archive: zipfile.ZipFile) -> None:
    metadata = Metadata.from_email(archive.read("boardroom_kit-0.2.0.dist-info/METADATA"))
    assert (metadata.name, str(metadata.version), str(metadata.requires_python)) == ("boardroom-kit", "0.2.0", ">=3.11")
    assert {needed.name for needed in metadata.requires_dist or () if not needed.marker} == {"click", "rich"}
    assert metadata.license_files == ["LICENSE"]
    assert archive.read("boardroom_kit-0.2.0.dist-info/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    scripts = archive.read("boardroom_kit-0.2.0.dist-info/entry_points.txt").decode()
    assert scripts == "[console_scripts]\nboardroom = bots.command.__main__:main\n"


def test_the_same_sources_elsewhere_and_at_another_time_make_the_same_bytes(tmp_path: Path) -> None:
    for name in (*PACKAGES, "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("pictures"))
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    (tmp_path / "bots" / "__pycache__").mkdir(exist_ok=True)
    (tmp_path / "bots" / "__pycache__" / "late.pyc").write_bytes(b"of one machine")
    (tmp_path / "bots" / "sdk.py").chmod(0o700)
    os.utime(tmp_path / "bots" / "sdk.py", (1, 1))
    assert wheel(tmp_path).content == wheel().content
    (tmp_path / "bots" / "sdk.py").write_text("# another\n")
    wheel.cache_clear()
    assert wheel(tmp_path).sha256 != wheel().sha256


def test_it_is_written_where_one_says_or_a_sentence_says_why_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 0
    assert (tmp_path / wheel().name).read_bytes() == wheel().content
    assert main([str(tmp_path / "none")]) == 2
    assert "[cannot_write]" in capsys.readouterr().err


def test_a_bot_of_the_wheel_plays_without_what_the_command_is_made_with(tmp_path: Path) -> None:
    """Straight from the file, by an interpreter that sees no package but it."""
    main([str(tmp_path)])
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / wheel().name)!r}); import bots.sdk, bots.imagine; "
        "import engine.games; print(*sys.modules); print(*engine.games.GAMES, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert not {"click", "rich", "django", "bots.command"} & set(done.stdout.split())
    assert "zaibatsu" in done.stderr
