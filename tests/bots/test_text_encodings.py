"""Texts of an upload as editors save them: `bot.toml` is read in each encoding, a source in UTF-8."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.bundle import read_bundle
from bots.text_encodings import decoded
from tests.bots.test_bundle import BOT, zipped
from tests.bots.test_bundle_bounds import detail

TOML = 'name = "Größe"\nentry = "start.py"\n'
SAVED = {
    "by Notepad": TOML.encode("utf-8-sig"),
    "by Notepad as Unicode": TOML.encode("utf-16"),
    "in UTF-16 from a Mac": codecs.BOM_UTF16_BE + TOML.encode("utf-16-be"),
    "in UTF-16 without a mark": TOML.encode("utf-16-le"),
    "in UTF-16, big end first, without a mark": TOML.encode("utf-16-be"),
    "in UTF-32": TOML.encode("utf-32"),
    "with Windows line ends": TOML.replace("\n", "\r\n").encode(),
    "with a mark and Windows line ends": TOML.replace("\n", "\r\n").encode("utf-8-sig"),
    "by PowerShell": TOML.replace("\n", "\r\n").encode("utf-16"),
    "with the line ends of old Macs": TOML.replace("\n", "\r").encode(),
}


@pytest.mark.parametrize("saved", SAVED)
def test_a_manifest_is_read_however_it_was_saved(saved: str) -> None:
    manifest = read_bundle(zipped({"start.py": BOT, "bot.toml": SAVED[saved]}), "bot.zip").manifest
    assert (manifest.name, manifest.entry) == ("Größe", "start.py")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (TOML.encode("latin-1"), "save bot.toml as UTF-8: its byte 10 is not UTF-8"),
        (codecs.BOM_UTF16_LE + b"a", "save bot.toml as UTF-8: its byte 2 is not UTF-16"),
        ("entry = “bot.py”".encode(), 'write bot.toml as TOML, such as entry = "bot.py": Invalid value (at line 1'),
        (b"entry = bot.py", 'write bot.toml as TOML, such as entry = "bot.py": Invalid value (at line 1'),
        (b"entry = 3", "correct bot.toml: bot.toml.entry must be a text, not 3"),
        (b'{"entry": "bot.py"}', "write bot.toml as TOML"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_refused_by_its_real_reason(content: bytes, words: str) -> None:
    assert words in detail(zipped({"bot.py": BOT, "bot.toml": content}))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("begin", ["名", "\u0100", "Ж = 1\n"])
def test_utf16_without_its_mark_is_known_whatever_it_begins_with(encoding: str, begin: str) -> None:
    text = f"{begin} # 日本語の名前日本語の名前日本語の名前\n{TOML}"
    assert decoded(text.encode(encoding)) == text
    assert "Invalid statement (at line 1" in detail(zipped({"bot.py": BOT, "bot.toml": text.encode(encoding)}))
    assert detail(text.encode(encoding), "my.py") == f"save 'my.py' as UTF-8: it begins as {encoding.upper()} does"


def test_a_nul_byte_makes_no_utf16_of_a_source() -> None:
    assert "has a NUL byte at" in detail(BOT + b"#\0", "my.py")


@given(st.text().filter(lambda text: not text.startswith("\0")))  # UTF-16's mark and a NUL are UTF-32's mark
def test_a_text_is_decoded_to_what_was_saved(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        assert decoded(text.encode(encoding, "replace")) == plain.encode("utf-8", "replace").decode()


@pytest.mark.parametrize("filename", ["bot.py", "bot.js", "Bot.java", "bot.c", "bot.rs", "bot.go"])
def test_a_source_with_the_mark_of_utf8_is_read_without_it(filename: str) -> None:
    source = "class Bot {}\r\n"
    (content,) = read_bundle(source.encode("utf-8-sig"), filename).files.values()
    assert content == source.encode()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (BOT.decode().encode("utf-16"), "it begins as UTF-16 does"),
        (BOT.decode().encode("utf-16-le"), "it begins as UTF-16-LE does"),
        (BOT.decode().encode("utf-32"), "it begins as UTF-32 does"),
        (BOT + "# größer".encode("latin-1"), "byte 78, in line 3, does not fit"),
        (b"# coding: latin-1\n# gr\xf6\xdfer", "byte 22, in line 2, does not fit"),
    ],
)
def test_a_source_that_is_not_utf8_is_refused_by_its_real_reason(content: bytes, reason: str) -> None:
    assert detail(content, "my.py") == f"save 'my.py' as UTF-8: {reason}"
    assert detail(zipped({"bot.py": BOT, "more.py": content})) == f"save 'more.py' as UTF-8: {reason}"
