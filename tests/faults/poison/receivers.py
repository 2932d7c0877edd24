"""Receivers of webhooks that answer as none should, each on a host of its own."""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from threading import Thread

LONG = 60.0  # seconds, of whoever never ends


def nul(line: socket.socket) -> None:
    line.sendall(b"HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n")


def garbage(line: socket.socket) -> None:
    line.sendall(bytes(range(256)) * 16)


def silent(_: socket.socket) -> None:
    time.sleep(LONG)


def trickle(line: socket.socket) -> None:
    _without_end(line, b"H", 0.2)


def endless(line: socket.socket) -> None:
    """Headers without an end."""
    line.sendall(b"HTTP/1.1 200 OK\r\n")
    _without_end(line, b"a: b\r\n", 0.01)


def going_on(line: socket.socket) -> None:
    """One answer before the answer after the other."""
    _without_end(line, b"HTTP/1.1 100 Continue\r\n\r\n", 0.01)


MANNERS: dict[str, Callable[[socket.socket], None]] = {
    act.__name__: act for act in (nul, garbage, silent, trickle, endless, going_on)
}


def _without_end(line: socket.socket, part: bytes, pause: float) -> None:
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        line.sendall(part)
        time.sleep(pause)


@cache
def receivers() -> dict[str, str]:
    """The address of each. They live as long as this process."""
    return {manner: _listen(f"127.0.0.{number}", manner) for number, manner in enumerate(MANNERS, start=10)}


def _listen(host: str, manner: str) -> str:
    listening = socket.create_server((host, 0), backlog=128)
    Thread(target=_accept, args=[listening, MANNERS[manner]], daemon=True).start()
    return f"http://{host}:{listening.getsockname()[1]}/"


def _accept(listening: socket.socket, act: Callable[[socket.socket], None]) -> None:
    while True:
        line, _ = listening.accept()
        Thread(target=_answer, args=[line, act], daemon=True).start()


def _answer(line: socket.socket, act: Callable[[socket.socket], None]) -> None:
    with line, suppress(OSError):
        line.recv(1 << 16)
        act(line)
