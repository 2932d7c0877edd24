"""What an upload is by its contents: uploads that differ only in how they were packed have the same fingerprint.

The name of the zip, the order and dates of what is in it, `bot.toml`'s suggestion of a name, the name of the entry,
line ends, blanks at the ends of lines, empty lines and lines of nothing but comment make no difference. Anything else
does: whether two programs do the same cannot be told from their text.
"""

from hashlib import sha256
from pathlib import PurePosixPath

from bots.bundle import ENDINGS, MANIFEST, Bundle

COMMENTS = {".py": "#", ".js": "//", ".mjs": "//", ".cjs": "//", ".c": "//", ".cc": "//", ".cpp": "//", ".cxx": "//"}


def fingerprint(bundle: Bundle) -> str:
    """The SHA-256 of what it holds, in hex."""
    whole = sha256(f"{bundle.need} {bundle.manifest.language}".encode())
    for path, content in sorted(
        (_named(bundle, path), _plain(path, content)) for path, content in bundle.files.items()
    ):
        if path != MANIFEST:
            whole.update(b"\0%d %s\0%d\0" % (len(path), path.encode(), len(content)) + content)
    return whole.hexdigest()


def _named(bundle: Bundle, path: str) -> str:
    """The entry is known by being it."""
    return "" if path == bundle.manifest.entry else path


def _plain(path: str, content: bytes) -> bytes:
    """Of a source, the lines that say something."""
    ending = PurePosixPath(path).suffix.lower()
    if ending not in ENDINGS:
        return content
    lines = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    comment = COMMENTS.get(ending, "").encode()
    return b"\n".join(line.rstrip() for line in lines if not _idle(line.strip(), comment))


def _idle(line: bytes, comment: bytes) -> bool:
    return not line or bool(comment and line.startswith(comment))
