"""The signature of a webhook, as standardwebhooks.com describes it."""

import base64
import hmac
import time
from hashlib import sha256

PREFIX = "whsec_"  # of secrets in the standard


def signature_headers(secret: str, name: str, body: bytes) -> dict[str, str]:
    """Return headers that authenticate a body: HMAC-SHA256 of `id.timestamp.body`, keyed by the bytes of the secret."""
    stamp = str(int(time.time()))
    key = base64.b64decode(secret.removeprefix(PREFIX))
    mac = hmac.new(key, b".".join([name.encode(), stamp.encode(), body]), sha256).digest()
    return {"webhook-id": name, "webhook-timestamp": stamp, "webhook-signature": f"v1,{base64.b64encode(mac).decode()}"}
