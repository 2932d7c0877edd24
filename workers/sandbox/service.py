"""The arena as a service: zygotes for workers in other containers. `python3 -m workers.sandbox.service SOCKET STORE`

Its container has no network, no secret and the store; a worker's has no bots. A worker connects once for each zygote
and says which folders its programs read besides; it is given the tier, and the zygote's end of orders, and then speaks
to the zygote itself by the same messages (arena.py). The zygote ends when that connection does, or when we do. From
another container a process can be neither signalled nor seen, so a box kills by its life line, and reads the clocks
from open files of /proc that its bot handed over. To share one process namespace would be simpler still, but then the
worker, with its password of the broker, would be there for whatever escapes from a box.
"""

import json
import os
import select
import socket
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from workers.sandbox.arena import Arena, Own, launch
from workers.sandbox.errors import SandboxError
from workers.sandbox.tiers import Plan

LARGEST_MESSAGE = 65536
HASTE_S = 5  # a worker says at once what it wants


def _serve(path: Path, store: Path) -> None:
    os.umask(0o077)
    store.mkdir(parents=True, exist_ok=True)
    with Arena.start(store, minimum=os.environ.get("MIN_SANDBOX", "landlock")) as first:
        plan = first.plan
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.bind(str(path))
        os.chown(path, store.stat().st_uid, -1)  # only the user of the workers comes in, whose folder the store is
        door.listen()
        print(f"The arena serves at {path}, in the tier '{plan.tier}'.", flush=True)
        zygotes: list[Own] = []
        while True:
            if select.select([door], [], [], 1)[0]:
                zygotes += welcome(door, plan, store.resolve())
            for ended in [zygote for zygote in zygotes if not zygote.alive()]:
                ended.kill()  # to have its groups cleared
                zygotes.remove(ended)


def welcome(door: socket.socket, plan: Plan, store: Path) -> list[Own]:
    """A zygote for the worker that is at the door."""
    worker, _ = door.accept()
    with worker:
        worker.settimeout(HASTE_S)
        try:
            message = worker.recv(LARGEST_MESSAGE)
            return [make(worker, message, plan, store)] if message else []  # or only a look whether we are here
        except (OSError, ValueError, SandboxError) as error:
            with suppress(OSError):
                worker.send(json.dumps({"failed": str(error)}).encode())
            print(f"A worker was turned away: {error}", file=sys.stderr, flush=True)
            return []


def make(worker: socket.socket, message: bytes, plan: Plan, store: Path) -> Own:
    request = json.loads(message)
    reads = request.get("reads") if isinstance(request, dict) else None
    if not isinstance(reads, list) or not all(isinstance(path, str) for path in reads):
        raise ValueError('a worker has to say {"reads": [paths]}')
    zygote = launch(plan, store, reads, worker.fileno())
    reply = {"plan": asdict(plan), "extras": zygote.extras}
    with zygote.orders:
        try:
            socket.send_fds(worker, [json.dumps(reply).encode()], [zygote.orders.fileno()])
        except OSError:
            zygote.kill()
            raise
    return zygote


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python3 -m workers.sandbox.service SOCKET STORE")
    try:
        _serve(Path(sys.argv[1]), Path(sys.argv[2]))
    except (OSError, SandboxError) as error:
        sys.exit(f"The arena cannot start: {error}")
    except KeyboardInterrupt:
        sys.exit(0)
