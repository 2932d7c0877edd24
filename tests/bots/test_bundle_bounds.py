"""The bounds of an upload, to the byte, and what its author is told."""

import shutil
import stat
from pathlib import Path

import pytest

from bots.archive import BundleError
from bots.bundle import place, read_bundle, remove_unpacked, unpack
from tests.bots.test_bundle import BOT, zipped


def detail(data: bytes, filename: str = "bot.zip") -> str:
    with pytest.raises(BundleError) as refused:
        read_bundle(data, filename)
    return refused.value.detail


def with_manifest(toml: bytes) -> bytes:
    return zipped({"bot.py": BOT, "bot.toml": toml})


@pytest.mark.parametrize("most", [5 << 20, 20 << 20])
def test_an_upload_has_at_most_what_its_ladder_takes(most: int) -> None:
    assert len(read_bundle(b"#" * most, "bot.py", most).files["bot.py"]) == most
    with pytest.raises(BundleError, match=f"the upload has {most + 1:,} bytes; at most {most:,} are taken"):
        read_bundle(b"#" * (most + 1), "bot.py", most)
    assert detail(b"#" * ((20 << 20) + 1), "bot.py") == "the upload has 20,971,521 bytes; at most 20,971,520 are taken"


def test_a_manifest_has_at_most_four_kibibytes() -> None:
    assert read_bundle(with_manifest(b"#" * 4096)).manifest.entry == "bot.py"
    assert detail(with_manifest(b"#" * 4097)) == "shorten bot.toml: it has 4,097 bytes; at most 4,096 are read"


def test_a_name_has_at_most_forty_visible_characters_without_space_around_them() -> None:
    assert read_bundle(with_manifest(b'name = "' + b"x" * 40 + b'"')).manifest.name == "x" * 40
    for name in (b"x" * 41, b" x", b"x ", b"x\\ty"):
        assert "at most 40 visible characters" in detail(with_manifest(b'name = "' + name + b'"'))


def test_a_path_has_at_most_two_hundred_characters() -> None:
    assert "x" * 200 in read_bundle(zipped({"bot.py": BOT, "x" * 200: b""})).files
    assert detail(zipped({"bot.py": BOT, "x" * 201: b""})).endswith("is longer than 200 characters")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("tab\t.py", "has control or invisible characters"),
        ("C:b.py", "has a colon, which Windows takes for a drive"),
        ("/bot.py", "leads out of the bundle"),
        ("a/../bot.py", "leads out of the bundle"),
        ("a/./bot.py", "has an empty part"),
        ("a//bot.py", "has an empty part"),
        ("a /bot.py", "has an empty part"),
        ("a./bot.py", "has an empty part"),
    ],
)
def test_what_is_wrong_with_a_path_is_said(path: str, reason: str) -> None:
    assert reason in detail(zipped({path: BOT}))


def test_of_a_long_bad_path_the_beginning_is_quoted() -> None:
    assert f"rename a file: '{'x' * 118}\N{HORIZONTAL ELLIPSIS} has a colon" in detail(zipped({"x" * 150 + ":": BOT}))


@pytest.mark.parametrize("folders", ["tools", "tools/deep", "Tools/deep/deeper"])
def test_a_file_is_not_a_folder_too_at_any_depth(folders: str) -> None:
    clash = zipped({"bot.py": BOT, folders: b"1", f"{folders.lower()}/one/two.txt": b"2"})
    assert detail(clash).startswith(f"rename one: '{folders}' is a file, yet ")


def test_what_is_not_what_its_ending_says_is_named() -> None:
    assert detail(zipped({"bot.py": BOT}), "bot.py") == "name it .zip: 'bot.py' is a zip file"
    assert detail(b"\x7fELF", "bot.py") == "send its source: 'bot.py' is a program"
    assert "has a NUL byte at 4" in detail(b"1234\0", "bot.py")
    assert detail(with_manifest(b'language = "c"\nentry = "bot.py"')).endswith("by its ending it is Python")
    kinds = {
        b"7z\xbc\xaf": "a 7-Zip archive",
        b"Rar!": "a RAR archive",
        b"\x1f\x8b": "packed by gzip",
        b"": "something else",
    }
    for beginning, kind in kinds.items():
        assert detail(beginning + b"...", "bot.zip") == f"make it a .zip: 'bot.zip' is {kind}"


def test_a_missing_entry_is_explained_by_what_is_there() -> None:
    assert detail(with_manifest(b'entry = "x.py"')) == (
        "correct the entry in bot.toml: 'x.py' is not in the zip, which has 'bot.py', 'bot.toml'"
    )
    write, call = 'write entry = "{}" into bot.toml at the top of the zip', "or call the file to run bot.py"
    cases = {
        "robot.py": ["robot.py"],
        "mine/bot.py": ["notes.txt", "mine/more.py", "mine/bot.py"],
        "FILE": ["notes.txt"],
    }
    for entry, files in cases.items():
        listed = ", ".join(map(repr, files))
        assert detail(zipped(dict.fromkeys(files, BOT))) == f"{write.format(entry)}, {call}: the zip has {listed}"
    bundle = zipped({f"{number}.txt": b"" for number in range(27)})
    assert detail(bundle).endswith("the zip has '0.txt', '1.txt', '2.txt', '3.txt', '4.txt' and 22 more")


def test_a_bundle_knows_its_language() -> None:
    assert read_bundle(b"1", "bot.js").language.name == "javascript"


def test_bundles_are_unpacked_into_a_store_that_is_made_for_them(tmp_path: Path) -> None:
    store = tmp_path / "not" / "there"
    deep = unpack(read_bundle(zipped({"bot.py": BOT, "a/b/c.txt": b"1", "a/b/d.txt": b"2"})), store)
    assert (deep / "a/b/d.txt").read_bytes() == b"2"
    other = unpack(read_bundle(BOT), store)
    assert set(store.iterdir()) == {deep, other}


def test_a_folder_that_cannot_be_moved_into_place_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"")
    with pytest.raises(NotADirectoryError):
        place({"bot.py": BOT}, tmp_path / "taken")


def test_folders_are_opened_to_their_owner_before_they_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, remove = unpack(read_bundle(zipped({"bot.py": BOT, "a/b.txt": b""})), tmp_path), shutil.rmtree
    modes: set[int] = set()

    def seen(folder: Path) -> None:
        modes.update(stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "a"))
        remove(folder)

    monkeypatch.setattr(shutil, "rmtree", seen)  # root would get at them anyway
    remove_unpacked(home)
    assert (modes, home.exists()) == ({0o700}, False)
