"""A provider of OpenID Connect on loopback: a real server with real signatures, which can be told to behave badly."""

import json
import threading
import time
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "boardroom", "a secret of two"


@cache
def key_of(name: str) -> rsa.RSAPrivateKey:
    """Made once: it takes a while."""
    return rsa.generate_private_key(65537, 2048)


@dataclass
class MockProvider:
    """Whom it knows, and what is wrong with it. `claims` go before those that are right."""

    claims: dict[str, Any] = field(default_factory=dict)
    person: dict[str, Any] = field(default_factory=dict)
    user_info: dict[str, Any] | None = None  # None: it has no UserInfo
    signed_by: str = "its own"  # or any other key, which it does not publish
    algorithm: str = "RS256"
    statuses: dict[str, int] = field(default_factory=dict)  # by path
    bodies: dict[str, bytes] = field(default_factory=dict)
    waits: dict[str, float] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)  # paths
    bearers: list[str] = field(default_factory=list)  # with what each was asked
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def __enter__(self) -> Self:
        mock = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                mock.answer(self)

            do_POST = do_GET  # noqa: N815 - as the server wants it

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        self.over = threading.Event()
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    def authorise(self, address: str) -> str:
        """Say yes, as the person whose browser was sent there; returns the address it is sent back to."""
        asked = dict(parse_qsl(urlsplit(address).query))
        assert (asked["client_id"], asked["response_type"]) == (CLIENT, "code")
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{len(self._codes)}"
        self._codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def answer(self, http: BaseHTTPRequestHandler) -> None:
        path = urlsplit(http.path).path
        body = http.rfile.read(int(http.headers.get("Content-Length") or 0)).decode()
        self.asked.append(path)
        self.bearers.append(http.headers.get("Authorization", ""))
        self.over.wait(self.waits.get(path, 0))
        try:
            content = self.content(path, dict(parse_qsl(body)))
            status = self.statuses.get(path, 200)
        except Wrong as wrong:
            status, content = 400, json.dumps({"error": str(wrong)}).encode()
        try:
            http.send_response(status)
            http.send_header("Content-Type", "application/json")
            http.send_header("Content-Length", str(len(content)))
            http.end_headers()
            http.wfile.write(content)
        except OSError:
            pass  # who asked has gone

    def content(self, path: str, sent: dict[str, str]) -> bytes:
        if path in self.bodies:
            return self.bodies[path]
        if path == "/userinfo":
            return json.dumps(self.user_info).encode()
        if path == "/token":
            return json.dumps(self.exchange(sent)).encode()
        keys = {"keys": [public(key_of("its own"), "1")]}
        return json.dumps(keys if path == "/keys" else self.configuration()).encode()

    def configuration(self) -> dict[str, object]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorise",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            **({} if self.user_info is None else {"userinfo_endpoint": f"{self.issuer}/userinfo"}),
        }

    def exchange(self, sent: dict[str, str]) -> dict[str, object]:
        asked = self._codes.pop(sent.get("code", ""), None)
        if asked is None or (sent["client_id"], sent["client_secret"]) != (CLIENT, SECRET):
            raise Wrong("invalid_grant")
        challenge = urlsafe_b64encode(sha256(sent["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if challenge != asked["code_challenge"] or sent["redirect_uri"] != asked["redirect_uri"]:
            raise Wrong("invalid_grant")
        return {"access_token": "x", "token_type": "Bearer", "id_token": self.id_token(asked.get("nonce", ""))}

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        right = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, "auth_time": now}
        claims = {name: value for name, value in {**right, **self.person, **self.claims}.items() if value is not None}
        keys: dict[str, Any] = {"none": None, "HS256": 3 * SECRET, "RS256": key_of(self.signed_by)}
        return jwt.encode(claims, keys[self.algorithm], self.algorithm, {"kid": "1"})


class Wrong(Exception):
    """What a provider answers 400 to."""


def public(key: rsa.RSAPrivateKey, name: str) -> dict[str, Any]:
    jwk: dict[str, Any] = jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {**jwk, "kid": name, "use": "sig", "alg": "RS256"}
