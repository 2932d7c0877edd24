"""The process that Python bots are copies of at home: it has loaded what they import, most of the work of a start.

`bots.forked` starts it and sends an order a line: start a bot, with its pipes, or wait for one. It knows nothing of a
match but the game, and does nothing between orders, so that all bots begin alike.
"""

import atexit
import builtins
import gc
import importlib
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

CHUNK = 64 << 10
LOADED = ("bots.sdk", "bots.protocol", "engine.records", "engine.dice", "random")


def serve(line: socket.socket, bots: set[int]) -> tuple[dict[str, Any], list[int]] | None:
    """Returns in a new bot, with what it is told; or None once nobody asks any more."""
    while received := order_on(line):
        order, pipes = received
        if "wait" in order:
            bots.discard(order["wait"])
            say(line, ended(order["wait"]))
            continue
        try:
            pid = os.fork()
        except OSError as error:
            say(line, failed(error))
        else:
            if not pid:
                return order, pipes
            bots.add(pid)
        for end in pipes:
            os.close(end)
    return None


def order_on(line: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    said, pipes, _, _ = socket.recv_fds(line, CHUNK, 3)
    while said and not said.endswith(b"\n"):
        more = line.recv(CHUNK)
        said = said + more if more else b""
    return (json.loads(said), pipes) if said else None


def say(line: socket.socket, what: dict[str, Any]) -> None:
    line.sendall(json.dumps(what).encode() + b"\n")


def failed(error: OSError) -> dict[str, Any]:
    return {"failed": [error.errno, error.strerror, error.filename]}


def ended(pid: int) -> dict[str, Any]:
    _, status, used = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return {"code": code, "cpu_s": used.ru_utime + used.ru_stime, "max_rss_kb": used.ru_maxrss}


def settle(line: socket.socket, order: dict[str, Any], pipes: Sequence[int]) -> None:
    """In the bot: a session, a folder and pipes of its own. Then it says who it is."""
    try:
        os.setsid()
        os.chdir(order["folder"])
    except OSError as error:
        say(line, failed(error))
        os._exit(1)
    for descriptor, end in enumerate(pipes):
        os.dup2(end, descriptor)
        os.close(end)
    os.environ.clear()
    os.environ.update(order["environment"])
    say(line, {"pid": os.getpid()})
    line.close()


def run(path: str, offered: Iterable[str]) -> None:
    """The bot's file as the main program of an ordinary Python. Modules that it brings itself are not ours."""
    folder = Path(path).resolve().parent
    brought = {found.name.partition(".")[0] for found in folder.iterdir()}
    for name in offered:
        if name.partition(".")[0] in brought:
            del sys.modules[name]
    sys.argv[:], sys.path[0] = [path], str(folder)
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins)
    try:
        exec(compile(Path(path).read_bytes(), path, "exec", dont_inherit=True), main.__dict__)  # noqa: S102
    except Exception as error:  # noqa: BLE001 - whatever a bot raises, it is shown without our frame
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)


def leave() -> NoReturn:
    """What Python does at its end, but for taking apart all that is loaded, which would first have to be copied."""
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 - as `multiprocessing` does at its end
    atexit._run_exitfuncs()  # noqa: SLF001
    sys.modules["__main__"].__dict__.clear()  # which writes what is in open files
    gc.collect()
    with suppress(Exception):  # the bot may have closed or replaced it
        sys.stdout.flush()
    os._exit(0)


def main(descriptor: str, game: str, bare: set[str]) -> None:
    """`bare`: the modules that every Python has at its start."""
    line, bots = socket.socket(fileno=int(descriptor)), set[int]()
    for name in LOADED:
        importlib.import_module(name)
    importlib.import_module("engine.games").GAMES[game]
    offered = set(sys.modules) - bare
    gc.collect()
    gc.freeze()  # so that a bot's garbage collector does not copy our memory by touching it
    if told := serve(line, bots):
        settle(line, *told)
        run(told[0]["file"], offered)
        leave()
    for pid in bots:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
