"""ID tokens (OpenID Connect Core 1.0, 3.1.3.7): a token is accepted only if every check passes.

allauth leaves out the signature of a token that came straight from the provider, and knows no nonce.
"""

from collections.abc import Mapping
from typing import Any

import jwt

from tournaments.core.errors import Refused

# By keys that only the provider has: neither nothing nor HS256, by the client's secret, is a signature.
SIGNED_BY = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
CLOCKS = 60  # seconds by which two clocks may differ
NEEDED = ["iss", "sub", "aud", "exp", "iat"]


def claims_of(token: object, keys: object, *, issuer: str, client: str, nonce: str, title: str) -> dict[str, Any]:
    """Raises Refused: bad_identity."""
    try:
        claims: dict[str, Any] = jwt.decode(
            str(token),
            key_of_token(str(token), keys),
            algorithms=SIGNED_BY,
            audience=client,
            issuer=issuer,
            leeway=CLOCKS,
            options={"require": NEEDED},
        )
    except (jwt.PyJWTError, ValueError, TypeError, KeyError) as error:
        raise Refused(
            "bad_identity",
            "what %(title)s says about you is not valid: %(error)s",
            title=title,
            error=str(error).rstrip("."),
        ) from error
    check_id_token(claims, client, nonce, title)
    return claims


def key_of_token(token: str, keys: object) -> jwt.PyJWK:
    """The key that the token names; of a provider that has only one, that one."""
    header = jwt.get_unverified_header(token)
    if not isinstance(keys, Mapping):
        raise ValueError("there are no keys")
    known = [key for key in jwt.PyJWKSet.from_dict(dict(keys)).keys if key.public_key_use in (None, "sig")]
    named = [key for key in known if key.key_id == header.get("kid")] if "kid" in header else known
    if len(named) != 1:
        raise ValueError("it is signed by a key that the provider does not publish")
    return named[0]


def check_id_token(claims: Mapping[str, Any], client: str, nonce: str, title: str) -> None:
    if not nonce or claims.get("nonce") != nonce:
        raise Refused("bad_identity", "the answer of %(title)s was meant for somebody else; begin again", title=title)
    if claims.get("azp", client) != client or (isinstance(claims["aud"], list) and len(claims["aud"]) > 1):
        raise Refused("bad_identity", "what %(title)s says about you is meant for another site", title=title)
