"""Zip files from strangers, read in memory and strictly.

`zipfile` finds the entries; the rest is checked here, because `zipfile` accepts what must not pass: entries that share
bytes, wrong sizes, names cut at a NUL, data that belongs to no entry.
"""

import io
import stat
import struct
import zipfile
import zlib

from bots.archive_names import decoded_names, is_added
from engine.errors import Portable
from engine.records import show

MAX_FILES = 200
MAX_UNPACKED = 40 << 20  # bytes, all files together, where an upload may be as large as can be
MAX_DIRECTORY = 1 << 20  # bytes: 200 names of 200 characters are a twentieth of it
END, END_64, LOCATOR = b"PK\x05\x06", 56, b"PK\x06\x07"  # of a zip, and of its larger sister
MAX_RATIO = 100  # unpacked to packed, over the whole zip
CENTRAL, CENTRAL_SIZE = b"PK\x01\x02", 46  # before each name in the directory
LOCAL = struct.Struct("<4s5HL2L2H")  # the header before each file's data
ENCRYPTED = 0x1 | 0x20 | 0x40 | 0x2000
UTF8 = 0x800


class BundleError(Portable):
    """Why an upload is refused. `code` is stable; `detail` is a sentence: what was wrong and what would be right."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


def read_zip(data: bytes, unpacked: int = MAX_UNPACKED) -> dict[str, bytes]:
    """Return the files of a zip by path, in its order. Folders are implied, and what a system added is left out. Names
    are not judged. Raises BundleError.

    `unpacked`: bytes of all files together, at most.
    """
    _check_directory(data)
    entries = _entries(data)
    paths = decoded_names({_name_bytes(entry): entry.file_size > 0 for entry in entries})
    for entry in entries:
        entry.filename = paths[_name_bytes(entry)]
    used = [entry for entry in entries if not is_added(entry.filename)]
    if len(used) > MAX_FILES:
        detail = (
            f"leave out what the bot does not need: the zip has {len(used):,} entries; at most {MAX_FILES} are taken"
        )
        raise BundleError("too_large", detail)
    _check_size(used, len(data), unpacked)
    spans = _spans(entries, data)
    files: dict[str, bytes] = {}
    for entry in used:
        path = entry.filename
        _check_kind(entry)
        content = _unpack(entry, data[slice(*spans[entry.header_offset])])
        if path in files:
            raise BundleError("duplicate_name", f"take one of the two: the zip has {show(path)} twice")
        if not path.endswith("/") and path:
            files[path] = content
        elif content:
            raise BundleError("special_entry", f"make the zip anew: {show(path)} is a folder with data of its own")
    if not files:
        raise BundleError("empty", "put the files of your bot into the zip: there are none in it")
    return files


def _entries(data: bytes) -> list[zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.infolist()
    except UnicodeDecodeError:
        return _entries(_without_marks(data))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, OSError, struct.error) as error:
        raise BundleError("not_a_zip", f"make the zip anew: the zip cannot be read: {error}") from None


def _without_marks(data: bytes) -> bytes:
    """Return the zip with no name marked as UTF-8, for one of them is not."""
    unmarked = bytearray(data)
    start = end = data.rfind(END)
    start -= int.from_bytes(data[end + 12 : end + 16], "little")
    while start >= 0 and data.startswith(CENTRAL, start):
        unmarked[start + 9] &= ~(UTF8 >> 8) & 0xFF
        start += CENTRAL_SIZE + sum(struct.unpack_from("<3H", data, start + 28))
    if unmarked == data:
        raise BundleError("not_a_zip", "make the zip anew; a name in it is marked as UTF-8, and is not")
    return bytes(unmarked)


def _name_bytes(entry: zipfile.ZipInfo) -> bytes:
    """Return the name as it stands in the zip: `zipfile` reads what is not marked as UTF-8 by the code page 437."""
    return entry.orig_filename.encode("utf-8" if entry.flag_bits & UTF8 else "cp437")


def _check_directory(data: bytes) -> None:
    """Refuse a large directory before it is read: `zipfile` makes an object of every entry that it names, and 20 MB
    name half a million."""
    end = data.rfind(END, max(0, len(data) - (1 << 16) - 22))
    size = int.from_bytes(data[end + 12 : end + 16], "little") if end >= 0 else 0
    if end >= END_64 + 20 and data.startswith(LOCATOR, end - 20):
        size = max(size % 0xFFFFFFFF, int.from_bytes(data[end - 20 - END_64 + 40 : end - 20 - END_64 + 48], "little"))
    if min(size, len(data)) > MAX_DIRECTORY:
        detail = f"leave out what the bot does not need: the zip's directory has {size:,} bytes"
        raise BundleError("too_large", f"{detail}; at most {MAX_DIRECTORY:,} are taken")


def _check_size(entries: list[zipfile.ZipInfo], packed: int, unpacked: int) -> None:
    total = sum(entry.file_size for entry in entries)
    if total > unpacked:
        raise BundleError(
            "too_large", f"make them smaller: the files have {total:,} bytes together; at most {unpacked:,} are taken"
        )
    if total > MAX_RATIO * packed:
        detail = (
            f"leave out what is all the same: {packed:,} bytes unpack to {total:,}; at most {MAX_RATIO} times are taken"
        )
        raise BundleError("zip_bomb", detail)


def _spans(entries: list[zipfile.ZipInfo], data: bytes) -> dict[int, tuple[int, int]]:
    """Return where each entry's packed data lies, by its header's offset: one after the other from the first byte
    on."""
    spans: dict[int, tuple[int, int]] = {}
    free = 0  # bytes before it belong to an entry already seen
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        offset, name = entry.header_offset, show(entry.filename)
        if offset < free or (free == 0 and offset != 0):
            detail = f"make the zip anew: {name} shares bytes with another entry, or follows bytes of no entry"
            raise BundleError("zip_bomb", detail)
        if len(data) < offset + LOCAL.size or not data.startswith(b"PK\x03\x04", offset):
            raise BundleError("damaged_zip", f"make the zip anew: the header of {name} is not where the zip says")
        name_size, extra_size = LOCAL.unpack_from(data, offset)[-2:]
        start = offset + LOCAL.size + name_size + extra_size
        if data[offset + LOCAL.size : offset + LOCAL.size + name_size] != _name_bytes(entry):
            raise BundleError("damaged_zip", f"make the zip anew: {name} has another name in its own header")
        free = start + entry.compress_size
        spans[offset] = (start, free)
    return spans


def _check_kind(entry: zipfile.ZipInfo) -> None:
    name, mode = show(entry.filename), entry.external_attr >> 16
    if entry.flag_bits & ENCRYPTED:
        raise BundleError("encrypted", f"zip it without a password: {name} is encrypted")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        detail = f"pack by store or deflate: {name} is packed by method {entry.compress_type}"
        raise BundleError("special_entry", detail)
    expected = stat.S_IFDIR if entry.filename[-1:] in ("", "/") else stat.S_IFREG
    if stat.S_IFMT(mode) not in (0, expected):
        raise BundleError("special_entry", f"take plain files and folders: {name} is a link or a special file")


def _unpack(entry: zipfile.ZipInfo, packed: bytes) -> bytes:
    content, complete, name = packed, True, show(entry.filename)
    if entry.compress_type == zipfile.ZIP_DEFLATED:
        inflate = zlib.decompressobj(wbits=-15)
        try:
            content = inflate.decompress(packed, entry.file_size + 1)
        except zlib.error as error:
            raise BundleError("damaged_zip", f"make the zip anew: {name} cannot be unpacked: {error}") from None
        complete = inflate.eof and not inflate.unused_data
    if not complete or len(content) != entry.file_size:
        raise BundleError("zip_bomb", f"make the zip anew: {name} is not of the size the zip says")
    if zlib.crc32(content) != entry.CRC:
        raise BundleError("damaged_zip", f"make the zip anew: the check sum of {name} is wrong")
    return content
