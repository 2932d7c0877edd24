"""How much of one program's text is in another's, ignoring names, numbers and layout: a share from 0 to 1.

Winnowing after Schleimer, Wilkerson and Aiken (SIGMOD 2003): of the hashes of all runs of RUN tokens the least of each
WINDOW is kept, so two texts that have RUN + WINDOW - 1 tokens in a row in common share at least one. A name is any name
here, and a number any number; strings, comments and layout are left out.
"""

import keyword
import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

RUN, WINDOW = 16, 8  # tokens
LEAST: Final = 24  # fingerprints of a program of which anything can be said: some hundred tokens
LONGEST: Final = 60_000  # characters that are read: 5 ms of most bots, 0.2 s of the worst that there is
# What is not closed goes on to the end: so no text is read again and again.
INSIDE = r"(?:\\.|[^\\])*?"
LONG = rf'"""{INSIDE}(?:"""|\Z)|' + rf"'''{INSIDE}(?:'''|\Z)|`{INSIDE}(?:`|\Z)"
SHORT = r'"(?:\\.|[^"\\\n])*(?:"|\n|\Z)|' + r"'(?:\\.|[^'\\\n])*(?:'|\n|\Z)"
REST = rf"(?P<string>{LONG}|{SHORT})|(?P<number>\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<sign>\S)"
HASHES = re.compile(rf"#[^\n]*|\b[A-Za-z]{{1,2}}(?=[\"'])|{REST}", re.DOTALL)  # Python
SLASHES = re.compile(rf"//[^\n]*|/\*.*?(?:\*/|\Z)|{REST}", re.DOTALL)  # C and its descendants
LAYOUT = "(),;"  # signs that a formatter may put anywhere
WORDS = """
auto break case catch class const continue default delete do double else enum extends false final float fn for func
function go if impl implements import int interface let long loop mod mut namespace new package private protected pub
public return short static struct switch template this throw trait true try typedef union unsafe unsigned use using var
void while
"""  # of these languages, that are nobody's to choose
KEPT = {True: frozenset(keyword.kwlist), False: frozenset(WORDS.split())}


def fingerprints(source: str, ending: str) -> frozenset[int]:
    """Return the fingerprints of a text in the language that its file's ending names."""
    words = list(source_tokens(source[:LONGEST], ending))
    hashes = [_hash("\0".join(words[start : start + RUN])) for start in range(len(words) - RUN + 1)]
    return frozenset(min(hashes[start : start + WINDOW]) for start in range(max(0, len(hashes) - WINDOW + 1)))


def source_tokens(source: str, ending: str) -> Iterator[str]:
    """Yield the tokens without comments and texts, and without what a formatter puts in and takes out."""
    is_python = ending == ".py"
    for match in (HASHES if is_python else SLASHES).finditer(source):
        kind, text = match.lastgroup, match[0]
        if kind == "number" or (kind == "name" and text not in KEPT[is_python]):
            yield kind
        elif kind in ("name", "sign") and text not in LAYOUT:
            yield text


def share_in_common(one: frozenset[int], other: frozenset[int], known: frozenset[int] = frozenset()) -> float | None:
    """Return the share of the shorter text that is in the longer; None where too little is left.

    `known`: what both may have from a sample.
    """
    one, other = one - known, other - known
    least = min(len(one), len(other))
    return len(one & other) / least if least >= LEAST else None


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(errors="replace"), digest_size=8).digest())
