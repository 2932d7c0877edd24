"""What a worker hears at the door, and what it says of whatever stands between."""

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from engine.records import to_plain
from workers import door_client
from workers.addresses import BadSetting
from workers.door_client import FIRST_PAUSE, LONGEST_PAUSE, Away, Door, Stop, TooLong, checked_site, pause
from workers.door_words import STOPS, Answer, Word
from workers.orders import TAG


@dataclass
class Said:
    """What the other side says next."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False  # it hangs up in place of an answer


class Handler(BaseHTTPRequestHandler):
    server: "Other"

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.heard.append((self.path, self.headers["Authorization"], json.loads(self.rfile.read(length))))
        reply = self.server.says.pop(0) if len(self.server.says) > 1 else self.server.says[0]
        if reply.cut:
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)

    def date_time_string(self, timestamp: float | None = None) -> str:
        return self.server.date or super().date_time_string(timestamp)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the name is the library's
        """Nothing."""


class Other(ThreadingHTTPServer):
    def __init__(self, *says: Said) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.says, self.date = list(says), ""
        self.heard: list[tuple[str, str, dict[str, Any]]] = []


@contextmanager
def a_door(*says: Said) -> Iterator[tuple[Door, Other]]:
    with Other(*says) as other:
        Thread(target=other.serve_forever, args=(0.01,), daemon=True).start()
        yield Door(f"http://127.0.0.1:{other.server_address[1]}", "bwt_x", Event(), Word("p1", TAG, ["python"])), other
        other.shutdown()


def answer(**fields: Any) -> Said:
    return Said(body=json.dumps(to_plain(Answer(**fields))).encode())


def refusal(status: int, code: str, **headers: str) -> Said:
    return Said(status, json.dumps({"code": code, "detail": "so it is"}).encode(), headers)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_client, "FIRST_PAUSE", 0.001)


def test_it_asks_with_its_token_and_its_release() -> None:
    with a_door(answer(ask_again=2.0)) as (door, other):
        assert door.say("report", more=True) == Answer(ask_again=2.0)
        path, authorisation, body = other.heard[0]
    assert (path, authorisation) == ("/door/report", "Worker bwt_x")
    assert body == {"process": "p1", "release": TAG, "offers": ["python"], "version": 1, "more": True} | {
        "practices": False
    }


@pytest.mark.parametrize(("status", "code"), STOPS.items())
def test_what_the_site_will_say_again_stops_the_worker(status: int, code: str) -> None:
    with a_door(refusal(status, code)) as (door, other), pytest.raises(Stop) as stop:
        door.ask("acquire")
    assert str(stop.value) == f"{door.site} refuses this worker: so it is [{code}]"
    assert len(other.heard) == 1


PROXIES = {
    "a page in place of JSON": (Said(body=b"<!doctype html>"), "does the proxy before it pass /door/ on as it is?"),
    "JSON of somebody else": (Said(body=b'{"hello": 1}'), "does the proxy before it pass /door/ on as it is?"),
    "a page with a status that stops": (Said(403, b"<html>"), "answers 403 and not as the door for workers does"),
    "another code": (refusal(401, "login_first"), "cannot answer now"),
    "no site behind it": (Said(502, b"<html>"), "reaches no site behind it (502)"),
    "too many connections": (Said(429, b"<html>"), "takes no more from this address now (429)"),
    "elsewhere": (Said(301, b"", {"Location": "https://other/"}), "sends elsewhere, to 'https://other/'"),
    "nothing": (Said(cut=True), "cannot be reached"),
    "no address": (Said(404, b"<html>"), "answers 404 and not as the door"),
    "short of room": (refusal(503, "try_later"), "cannot answer now: so it is [try_later]"),
}


@pytest.mark.parametrize("name", PROXIES)
def test_a_proxy_between_gets_a_sentence_and_another_try(name: str, caplog: pytest.LogCaptureFixture) -> None:
    odd, sentence = PROXIES[name]
    with a_door(odd, odd, answer(ask_again=3.0)) as (door, _):
        assert door.ask("acquire") == Answer(ask_again=3.0)
    assert caplog.text.count(sentence) == 2


@pytest.mark.parametrize(
    ("odd", "sentence"),
    [(Said(413, b"<html>"), "client_max_body_size"), (refusal(413, "too_long"), r"refuses [0-9]+ bytes: so it is")],
)
def test_what_is_too_long_is_not_said_again(odd: Said, sentence: str) -> None:
    with a_door(odd) as (door, other), pytest.raises(TooLong, match=sentence):
        door.ask("report")
    assert len(other.heard) == 1


def test_a_connection_that_is_cut_after_a_while_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 61.0])
    monkeypatch.setattr("workers.door_client.time.monotonic", lambda: next(times))
    with a_door(Said(cut=True)) as (door, _), pytest.raises(Away, match="the connection was cut after 61 s"):
        door.say("acquire")


def test_a_clock_that_is_wrong_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    with a_door(answer()) as (door, other):
        other.date = "Sat, 01 Jan 2000 00:00:00 GMT"
        for _ in range(2):
            door.say("acquire")
    assert caplog.text.count("s ahead of that of the site: set it right") == 1


@pytest.mark.parametrize(("days", "says"), [(-9, "certificate has expired"), (9, "certificate is not yet valid")])
def test_a_clock_so_wrong_that_no_certificate_holds_is_named(
    days: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker does not care which of the two is wrong."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(a_certificate(tmp_path / "site.pem", timedelta(days)))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "site.pem"))
    with a_door(answer()) as (door, other):
        other.socket = context.wrap_socket(other.socket, server_side=True)
        door.site = f"https://localhost:{other.server_address[1]}"
        with pytest.raises(Away) as away:
            door.say("acquire")
    assert f"{door.site} does not prove who it is ({says}): this machine's clock must be right" in str(away.value)


def a_certificate(file: Path, away: timedelta) -> Path:
    """Write one for `localhost`, good for a day so far from today; with its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "site")])
    begins = datetime.now(UTC) + away
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, begins, begins + timedelta(1))
    signed = made.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False).sign(
        key, SHA256()
    )
    written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(signed.public_bytes(Encoding.PEM) + written)
    return file


def test_the_site_is_reached_by_https_alone() -> None:
    assert checked_site("https://boardroom.example/") == "https://boardroom.example"
    assert checked_site("http://127.0.0.1:8000") == "http://127.0.0.1:8000"
    for wrong in ("http://boardroom.example", "https://boardroom.example/path", "boardroom.example"):
        with pytest.raises(BadSetting):
            checked_site(wrong)


def test_workers_that_lost_their_site_together_come_back_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door_client, "FIRST_PAUSE", FIRST_PAUSE)
    for tries in (0, 3, 6, 50):
        about = min(LONGEST_PAUSE, FIRST_PAUSE * 2**tries)
        pauses = sorted(pause(tries) for _ in range(200))
        assert about * 0.5 <= pauses[0] <= about * 0.6
        assert about * 1.4 <= pauses[-1] <= about * 1.5


def test_a_worker_that_is_to_leave_tries_no_more() -> None:
    with a_door(Said(502)) as (door, _):
        door.leaving.set()
        assert door.ask("acquire") is None


def test_it_waits_as_long_as_the_site_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    with a_door(refusal(429, "too_often", **{"Retry-After": "7"}), answer()) as (door, _):
        monkeypatch.setattr(door.leaving, "wait", waits.append)
        door.ask("acquire")
    assert len(waits) == 1
    assert 7 <= waits[0] <= 10.5
