"""The worker's side of the arena as a service (service.py)."""

import json
import select
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workers.sandbox.arena import PATIENCE_S, Arena, Zygote, plans_down_to
from workers.sandbox.errors import SandboxError
from workers.sandbox.tiers import DEV, Plan


class Far(Zygote):
    """A zygote of the service. It lives as long as the connection it was given on."""

    far = True

    def __init__(self, orders: socket.socket, connection: socket.socket, extras: Sequence[str]) -> None:
        super().__init__(orders)
        self.connection, self.extras = connection, tuple(extras)

    def alive(self) -> bool:
        return self.connection.fileno() >= 0 and not select.select([self.connection], [], [], 0)[0]

    def kill(self) -> None:
        self.orders.close()
        self.connection.close()


def connect(path: str, store: Path, *, minimum: str = "landlock", bots_per_zygote: int = 500) -> Arena:
    """The arena that serves at `path`, on the same store. Raises SandboxError if its tier is below the minimum."""
    store = store.resolve(strict=True)
    first, plan = call(path, ())
    waiting = [first]
    enough = {DEV} if minimum == DEV else {strong.tier for strong in plans_down_to(minimum)}
    if plan.tier not in enough:
        first.kill()
        raise SandboxError("no_sandbox", f"The arena at {path} has the tier '{plan.tier}'; '{minimum}' is the minimum.")
    return Arena(store, plan, bots_per_zygote, lambda reads: waiting.pop() if waiting else call(path, reads)[0])


def call(path: str, reads: Sequence[str]) -> tuple[Far, Plan]:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.settimeout(PATIENCE_S)
    try:
        connection.connect(path)
        connection.send(json.dumps({"reads": list(reads)}).encode())
        reply, orders = answer(connection)
    except OSError as error:
        connection.close()
        raise SandboxError("arena_lost", f"The arena at {path} does not answer: {error}.") from error
    except SandboxError:
        connection.close()
        raise
    return Far(socket.socket(fileno=orders), connection, reply["extras"]), Plan(**reply["plan"])


def answer(connection: socket.socket) -> tuple[dict[str, Any], int]:
    message, descriptors, _, _ = socket.recv_fds(connection, 4096, 1, socket.MSG_CMSG_CLOEXEC)
    reply = json.loads(message or b'{"failed": "The arena closed the connection."}')
    if "failed" in reply:
        raise SandboxError("no_sandbox", reply["failed"])
    return reply, descriptors[0]
