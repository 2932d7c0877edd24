"""The same keys and seeds in every run: what is drawn from `secrets`, by kind and length the first, the second, ..."""

import base64
import secrets
from collections import Counter
from hashlib import shake_256

drawn: Counter[tuple[str, int]] = Counter()


def next_bytes(kind: str, length: int) -> bytes:
    drawn[kind, length] += 1
    return shake_256(f"{kind} {length} {drawn[kind, length]}".encode()).digest(length)


def token_bytes(nbytes: int | None = None) -> bytes:
    return next_bytes("bytes", nbytes or 32)


def token_hex(nbytes: int | None = None) -> str:
    return next_bytes("hex", nbytes or 32).hex()


def token_urlsafe(nbytes: int | None = None) -> str:
    return base64.urlsafe_b64encode(next_bytes("urlsafe", nbytes or 32)).rstrip(b"=").decode()


def fix() -> None:
    """Called before anything of the site is imported."""
    secrets.token_bytes, secrets.token_hex, secrets.token_urlsafe = token_bytes, token_hex, token_urlsafe
