"""Zip files from strangers, read in memory and strictly.

`zipfile` finds the entries; the rest is checked here, because `zipfile` accepts what must not pass: entries that share
bytes, wrong sizes, names cut at a NUL, data that belongs to no entry.
"""

import io
import stat
import struct
import zipfile
import zlib

from engine.records import show

MAX_FILES = 200
MAX_UNPACKED = 40 << 20  # bytes, all files together, where an upload may be as large as can be
MAX_DIRECTORY = 1 << 20  # bytes: 200 names of 200 characters are a twentieth of it
END, END_64, LOCATOR = b"PK\x05\x06", 56, b"PK\x06\x07"  # of a zip, and of its larger sister
MAX_RATIO = 100  # unpacked to packed, over the whole zip
LOCAL = struct.Struct("<4s5HL2L2H")  # the header before each file's data
ENCRYPTED = 0x1 | 0x20 | 0x40 | 0x2000
UTF8 = 0x800


class BundleError(Exception):
    """Why an upload is refused. `code` is stable; `detail` is a sentence: what was wrong and what would be right."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


def read_zip(data: bytes, unpacked: int = MAX_UNPACKED) -> dict[str, bytes]:
    """The files of a zip by path, in its order; folders are implied. Names are not judged. Raises BundleError.

    `unpacked`: bytes of all files together, at most.
    """
    _check_directory(data)
    entries = _entries(data)
    if not entries:
        raise BundleError("empty", "the zip has no files in it")
    if len(entries) > MAX_FILES:
        raise BundleError("too_large", f"the zip has {len(entries)} entries; at most {MAX_FILES} are taken")
    _check_size(entries, len(data), unpacked)
    spans = _spans(entries, data)
    files: dict[str, bytes] = {}
    for entry in entries:
        _check_kind(entry)
        content = _unpack(entry, data[slice(*spans[entry.header_offset])])
        if entry.orig_filename in files:
            raise BundleError("duplicate_name", f"the zip has {show(entry.orig_filename)} twice")
        if not entry.orig_filename.endswith("/"):
            files[entry.orig_filename] = content
        elif content:
            raise BundleError("special_entry", f"{show(entry.orig_filename)} is a folder with data of its own")
    return files


def _entries(data: bytes) -> list[zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.infolist()
    except UnicodeDecodeError:
        raise BundleError("bad_name", "a file name in the zip is not UTF-8") from None
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, OSError, struct.error) as error:
        raise BundleError("not_a_zip", f"the zip cannot be read: {error}") from None


def _check_directory(data: bytes) -> None:
    """Before it is read: `zipfile` makes an object of every entry that it names, and 20 MB name half a million."""
    end = data.rfind(END, max(0, len(data) - (1 << 16) - 22))
    size = int.from_bytes(data[end + 12 : end + 16], "little") if end >= 0 else 0
    if end >= END_64 + 20 and data.startswith(LOCATOR, end - 20):
        size = max(size % 0xFFFFFFFF, int.from_bytes(data[end - 20 - END_64 + 40 : end - 20 - END_64 + 48], "little"))
    if min(size, len(data)) > MAX_DIRECTORY:
        raise BundleError("too_large", f"the zip's directory has {size:,} bytes; at most {MAX_DIRECTORY:,} are taken")


def _check_size(entries: list[zipfile.ZipInfo], packed: int, unpacked: int) -> None:
    total = sum(entry.file_size for entry in entries)
    if total > unpacked:
        raise BundleError("too_large", f"the files have {total:,} bytes together; at most {unpacked:,} are taken")
    if total > MAX_RATIO * packed:
        raise BundleError("zip_bomb", f"{packed:,} bytes unpack to {total:,}; at most {MAX_RATIO} times are taken")


def _spans(entries: list[zipfile.ZipInfo], data: bytes) -> dict[int, tuple[int, int]]:
    """Where each entry's packed data lies, by its header's offset: one after the other from the first byte on."""
    spans: dict[int, tuple[int, int]] = {}
    free = 0  # bytes before it belong to an entry already seen
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        at, name = entry.header_offset, show(entry.orig_filename)
        if at < free or (free == 0 and at != 0):
            raise BundleError("zip_bomb", f"{name} shares bytes with another entry, or follows bytes of no entry")
        if len(data) < at + LOCAL.size or not data.startswith(b"PK\x03\x04", at):
            raise BundleError("damaged_zip", f"the header of {name} is not where the zip says")
        name_size, extra_size = LOCAL.unpack_from(data, at)[-2:]
        start = at + LOCAL.size + name_size + extra_size
        if data[at + LOCAL.size : at + LOCAL.size + name_size] != _name_bytes(entry):
            raise BundleError("damaged_zip", f"{name} has another name in its own header")
        free = start + entry.compress_size
        spans[at] = (start, free)
    return spans


def _name_bytes(entry: zipfile.ZipInfo) -> bytes:
    if entry.flag_bits & UTF8:
        return entry.orig_filename.encode("utf-8")
    if not entry.orig_filename.isascii():
        raise BundleError("bad_name", f"file name {show(entry.orig_filename)} is not marked as UTF-8")
    return entry.orig_filename.encode("ascii")


def _check_kind(entry: zipfile.ZipInfo) -> None:
    name, mode = show(entry.orig_filename), entry.external_attr >> 16
    if entry.flag_bits & ENCRYPTED:
        raise BundleError("encrypted", f"{name} is encrypted; zip it without a password")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BundleError("special_entry", f"{name} is packed by method {entry.compress_type}; use store or deflate")
    expected = stat.S_IFDIR if entry.orig_filename.endswith("/") else stat.S_IFREG
    if stat.S_IFMT(mode) not in (0, expected):
        raise BundleError("special_entry", f"{name} is a link or a special file; take plain files and folders")


def _unpack(entry: zipfile.ZipInfo, packed: bytes) -> bytes:
    content, whole = packed, True
    if entry.compress_type == zipfile.ZIP_DEFLATED:
        inflate = zlib.decompressobj(wbits=-15)
        try:
            content = inflate.decompress(packed, entry.file_size + 1)
        except zlib.error as error:
            raise BundleError("damaged_zip", f"{show(entry.orig_filename)} cannot be unpacked: {error}") from None
        whole = inflate.eof and not inflate.unused_data
    if not whole or len(content) != entry.file_size:
        raise BundleError("zip_bomb", f"{show(entry.orig_filename)} is not of the size the zip says")
    if zlib.crc32(content) != entry.CRC:
        raise BundleError("damaged_zip", f"the check sum of {show(entry.orig_filename)} is wrong")
    return content
