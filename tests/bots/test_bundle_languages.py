"""What language an upload is in: told by the file's ending, by its first bytes, or by bot.toml."""

import struct
from pathlib import Path
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.archive import BundleError
from bots.bundle import read_bundle, unpack
from bots.languages import ALL, LANGUAGES
from tests.bots.test_bundle import BOT, refusal, zipped

PROGRAM = LANGUAGES["static"].trial
SOURCE = b"int main(void) { return 0; }\n"


@pytest.mark.parametrize(
    ("filename", "language"),
    [
        *(("mine.py", "python"), ("mine.js", "javascript"), ("mine.mjs", "javascript"), ("MINE.CJS", "javascript")),
        *(
            ("mine.c", "c"),
            ("mine.cpp", "c++"),
            ("mine.cc", "c++"),
            ("mine.cxx", "c++"),
            ("mine.rs", "rust"),
            ("mine.go", "go"),
            ("Mine.java", "java"),
        ),
    ],
)
def test_of_a_single_text_the_ending_tells(filename: str, language: str) -> None:
    bundle = read_bundle(SOURCE, filename)
    assert (bundle.manifest.language, bundle.need, bundle.folder) == (language, language, f"{bundle.sha256}.{language}")


@pytest.mark.parametrize("filename", ["", "bot", "mine.bin", "mine"])
def test_a_program_is_told_by_its_first_bytes(filename: str) -> None:
    bundle = read_bundle(PROGRAM, filename)
    assert (bundle.manifest.language, bundle.manifest.entry) == ("static", "bot")
    assert bundle.need == LANGUAGES["static"].offer()


@pytest.mark.parametrize("entry", [entry for language in ALL if language.endings for entry in language.entries()])
def test_in_a_zip_the_usual_names_tell(entry: str) -> None:
    manifest = read_bundle(zipped({entry: SOURCE, "data.txt": b"1"}), "mine.zip", at_home=True).manifest
    assert manifest.entry == entry
    assert any(entry.endswith(ending) for ending in LANGUAGES[manifest.language].endings)


@pytest.mark.parametrize(
    ("line", "language"),
    [
        *((line, "numpy") for line in ("import numpy", "import numpy as np", "from numpy.linalg import norm")),
        *((line, "numpy") for line in ("import json, numpy", "try:\n\timport numpy", "\ufeffimport numpy\r\n")),
        *(
            (line, "onnx")
            for line in ("import numpy, onnxruntime as ort", "import numpy\nfrom onnxruntime import RunOptions")
        ),
        *(
            (line, "python")
            for line in ("import numpy_of_mine", "import json  # not numpy", "'import numpy'", "numpy = 1")
        ),
        *((line, "python") for line in ("import json\nnumpy", "imports numpy", "import" + " " * 99)),
    ],
)
def test_python_that_imports_numpy_is_told_by_its_text(line: str, language: str) -> None:
    source = f"{line}\n".encode()
    for bundle in (read_bundle(source, "mine.py"), read_bundle(zipped({"bot.py": BOT, "deep/eyes.py": source}))):
        assert (bundle.manifest.language, bundle.need) == (language, language)


def test_bot_toml_says_whether_numpy_is_needed() -> None:
    wants = {"main.py": b"__import__('numpy')\n", "bot.toml": b'language = "numpy"'}
    assert read_bundle(zipped(wants)).need == "numpy"
    declines = {"bot.py": BOT, "train.py": b"import numpy\n", "bot.toml": b'language = "python"'}
    assert read_bundle(zipped(declines)).need == "python"


@given(st.binary(max_size=200), st.sampled_from([b" ", b"\t", b"#", b"import ", b"import numpy_", b"\n ", b"n", b"\r"]))
def test_the_text_is_searched_in_one_pass(start: bytes, again: bytes) -> None:
    """Four times the text takes four times as long, where a pass for each word or blank would take sixteen times."""

    def cpu_s(size: int) -> float:
        source, began = start + again * (size // len(again)), thread_time()
        LANGUAGES["python"].dialect([source])
        return thread_time() - began

    short, long = (min(cpu_s(size) for _ in range(3)) for size in (10_000, 40_000))
    assert long < 8 * short + 0.001


def test_bot_toml_chooses_between_several() -> None:
    files = {"bot.py": BOT, "bot.c": SOURCE, "bot.toml": b'language = "c"'}
    assert read_bundle(zipped(files)).manifest.entry == "bot.c"
    assert read_bundle(zipped({**files, "bot.toml": b'entry = "bot.c"'})).manifest.language == "c"


@pytest.mark.parametrize(
    ("code", "data", "filename"),
    [
        ("wrong_kind", SOURCE, "bot.zig"),
        ("not_text", PROGRAM, "bot.c"),
        ("not_text", zipped({"bot.js": b"1"}), "bot.js"),
        ("not_text", b"\xff\xfe", "bot.cpp"),
        ("not_text", b"int\0", "bot.c"),
        ("not_text", "class Bot {} // größer".encode("latin-1"), "Bot.java"),
        ("not_text", zipped({"bot.rs": SOURCE, "deep/it.go": b"\xff"}), "bot.zip"),
        ("no_entry", zipped({"bot.py": BOT, "bot.toml": b'language = "c"'}), "bot.zip"),
        ("no_entry", zipped({"bot.py": BOT, "bot.toml": b'language = "c"\nentry = "bot.py"'}), "bot.zip"),
        ("no_entry", zipped({"bot": b"#!/bin/sh\n"}), "bot.zip"),
        ("no_entry", zipped({"bot.c": SOURCE, "bot.toml": b'language = "numpy"\nentry = "bot.c"'}), "bot.zip"),
        ("reserved_name", zipped({"bot.c": SOURCE, ".program": b"x"}), "bot.zip"),
    ],
)
def test_what_does_not_fit_is_refused(code: str, data: bytes, filename: str) -> None:
    assert refusal(data, filename) == code


def test_an_unknown_language_is_refused_with_the_list() -> None:
    with pytest.raises(
        BundleError,
        match='"python", "numpy", "onnx", "javascript", "c", "c\\+\\+", "rust", "go", "java", "csharp", "static"',
    ) as error:
        read_bundle(zipped({"bot.toml": b'language = "cobol"', "bot.py": BOT}))
    assert error.value.code == "unknown_language"


def altered(offset: int, form: str, value: int) -> bytes:
    return PROGRAM[:offset] + struct.pack(form, value) + PROGRAM[offset + struct.calcsize(form) :]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (altered(4, "<B", 1), "another machine"),  # 32 bits
        (altered(5, "<B", 2), "another machine"),  # big-endian
        (altered(18, "<H", 8), "another machine"),  # MIPS
        (altered(16, "<H", 1), "object file"),
        (altered(16, "<H", 4), "memory dump"),
        (altered(56, "<H", 0), "table of segments"),
        (altered(32, "<Q", 1 << 63), "table of segments"),
        (altered(64, "<I", 3), "loads libraries"),
        (PROGRAM[:40], "does not begin"),
    ],
)
def test_a_program_that_is_not_static_or_not_for_a_known_machine_is_refused(program: bytes, words: str) -> None:
    with pytest.raises(BundleError, match=words) as error:
        read_bundle(program, "bot")
    assert error.value.code == "not_static"


def test_only_the_program_of_a_bundle_can_be_executed(tmp_path: Path) -> None:
    home = unpack(read_bundle(zipped({"bot": PROGRAM, "data": b"1"})), tmp_path)
    assert [(path.name, path.stat().st_mode & 0o777) for path in sorted(home.iterdir())] == [
        ("bot", 0o555),
        ("data", 0o444),
    ]
