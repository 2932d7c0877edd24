"""Poison at the web server's port: odd headers, and clients that are slow on purpose, from addresses of their own."""

import socket
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle, islice
from typing import ClassVar

from tests.faults.crowd import GAMES_PLAYED, WATCHED
from tests.faults.poison.giving import NotNow
from tests.faults.stage import Stage
from tournaments.audit.entry_size import BEGINNING
from tournaments.audit.log import append
from tournaments.models import Act, Ladder, Result

HOST = "127.0.0.1"
ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
READERS, STREAMS = 12, 24
LONG_LOG, ENTRIES = 26 << 20, 130  # bytes and entries of a log that is long to read
ANNOUNCED = (*12 * (5_300_000,), *8 * (400_000,), *8 * (70_000,))  # bytes: small ones take what is left
STINGY = 2048  # bytes that a slow reader's kernel takes in for it


class Lines:
    """Many connections at once, each from one of ADDRESSES, open until `clear`."""

    LASTS: ClassVar[float] = 6.0
    WITHIN: ClassVar[float] = 20.0
    COUNT: ClassVar[int] = 1

    def __init__(self, stage: Stage, _number: int) -> None:
        self.port = stage.port
        self.open: list[socket.socket] = []

    def give(self) -> None:
        for address, request in zip(islice(cycle(ADDRESSES), self.COUNT), self.requests(), strict=True):
            self.open.append(self._call(address, request))

    def requests(self) -> list[bytes]:
        raise NotImplementedError

    def _call(self, address: str, request: bytes) -> socket.socket:
        line = socket.socket()
        line.settimeout(2)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, STINGY)
        line.bind((address, 0))
        line.connect((HOST, self.port))
        line.sendall(request)
        return line

    def worked(self) -> bool:
        """One of them is answered; no more of the answer is taken than that it begins."""
        return any(map(answered, self.open))

    def clear(self) -> None:
        while self.open:
            self.open.pop().close()


def answered(line: socket.socket) -> bool:
    with suppress(OSError):
        return line.recv(12, socket.MSG_DONTWAIT | socket.MSG_PEEK).startswith(b"HTTP/1.1 ")
    return False


def get(path: str, *headers: bytes) -> bytes:
    return b"\r\n".join([f"GET {path} HTTP/1.1\r\nHost: {HOST}".encode(), *headers, b"\r\n"])


def streams(count: int) -> list[str]:
    """Return the streams of as many matches, that can be watched: the newest of each ladder."""
    ladders = Ladder.objects.filter(slug__in=(*GAMES_PLAYED, WATCHED))
    numbers = [number for ladder in ladders for number in newest(ladder, -(-count // len(ladders)))]
    if not numbers:
        raise NotNow
    return [f"/live/matches/{number}/stream" for number in islice(cycle(numbers), count)]


def newest(ladder: Ladder, count: int) -> Sequence[int]:
    played = Result.objects.filter(match__set__ladder=ladder).order_by("-pk")
    return list(played.values_list("match", flat=True)[:count])


class BadHeader(Lines):
    """A match's stream, asked for from a place that is none."""

    VALUES: ClassVar = (b"1-\xb2", b"\xb2-1", b"1-" + b"9" * 5000, b"-", "1-१".encode())
    COUNT = len(VALUES)

    def requests(self) -> list[bytes]:
        path = streams(1)[0]
        return [get(path, b"Last-Event-ID: " + value) for value in self.VALUES]

    def worked(self) -> bool:
        return all(map(answered, self.open))


class SlowReaders(Lines):
    COUNT = READERS

    def requests(self) -> list[bytes]:
        return [get("/api/v1/audit/log")] * READERS

    @staticmethod
    def prepare() -> None:
        """A site that is some years old."""
        words = ["x" * BEGINNING] * (LONG_LOG // ENTRIES // BEGINNING)  # longer texts are cut
        if Act.objects.count() < ENTRIES:
            for _ in range(ENTRIES):
                append(kind="remark", by="the platform", subject="the site", detail={"long": words})


class SlowUploaders(Lines):
    COUNT = len(ANNOUNCED)

    def requests(self) -> list[bytes]:
        head = f"POST /api/v1/bots HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: "
        return [f"{head}{size}\r\n\r\n".encode() for size in ANNOUNCED]

    def worked(self) -> bool:
        """Return whether all stand in line, or have been sent away; those that stand send another byte."""
        for line in self.open:
            with suppress(OSError):
                line.send(b"x", socket.MSG_DONTWAIT)
        return len(self.open) == len(ANNOUNCED)


class SilentStreams(Lines):
    COUNT = STREAMS

    def requests(self) -> list[bytes]:
        return [get(path) for path in streams(STREAMS)]
