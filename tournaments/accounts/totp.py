"""Time-based one-time passwords (TOTP, RFC 6238) with its defaults: six digits every 30 seconds."""

import base64
import hmac
import secrets
from urllib.parse import quote

SECONDS, DIGITS = 30, 6
DRIFT = 1  # steps by which a clock may be off in either direction


def new_secret() -> str:
    """160 bits, as long as the hash it keys, in the letters that people can copy by hand."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def code_at(secret: str, step: int) -> str:
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def step_of(secret: str, code: str, seconds: float) -> int | None:
    """The step of this code, if it is one of those around that time."""
    now = int(seconds // SECONDS)
    near = range(max(now - DRIFT, 0), now + DRIFT + 1)
    return max((step for step in near if hmac.compare_digest(code_at(secret, step), code)), default=None)


def address(secret: str, name: str, site: str) -> str:
    """The address that an authenticator program reads from the QR code."""
    return f"otpauth://totp/{quote(site)}:{quote(name)}?secret={secret}&issuer={quote(site)}"
