"""What an upload is by its contents: uploads that differ only in how they were packed have the same fingerprint.

The name of the zip, the order and dates of what is in it, `bot.toml`'s suggestion of a name, the name of the entry,
and the line ends of a source make no difference; of Python nor do comments, empty lines and blanks between tokens, by
Python's own tokens, so that what looks like a comment in a string counts. Anything else does: whether two programs do
the same cannot be told from their text.
"""

from hashlib import sha256
from pathlib import PurePosixPath

from bots.bundle import ENDINGS, MANIFEST, Bundle
from bots.python_tokens import tokens_of

LONGEST = 300_000  # bytes of a source that is read token by token, in half a second; of a longer one all count
BOM = b"\xef\xbb\xbf"


def bundle_fingerprint(bundle: Bundle) -> str:
    """The SHA-256 of what it holds, in hex."""
    digest = sha256(f"{bundle.need} {bundle.manifest.language}".encode())
    for path, content in sorted(
        (_named(bundle, path), _plain(path, content)) for path, content in bundle.files.items()
    ):
        if path != MANIFEST:
            digest.update(b"\0%d %s\0%d\0" % (len(path), path.encode(), len(content)) + content)
    return digest.hexdigest()


def _named(bundle: Bundle, path: str) -> str:
    """The entry is known by being it."""
    return "" if path == bundle.manifest.entry else path


def _plain(path: str, content: bytes) -> bytes:
    """Return what the language reads of a source. Languages other than Python may have comments where they do not look
    so."""
    ending = PurePosixPath(path).suffix.lower()
    if ending not in ENDINGS:
        return content
    text = content.removeprefix(BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    tokens = tokens_of(text) if ending == ".py" and len(text) <= LONGEST else None
    return text if tokens is None else tokens
