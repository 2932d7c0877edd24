"""How each kind of fault is done to the stage. What lasts is undone later, by the stage's own clock."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from django.db import connection
from redis import Redis, RedisError

from tests.faults.plan import Fault
from tests.faults.stage import Stage, skewed
from tests.faults.steps import STEPS, Step
from tournaments.ops.launcher.subprocess_group import end_group, stop

NOT_MET = 8.0  # seconds for somebody to come to a step
WRONG_FOR = 10.0  # seconds, of a clock
STEP = {step.name: step for step in STEPS}


def strike(stage: Stage, fault: Fault) -> float | None:
    """Return when the fault happened (monotonic), or None if nobody came to the step in time or nothing is there."""
    if fault.where in STEP:
        return _at_step(stage, fault, STEP[fault.where])
    happened = time.monotonic()
    return happened if BY_KIND[fault.kind](stage, fault) is not False else None


def _at_step(stage: Stage, fault: Fault, step: Step) -> float | None:
    stage.trap.arm(step, "kill" if fault.kind == "kill at" else "stop")
    end, caught = time.monotonic() + NOT_MET, None
    while not caught and time.monotonic() < end:
        caught = stage.trap.caught(step)
        stage.revive()  # and nothing that asks the site, which may stand still here until this loop wakes it
        time.sleep(0.005)
    stage.trap.disarm(step)
    caught = caught or stage.trap.caught(step)
    if not caught:
        return None
    noticed = time.monotonic()  # by the clock of this process: that of the other may be set wrong
    _while_stopped(stage, fault, caught)
    return noticed


def _while_stopped(stage: Stage, fault: Fault, pid: int) -> None:
    if fault.kind == "database restarts at":
        stage.restart("postgres")
    if fault.kind == "broker forgets at":
        wipe(stage)
    if fault.kind != "kill at":
        stage.after(fault.seconds, partial(wake, pid))


def wake(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def _one(stage: Stage, fault: Fault, kind: str = "") -> str:
    names = stage.names(kind or fault.where)
    return names[fault.number % len(names)]


def kill(stage: Stage, fault: Fault) -> None:
    stage.signal(_one(stage, fault), signal.SIGKILL)


def freeze(stage: Stage, fault: Fault) -> None:
    frozen = family(stage.process(_one(stage, fault)).pid)
    for pid in frozen:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
        stage.after(fault.seconds, partial(wake, pid))


def family(pid: int) -> list[int]:
    """A process and its children."""
    pids = [pid]
    for threads in Path(f"/proc/{pid}/task").glob("*/children"):
        pids += map(int, threads.read_text().split())
    return pids


def restart(stage: Stage, fault: Fault) -> None:
    stage.restart(_one(stage, fault))


def wipe(stage: Stage) -> None:
    with suppress(RedisError), Redis.from_url(stage.data.valkey.url, socket_timeout=2) as redis:
        redis.flushall()


def broker(stage: Stage, fault: Fault) -> None:
    if fault.where == "wiped":
        return wipe(stage)
    valkey = stage.data.valkey
    assert valkey.process
    end_group(valkey.process)
    if fault.where.endswith("lost"):
        shutil.rmtree(valkey.folder)
    stage.away["valkey"] = time.monotonic() + fault.seconds
    return None


def database(stage: Stage, fault: Fault) -> None:
    if fault.where == "every connection ended":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        return
    process = stage.process("postgres")
    process.send_signal(signal.SIGINT if fault.where == "shut down fast" else signal.SIGQUIT)
    stage.away["postgres"] = time.monotonic() + fault.seconds


def wire(stage: Stage, fault: Fault) -> None:
    relay = stage.relays[_one(stage, fault, "worker")]
    {"stalled": relay.stall, "cut": relay.reset, "replies lost": relay.lose_replies}[fault.where]()
    stage.after(fault.seconds, relay.mend)


def zombie(stage: Stage, fault: Fault) -> bool:
    """A worker freezes with its report in hand until its lease has moved on, and then hands it in."""
    return _at_step(stage, fault, STEP["match played, report not sent"]) is not None


def clock(stage: Stage, fault: Fault) -> None:
    """A process starts again with a wrong clock, and later with a right one."""
    name = _one(stage, fault)
    stop([(stage.programs[name], stage.running[name])])
    stage.start(name, **skewed(fault.seconds))
    stage.restart_after(WRONG_FOR, name)


def disk(stage: Stage, fault: Fault) -> bool:
    if stage.disk is None:
        return False
    stage.disk.fill()
    stage.after(fault.seconds, stage.disk.free)
    return True


BY_KIND: dict[str, Callable[[Stage, Fault], bool | None]] = {
    "kill": kill,
    "freeze": freeze,
    "restart": restart,
    "broker": broker,
    "database": database,
    "wire": wire,
    "zombie": zombie,
    "clock": clock,
    "disk": disk,
}
