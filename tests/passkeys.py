"""An authenticator of ours: it makes passkeys and signs with them, truly, and does what a real one would not."""

import json
import os
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from fido2.cose import ES256
from fido2.utils import sha256, websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

SITE = "http://localhost:8000"
UP, UV, AT = (AuthenticatorData.FLAG(bit) for bit in (0x01, 0x04, 0x40))
ADD = "/account/second-factor/passkey/"


@dataclass
class Passkey:
    """`origin`: where its browser is. `verifies`: whether it asks for a finger or a PIN."""

    origin: str = SITE
    verifies: bool = True
    counter: int = 0
    number: bytes = field(default_factory=lambda: os.urandom(16))
    owner: str = ""
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def made_for(self, asked: dict[str, Any]) -> str:
        """The answer to a site that wants a new passkey."""
        self.owner = asked["user"]["id"]
        public = ES256.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]
        credential = AttestedCredentialData.create(b"\0" * 16, self.number, public)
        data = AuthenticatorData.create(
            sha256(asked["rp"]["id"].encode()), self._flags() | AT, self.counter, credential
        )
        made = AttestationObject.create("none", data, {})
        client_data = self._said("webauthn.create", asked)
        return self._answer({"clientDataJSON": websafe_encode(client_data), "attestationObject": websafe_encode(made)})

    def signed(self, asked: dict[str, Any]) -> str:
        """The answer to a challenge."""
        self.counter += 1
        data = AuthenticatorData.create(sha256(asked["rpId"].encode()), self._flags(), self.counter)
        client_data = self._said("webauthn.get", asked)
        parts = {"clientDataJSON": client_data, "authenticatorData": data}
        parts["signature"] = self.key.sign(data + client_data.hash, ec.ECDSA(SHA256()))
        return self._answer({**{name: websafe_encode(part) for name, part in parts.items()}, "userHandle": self.owner})

    def copied(self) -> "Passkey":
        return copy(self)

    def _flags(self) -> AuthenticatorData.FLAG:
        return UP | UV if self.verifies else UP

    def _said(self, kind: str, asked: dict[str, Any]) -> CollectedClientData:
        return CollectedClientData.create(kind, websafe_decode(asked["challenge"]), self.origin)

    def _answer(self, response: dict[str, str]) -> str:
        number = websafe_encode(self.number)
        answer = {"id": number, "rawId": number, "type": "public-key", "response": response}
        return json.dumps({**answer, "clientExtensionResults": {}})


def asked_by(client: Client, why: str, **more: str) -> dict[str, Any]:
    """Return what the site asks of an authenticator."""
    answer = client.post("/sign-in/challenge/", {"why": why, **more})
    assert answer.status_code == 200, answer.content
    challenge: dict[str, Any] = answer.json()["publicKey"]
    return challenge


def add(client: Client, passkey: Passkey, *, name: str = "telephone", alone: bool = True, **proof: str) -> Any:
    """Add the passkey as far as it goes: the client shows who it is, if there is a proof."""
    if proof:
        client.post(ADD, proof)
    asked = asked_by(client, "add", **({"alone": "on"} if alone else {}))
    return client.post(ADD, {"name": name, "passkey": passkey.made_for(asked)})
