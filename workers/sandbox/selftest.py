"""The self-test: before an arena is trusted, a bot of ours attacks it from the inside, and must fail everywhere."""

import json
import os
import select
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from workers.sandbox import syscalls
from workers.sandbox.box import Box
from workers.sandbox.errors import SandboxError
from workers.sandbox.limits import MB, Limits
from workers.sandbox.namespaces import STORE
from workers.sandbox.privileges import FIRST_USER
from workers.sandbox.tiers import DEV, Plan

PROBE = Path(__file__).with_name("probe.py")
PATIENCE_S = 30
LIMITS = Limits(memory_mb=256, threads=4, temp_mb=1, cpu_s=10)

Spawn = Callable[[str, str, Limits], Box]


def prove_confinement(spawn: Spawn, store: Path, checkout: Path, plan: Plan, extras: Sequence[str]) -> None:
    """Raise SandboxError (`self_test_failed`) if the probe gets out of its box anywhere, or does not finish."""
    if plan.tier == DEV:
        return  # there is nothing to prove
    bundle, neighbour = (Path(tempfile.mkdtemp(prefix="self-test-", dir=store)) for _ in range(2))
    try:
        for folder, file in ((bundle, "probe.py"), (neighbour, "secret.py")):
            folder.chmod(0o755)
            shutil.copyfile(PROBE, folder / file)
            (folder / file).chmod(0o444)
        if plan.tier != "pure":  # where what cannot be read by us cannot be shown
            (bundle / "closed.txt").touch(mode=0)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            targets = {
                "tcp_port": listening.getsockname()[1],
                "files": [
                    str(checkout / "workers/sandbox/arena.py"),
                    f"{neighbour}/secret.py",
                    f"../{neighbour.name}/secret.py",
                    f"/store/{neighbour.name}/secret.py",
                ],
                "folders": [str(store), str(checkout)],
                "processes": [os.getpid(), os.getppid(), 1],
                "threads": LIMITS.threads if plan.counts_threads or "cgroup" in extras else 1,
                "memory": 2 * LIMITS.memory_mb * MB,
                "first_user": FIRST_USER if plan.own_user or plan.tier == "namespaces" else 0,
                "files_of_its_own": plan.tier != "pure",
                "own_user": plan.own_user,
                "alone": plan.tier == "namespaces",
                "stored": f"{STORE}/{neighbour.name}",
                "futex": syscalls.NUMBERS["futex"],
                "landlock": "landlock" in extras,
            }
            judge(attack(spawn(bundle.name, "probe.py", LIMITS), targets))
    finally:
        shutil.rmtree(bundle)
        shutil.rmtree(neighbour)


def attack(box: Box, targets: dict[str, object]) -> str:
    """Run the probe; its output."""
    with box:
        with suppress(BrokenPipeError):  # if it ended already, the code below reports it
            os.write(box.stdin, json.dumps(targets).encode() + b"\n")
        output, errors = read_all(box.stdout), read_all(box.stderr)
        box.ended(PATIENCE_S)
    if box.wait().code != 0:
        ended = f"it ended with {box.wait()}, saying: {errors.strip() or 'nothing'}"
        raise SandboxError("self_test_failed", f"The self-test bot did not finish: {ended}.")
    return output


def read_all(pipe: int) -> str:
    """Everything until its end, or until patience does."""
    text, deadline = b"", time.monotonic() + PATIENCE_S
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    while poll.poll(max(0, deadline - time.monotonic()) * 1000):
        if not (more := os.read(pipe, 65536)):
            break
        text += more
    return text.decode(errors="replace")


def judge(output: str) -> None:
    broken = json.loads(output)["broken"]
    if broken:
        raise SandboxError("self_test_failed", f"The self-test bot was not held; it managed to {', '.join(broken)}.")
