"""Hosts of their own on one machine: network namespaces, and bad lines between them.

A line is two `tun` devices and a thread that carries IP packets from one to the other, late and not always. It is the
firewall too: of what a worker's host sends, only TCP to the doors of the site gets through.
"""

import ctypes
import fcntl
import heapq
import os
import random
import struct
import subprocess
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import count
from select import select
from threading import Thread
from time import monotonic

SITE = "10.77.0.1"
TUNSETIFF, IFF_TUN, IFF_NO_PI, CLONE_NEWNET = 0x400454CA, 0x0001, 0x1000, 0x40000000
TCP, LARGEST = 6, 65536
libc = ctypes.CDLL(None, use_errno=True)


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@contextmanager
def a_host(name: str) -> Iterator[str]:
    """A network namespace with nothing in it but a loopback device."""
    full = f"boardroom-{os.getpid()}-{name}"
    ip("netns", "add", full)
    try:
        ip("-n", full, "link", "set", "lo", "up")
        yield full
    finally:
        ip("netns", "delete", full)


@contextmanager
def inside(host: str) -> Iterator[None]:
    """Let what this thread opens meanwhile, a socket or a device, be on that host; it stays there."""
    with open("/proc/thread-self/ns/net", "rb") as own_network, open(f"/run/netns/{host}", "rb") as other_network:  # noqa: PTH123
        _enter(other_network.fileno())
        try:
            yield
        finally:
            _enter(own_network.fileno())


def _enter(namespace: int) -> None:
    if libc.setns(namespace, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _device(host: str, name: str, address: str, peer: str) -> int:
    with inside(host):
        device = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH14x", name.encode(), IFF_TUN | IFF_NO_PI))
    ip("-n", host, "addr", "add", address, "peer", peer, "dev", name)
    ip("-n", host, "link", "set", name, "up")
    return device


class Line(Thread):
    """Carries packets until `close`. While it is `cut` it loses them all; `lost` counts them."""

    def __init__(self, site: str, host: str, number: int, doors: Collection[int]) -> None:
        super().__init__(name=f"line to {host}", daemon=True)
        address = f"10.77.0.{number}"
        self.ends = (_device(site, f"line{number}", SITE, address), _device(host, "line", address, SITE))
        self.doors, self.chance = doors, random.Random(number)
        self.loss, self.delay, self.jitter = 0.02, 0.04, 0.01  # seconds, each way
        self.cut, self.lost, self.carried = False, 0, 0
        self._under_way: list[tuple[float, int, int, bytes]] = []
        self._numbers, self._open = count(), True
        self.start()

    def run(self) -> None:
        while self._open:
            wait = max(0.0, self._under_way[0][0] - monotonic()) if self._under_way else 0.1
            ready, _, _ = select(self.ends, (), (), min(wait, 0.1))
            for end in ready:
                self._take(os.read(end, LARGEST), to_site=end == self.ends[1])
            while self._under_way and self._under_way[0][0] <= monotonic():
                _, _, end, packet = heapq.heappop(self._under_way)
                os.write(end, packet)

    def _take(self, packet: bytes, *, to_site: bool) -> None:
        if not self._passes(packet, to_site=to_site):
            return
        if self.cut or self.chance.random() < self.loss:
            self.lost += 1
            return
        self.carried += 1
        due = monotonic() + self.delay + self.chance.uniform(-self.jitter, self.jitter)
        heapq.heappush(self._under_way, (due, next(self._numbers), self.ends[0 if to_site else 1], packet))

    def _passes(self, packet: bytes, *, to_site: bool) -> bool:
        """IPv4 and TCP, to a door of the site or from one."""
        if packet[0] >> 4 != 4 or packet[9] != TCP:
            return False
        begins = (packet[0] & 15) * 4
        ports = struct.unpack_from("!HH", packet, begins)
        return ports[1 if to_site else 0] in self.doors

    def close(self) -> None:
        self._open = False
        self.join()
        for end in self.ends:
            os.close(end)
