"""Zips as macOS, Windows and other systems make them, and what is read of them."""

import io
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.archive import MAX_FILES, BundleError
from bots.archive_names import decoded_name, is_added, without_outer_folder
from bots.bundle import read_bundle
from bots.contents import bundle_fingerprint
from bots.contest import packed_folder
from tests.bots.test_bundle import BOT, zipped

TWIN = b"\0\x05\x16\x07\0\x02\0\0Mac OS X        " + bytes(100)
PLAIN = {"bot.py": BOT, "tables/worth.bin": b"\xff\0"}
FILES, UTF8 = 2, 0x800


def raw(files: dict[bytes, bytes], flags: int = 0) -> bytes:
    """A zip whose names are these bytes, marked by `flags`."""
    data = bytearray(
        zipped({f"{number:0{len(name)}d}": content for number, (name, content) in enumerate(files.items())})
    )
    for number, name in enumerate(files):
        stand_in = f"{number:0{len(name)}d}".encode()
        for header, before, mark in ((b"PK\x03\x04", 30, 6), (b"PK\x01\x02", 46, 8)):
            start = next(
                offset
                for offset in range(len(data))
                if data.startswith(header, offset) and data.startswith(stand_in, offset + before)
            )
            data[start + before : start + before + len(name)] = name
            struct.pack_into("<H", data, start + mark, flags)
    return bytes(data)


def finder_zip(files: dict[str, bytes]) -> bytes:
    """Return a zip as the Finder's Compress writes it: a twin of each file, sizes behind the data."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            folder, _, name = path.rpartition("/")
            archive.writestr(path, content)
            archive.writestr("/".join(filter(None, ("__MACOSX", folder, f"._{name}"))), TWIN)
    return pipe.getvalue()


ADDED = [
    *("__MACOSX/._bot.py", "__MACOSX/", "__macosx/bot.py", "._bot.py", "tables/._worth.bin", "._.DS_Store", "._x.java"),
    *(".DS_Store", "tables/.DS_Store", "Thumbs.db", "tables/thumbs.db", "THUMBS.DB", "ehthumbs.db", "desktop.ini"),
    *("Desktop.ini", "Icon\r", "tables/Icon\r", ".localized", ".AppleDouble/bot.py", "System Volume Information/x"),
]


@pytest.mark.parametrize("path", ADDED)
def test_what_a_system_added_by_itself_is_ignored(path: str) -> None:
    assert read_bundle(zipped({path: TWIN, **PLAIN}), "bot.zip").files == PLAIN
    inside = {f"mine/{name}": content for name, content in {path: TWIN, **PLAIN}.items()}
    assert read_bundle(zipped(inside), "bot.zip").files == PLAIN


@pytest.mark.parametrize("path", [".gitignore", "my._bot.py", "thumbs.db.py", "MACOSX/x.py", "icon.py", ".config"])
def test_what_an_author_put_there_is_not_ignored(path: str) -> None:
    assert path in read_bundle(zipped({path: b"1", **PLAIN}), "bot.zip").files


def test_what_was_added_counts_for_nothing() -> None:
    twins = {f"__MACOSX/._{number}": TWIN for number in range(MAX_FILES)}
    plain = {"bot.py": BOT, **{f"{number}.txt": b"" for number in range(MAX_FILES - 1)}}
    assert len(read_bundle(zipped({**twins, **plain}), "bot.zip").files) == MAX_FILES


ZIPS = {
    "by the Finder": finder_zip(PLAIN),
    "by the Finder, of the folder": finder_zip({f"My Bot/{path}": content for path, content in PLAIN.items()}),
    "with its folders": zipped({"tables/": b"", **PLAIN}),
    "of the folder": zipped({"bot/": b"", "bot/tables/": b"", **{f"bot/{path}": file for path, file in PLAIN.items()}}),
    "by GitHub": zipped({"bot-main/": b"", **{f"bot-main/{path}": content for path, content in PLAIN.items()}}),
    "of a folder in a folder": zipped({f"bot-main/bot-main/{path}": content for path, content in PLAIN.items()}),
    "with backslashes": zipped({path.replace("/", "\\"): content for path, content in PLAIN.items()}),
    "of the folder, with backslashes": zipped({f"bot\\{p}".replace("/", "\\"): file for p, file in PLAIN.items()}),
    "with folders by backslashes": zipped({"tables\\": b"", **PLAIN}),
    "by tar -a": zipped({"./": b"", "./tables/": b"", **{f"./{path}": content for path, content in PLAIN.items()}}),
    "of a folder of a reserved name": zipped({f"bots/{path}": content for path, content in PLAIN.items()}),
}


@pytest.mark.parametrize("made", ZIPS)
def test_however_it_was_packed_it_is_the_same_bot(made: str) -> None:
    bundle = read_bundle(ZIPS[made], "bot.zip")
    assert bundle.files == PLAIN
    assert bundle_fingerprint(bundle) == bundle_fingerprint(read_bundle(zipped(PLAIN), "bot.zip"))


def test_a_folder_that_is_not_around_everything_stays() -> None:
    for files in (
        {"bot.py": BOT, "mine/more.py": BOT},
        {"a/b.txt": b"", "c/bot.py": BOT, "bot.toml": b'entry="c/bot.py"'},
    ):
        assert read_bundle(zipped(files), "bot.zip").files == files


def test_the_manifest_of_the_outer_folder_is_read() -> None:
    toml = b'entry = ".\\\\src\\\\bot.py"'.replace(b'"', b"'")
    bundle = read_bundle(zipped({"mine/bot.toml": toml.replace(b"\\\\", b"\\"), "mine/src/bot.py": BOT}), "bot.zip")
    assert bundle.manifest.entry == "src/bot.py"


NAMES = {
    "in the code page of old PCs": ("größe.txt".encode("cp850"), 0, "größe.txt"),
    "in UTF-8 without its mark": ("größe.txt".encode(), 0, "größe.txt"),
    "marked as UTF-8, and not in it": ("größe.txt".encode("cp1252"), UTF8, None),
    "in Cyrillic": ("Моя.txt".encode("cp1251"), 0, None),
    "in Japanese, with a backslash in a letter": ("表.txt".encode("shift-jis"), 0, None),
    "decomposed": (b"gro\xcc\x88\xc3\x9fe.txt", UTF8, "größe.txt"),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_any_encoding_keeps_no_bot_out(name: str) -> None:
    written, flags, meant = NAMES[name]
    files = read_bundle(raw({written: b"1", b"bot.py": BOT}, flags), "bot.zip").files
    assert files["bot.py"] == BOT
    assert len(files) == FILES
    assert meant is None or files[meant] == b"1"


FAR_EAST = {
    "a folder whose name ends by a backslash": ("資料表/a.txt", "cp932"),
    "a file whose name ends by one": ("資料表", "cp932"),
    "a file with a space behind one": ("表 1.txt", "cp932"),
    "a file in Big5": ("成功", "big5"),
    "a folder in Big5": ("成功/許功蓋.txt", "big5"),
    "a half-wide letter before it": ("\N{HALFWIDTH KATAKANA LETTER A}表/a.txt", "cp932"),
}


@pytest.mark.parametrize("kind", FAR_EAST)
def test_half_of_a_character_separates_no_folders(kind: str) -> None:
    path, encoding = FAR_EAST[kind]
    name = path.encode(encoding)
    files = read_bundle(raw({b"bot.py": BOT, name: b"1"}), "bot.zip").files
    assert [*files.values()] == [BOT, b"1"]
    (other,) = files.keys() - {"bot.py"}
    assert other.count("/") == path.count("/")


@pytest.mark.parametrize("folder", ["資料表", "表", "ソース"])
def test_a_folder_around_everything_may_be_called_in_japanese(folder: str) -> None:
    name = folder.encode("cp932")
    for separator in (b"/", b"\\"):
        around = raw({name + separator + b"bot.py": BOT, name + separator + b"a.txt": b"1"})
        assert read_bundle(around, "bot.zip").files == {"bot.py": BOT, "a.txt": b"1"}


def test_a_folder_of_windows_may_end_in_an_umlaut() -> None:
    files = {"Menü\\bot.py".encode("cp850"): BOT, "Menü\\x\\a.txt".encode("cp850"): b"1", "Menü\\".encode("cp850"): b""}
    assert read_bundle(raw(files), "bot.zip").files == {"bot.py": BOT, "x/a.txt": b"1"}


@pytest.mark.parametrize(
    ("first", "second"),
    [(b"\x95\x01.txt", b"\x95\x02.txt"), ("Д.txt".encode("cp866"), "О.txt".encode("cp866")), (b"\xe1", b"\xff")],
)
def test_two_names_that_only_look_alike_are_two(first: bytes, second: bytes) -> None:
    files = read_bundle(raw({b"bot.py": BOT, first: b"1", second: b"2"}), "bot.zip").files
    assert [*files.values()] == [BOT, b"1", b"2"]


def test_an_entry_whose_name_is_in_no_known_encoding_is_not_found_under_it() -> None:
    files = {"größe.py".encode("cp1252"): BOT, b"bot.toml": 'entry = "größe.py"'.encode()}
    with pytest.raises(
        BundleError, match=r"correct the entry in bot.toml: 'größe.py' is not in the zip, which has 'gr"
    ):
        read_bundle(raw(files), "bot.zip")


@given(st.binary(max_size=60))
def test_any_name_is_decoded(name: bytes) -> None:
    assert "\\" not in decoded_name(name)


@given(st.dictionaries(st.text("ab/", min_size=1, max_size=6), st.just(b""), max_size=4))
def test_the_outer_folder_is_the_only_thing_that_paths_lose(files: dict[str, bytes]) -> None:
    inner = without_outer_folder(files)
    assert len(inner) == len(files)
    assert all(path.endswith(short) for path, short in zip(files, inner, strict=True))
    assert without_outer_folder(inner) == inner


def test_a_folder_at_home_is_what_its_zip_would_be(tmp_path: Path) -> None:
    for path in ("bot.py", "Thumbs.db", ".DS_Store", "desktop.ini", "größe.txt"):
        (tmp_path / path).write_bytes(BOT)
    (tmp_path / "gr\udcf6sse.txt").write_bytes(b"1")  # in Latin-1
    bundle = read_bundle(packed_folder(tmp_path))
    assert {"bot.py", "größe.txt"} < set(bundle.files)
    assert not any(map(is_added, bundle.files))
    assert len(bundle.files) == FILES + 1
