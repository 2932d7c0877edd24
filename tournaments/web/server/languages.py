"""The language of a reader's pages: their choice, otherwise their browser's preference among those we have.

The front asks for its key, and Django for the page: both from the same headers, so a kept page is in the language of
whoever gets it. Whatever a client says, the answer is one of LANGUAGES.
"""

import re
from functools import lru_cache

ENGLISH = b"en"
LANGUAGES = (ENGLISH, b"de")
COOKIE = "language"
MOST = 200  # bytes of what a browser says it likes; browsers say far less
CHOSEN = re.compile(rb"(?:^|[;,\s])(?:__Host-)?language=(%s)(?=[;,\s]|$)" % b"|".join(LANGUAGES))
LIKED = re.compile(rb"\s*([a-zA-Z]{1,8})(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?")


def language_of_request(cookies: bytes, accepted: bytes) -> bytes:
    """Return the language of a request with these two headers."""
    chosen = CHOSEN.search(cookies) if b"language=" in cookies else None
    return chosen[1] if chosen else best_liked(accepted[:MOST])


@lru_cache(256)
def best_liked(accepted: bytes) -> bytes:
    """Return the language liked best, of equals the first; English for who likes none of ours."""
    weights = [(weight, name) for part in accepted.split(b",") for weight, name in liked(part) if name in LANGUAGES]
    return max(weights, key=lambda pair: pair[0], default=(1.0, ENGLISH))[1]


def liked(text: bytes) -> list[tuple[float, bytes]]:
    """Return `[(0.8, b"de")]` for `de-AT;q=0.8`; nothing for what is no language, or not wanted."""
    matched = LIKED.fullmatch(text)
    weight = float(matched[2] or b"1") if matched else 0.0
    return [(weight, matched[1].lower())] if matched and weight else []
