"""Uploads: what is taken, and every way to be refused."""

import io
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.archive import MAX_FILES, MAX_UNPACKED, BundleError
from bots.bundle import LONG_AGO, MAX_MANIFEST, MAX_UPLOAD, USUAL_UPLOAD, read_bundle, remove_unpacked, unpack

BOT = b"from bots.sdk import play\nplay(lambda view, question: question.default())\n"


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def entry(name: str, *, mode: int = 0o100644, content: bytes = BOT, flags: int = 0) -> bytes:
    """A zip of one entry, with its mode and flags as given."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        archive.writestr(info, content)
    data = bytearray(buffer.getvalue())
    central = data.index(b"PK\x01\x02")
    data[central + 8 : central + 10] = struct.pack("<H", flags)
    return bytes(data)


def refusal(data: bytes, filename: str = "bot.zip") -> str:
    """The code with which `data` is refused; the sentence must be one for people."""
    with pytest.raises(BundleError) as caught:
        read_bundle(data, filename)
    assert len(caught.value.detail) > 20
    return caught.value.code


def test_one_python_file_is_a_bundle() -> None:
    bundle = read_bundle(BOT, "mine.py")
    assert bundle.files == {"bot.py": BOT}
    assert bundle.manifest.entry == "bot.py"


def test_a_zip_with_a_manifest_is_a_bundle() -> None:
    toml = b'language = "python"\nentry = "src/start.py"\nname = "Mitsui"\n'
    bundle = read_bundle(zipped({"bot.toml": toml, "src/start.py": BOT, "src/table.bin": b"\0\1"}), "mine.zip")
    assert (bundle.manifest.entry, bundle.manifest.name) == ("src/start.py", "Mitsui")
    assert set(bundle.files) == {"bot.toml", "src/start.py", "src/table.bin"}


def test_without_a_manifest_bot_py_is_run_and_else_main_py() -> None:
    assert read_bundle(zipped({"main.py": BOT, "bot.py": BOT}), "b.zip").manifest.entry == "bot.py"
    assert read_bundle(zipped({"main.py": BOT, "x/": b""}), "b.zip").manifest.entry == "main.py"


def test_a_bundle_is_addressed_by_its_bytes_alone() -> None:
    assert read_bundle(BOT, "a.py") == read_bundle(BOT, "b.py") == read_bundle(BOT)
    assert read_bundle(BOT).sha256 != read_bundle(BOT + b"\n").sha256


@pytest.mark.parametrize(
    ("code", "data", "filename"),
    [
        ("empty", b"", "bot.py"),
        ("empty", b" \n", "bot.py"),
        ("empty", zipped({}), "bot.zip"),
        ("empty", zipped({"bot.py": b""}), "bot.zip"),
        ("too_large", b"#" * (MAX_UPLOAD + 1), "bot.py"),
        ("wrong_kind", BOT, "bot.exe"),
        ("not_a_zip", BOT, "bot.zip"),
        ("not_a_zip", zipped({"bot.py": BOT})[:-30], "bot.zip"),
        ("not_python", zipped({"bot.py": BOT}), "bot.py"),
        ("not_python", b"\xff\xfe# no", "bot.py"),
        ("not_python", b"import os\0", "bot.py"),
        ("not_python", zipped({"bot.py": BOT, "more.py": b"\x80"}), "bot.zip"),
        ("too_large", zipped({"bot.py": BOT} | {f"{n}.txt": b"" for n in range(MAX_FILES)}), "bot.zip"),
        ("zip_bomb", zipped({"bot.py": BOT, "zeros": bytes(MAX_UNPACKED - 1000)}), "bot.zip"),
        ("no_entry", zipped({"robot.py": BOT}), "bot.zip"),
        ("no_entry", zipped({"mine/bot.py": BOT, "notes.txt": b""}), "bot.zip"),
        ("empty", zipped({"__MACOSX/._bot.py": b"\0", ".DS_Store": b"\0", "mine/": b""}), "bot.zip"),
        ("no_entry", zipped({"bot.toml": b'entry = "x.py"', "bot.py": BOT}), "bot.zip"),
        ("no_entry", zipped({"bot.toml": b'entry = "x.txt"', "x.txt": BOT}), "bot.zip"),
        ("bad_manifest", zipped({"bot.toml": b"entry = ", "bot.py": BOT}), "bot.zip"),
        ("bad_manifest", zipped({"bot.toml": b"\xff", "bot.py": BOT}), "bot.zip"),
        ("bad_manifest", zipped({"bot.toml": b"entry = 3", "bot.py": BOT}), "bot.zip"),
        ("bad_manifest", zipped({"bot.toml": b'color = "red"', "bot.py": BOT}), "bot.zip"),
        ("bad_manifest", zipped({"bot.toml": b'name = "' + b"x" * 41 + b'"', "bot.py": BOT}), "bot.zip"),
        ("bad_manifest", zipped({"bot.toml": b"a=" + b"[" * 2000, "bot.py": BOT}), "bot.zip"),
        ("bad_manifest", zipped({"bot.toml": b"#" * (MAX_MANIFEST + 1), "bot.py": BOT}), "bot.zip"),
        ("unknown_language", zipped({"bot.toml": b'language = "cobol"', "bot.py": BOT}), "bot.zip"),
        ("reserved_name", zipped({"bot.py": BOT, "engine/core.py": BOT}), "bot.zip"),
        ("reserved_name", zipped({"bot.py": BOT, "Bots.py": BOT}), "bot.zip"),
        ("duplicate_name", zipped({"bot.py": BOT, "BOT.py": BOT}), "bot.zip"),
        ("duplicate_name", zipped({"bot.py": BOT, "bot.py/x": BOT}), "bot.zip"),
    ],
)
def test_what_is_wrong_with_an_upload_has_a_code(code: str, data: bytes, filename: str) -> None:
    assert refusal(data, filename) == code


def test_a_zip_that_unpacks_to_more_than_the_limit_is_refused() -> None:
    data = zipped({"bot.py": BOT, "noise": os.urandom(1 << 20), "zeros": bytes(10 << 20)})
    assert len(read_bundle(data).files) == 3
    with pytest.raises(BundleError, match=r"11,.* bytes together; at most 10,485,760 are taken"):
        read_bundle(data, most=USUAL_UPLOAD)


@pytest.mark.parametrize(
    "name",
    [
        *("../bot.py", "a/../../bot.py", "/bot.py", "a/./bot.py", "a//bot.py", "././bot.py"),
        *("..\\bot.py", "a\\..\\..\\bot.py", "\\bot.py", "\\\\host\\bot.py", "a\\\\bot.py"),
        *("C:/bot.py", "C:\\bot.py", "a /bot.py", "b.py.", "x" * 201 + ".py"),
        *("tab\t.py", "rtl\u202e.py"),
    ],
)
def test_names_that_leave_the_bundle_or_mean_two_things_are_refused(name: str) -> None:
    assert refusal(zipped({"bot.py": BOT, name: BOT})) == "bad_name"
    assert refusal(zipped({name: BOT})) == "bad_name"


@pytest.mark.parametrize(("name", "other"), [("e\u0301.txt", "\u00e9.txt"), ("a\\b.py", "a/b.py"), ("./a.py", "a.py")])
def test_two_ways_to_write_one_name_are_one_name(name: str, other: str) -> None:
    assert refusal(zipped({"bot.py": BOT, name: BOT, other: BOT})) == "duplicate_name"


def test_a_name_cut_by_a_nul_is_refused() -> None:
    assert refusal(zipped({"bot.pyX": BOT}).replace(b"bot.pyX", b"bot.py\0")) == "bad_name"


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFDIR])
def test_links_and_special_entries_are_refused(kind: int) -> None:
    assert refusal(entry("bot.py", mode=kind | 0o777)) == "special_entry"


def test_a_folder_with_data_is_refused() -> None:
    assert refusal(entry("bot.py/", mode=0)) == "special_entry"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_stored_and_deflated_files_are_taken(method: int) -> None:
    assert refusal(zipped({"bot.py": BOT}, method)) == "special_entry"


def test_encrypted_files_are_refused() -> None:
    assert refusal(entry("bot.py", flags=1)) == "encrypted"


def test_a_name_given_twice_is_refused() -> None:
    assert refusal(zipped({"bot.py": BOT, "bot.pY": BOT}).replace(b"bot.pY", b"bot.py")) == "duplicate_name"


def test_a_header_with_another_name_is_refused() -> None:
    assert refusal(zipped({"bot.py": BOT}).replace(b"bot.py", b"not.py", 1)) == "damaged_zip"


def test_bytes_before_the_first_entry_are_refused() -> None:
    assert refusal(b"PK\x03\x04" + bytes(60) + zipped({"bot.py": BOT})) == "zip_bomb"


def test_a_damaged_file_is_refused() -> None:
    stored = zipped({"bot.py": BOT}, zipfile.ZIP_STORED)
    assert refusal(stored.replace(b"question.default", b"question.derault")) == "damaged_zip"


@pytest.mark.parametrize("claimed", [10, 10_000])
def test_a_size_that_lies_is_refused(claimed: int) -> None:
    data = bytearray(zipped({"bot.py": BOT * 20}))
    central = data.index(b"PK\x01\x02")
    data[central + 24 : central + 28] = struct.pack("<L", claimed)
    assert refusal(bytes(data)) == "zip_bomb"


def test_entries_that_share_their_bytes_are_refused() -> None:
    """The overlapping bomb: many entries of the directory, one block of data."""
    data = zipped({"bot.py": BOT, "big": os.urandom(2000)}, zipfile.ZIP_STORED)
    central, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    last = data.rindex(b"PK\x01\x02")
    directory = data[central:end] + data[last:end]
    tail = bytearray(data[end:])
    tail[8:12] = struct.pack("<HH", 3, 3)
    tail[12:16] = struct.pack("<L", len(directory))
    assert refusal(data[:central] + directory + bytes(tail)) == "zip_bomb"


def test_a_zip_in_a_zip_stays_packed() -> None:
    inner = zipped({"zeros": bytes(1 << 20)})
    assert read_bundle(zipped({"bot.py": BOT, "inner.zip": inner})).files["inner.zip"] == inner


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 600), st.integers(0, 255)), max_size=6), st.integers(0, 700))
def test_damage_anywhere_is_refused_or_harmless(changes: list[tuple[int, int]], keep: int) -> None:
    data = bytearray(zipped({"bot.py": BOT, "data/table.txt": b"0123456789" * 20}))
    for offset, value in changes:
        data[offset % len(data)] = value
    try:
        bundle = read_bundle(bytes(data[: max(keep, 4)] if keep < 300 else data), "bot.zip")
    except BundleError:
        return
    assert bundle.manifest.entry in bundle.files


def test_unpacking_makes_a_read_only_folder_named_by_the_hash(tmp_path: Path) -> None:
    bundle = read_bundle(zipped({"bot.py": BOT, "data/table.txt": b"1"}))
    home = unpack(bundle, tmp_path / "store")
    assert home.name == f"{bundle.sha256}.python"
    assert unpack(bundle, tmp_path / "store") == home
    modes = {path.relative_to(home).as_posix(): stat.S_IMODE(path.stat().st_mode) for path in home.rglob("*")}
    assert modes == {"bot.py": 0o444, "data": 0o555, "data/table.txt": 0o444}
    assert {path.stat().st_mtime for path in (home, *home.rglob("*"))} == {LONG_AGO}
    assert [path.name for path in home.parent.iterdir()] == [home.name]
    remove_unpacked(home)
    assert not list(home.parent.iterdir())


def test_a_bundle_unpacked_by_two_at_once_is_there_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = read_bundle(BOT)
    rename = Path.rename

    def other_first(fresh: Path, home: Path) -> Path:
        monkeypatch.setattr(Path, "rename", rename)
        unpack(bundle, tmp_path)
        return rename(fresh, home)

    monkeypatch.setattr(Path, "rename", other_first)
    home = unpack(bundle, tmp_path)
    assert list(tmp_path.iterdir()) == [home]
