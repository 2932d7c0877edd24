"""The process that Python bots are copies of at home: it has loaded what they import, most of the work of a start.

`bots.forked` starts it and sends an order a line: start the bots of a match, each with its pipes, or wait for some. It
knows nothing of a match but the game, and does nothing between orders, so that all bots begin alike.

It has also read and answered the questions of the beginning of a match, always the same one: what reads and writes the
game's records is built when it is first used, and each bot would build it anew.
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
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple, NoReturn

from bots.protocol import Asked, Clock, End, Hello, Ready, encode
from engine.core import Event, Match
from engine.dice import Dice
from engine.game import AnyGame
from engine.records import Record, from_plain, to_plain

CHUNK = 64 << 10
LOADED = ("bots.sdk", "random")  # for bots
MOST_PIPES = 3 * 64  # of one order
PRACTICE = 40  # times that somebody answers
_programs: dict[str, "Program"] = {}
_offered: set[str] = set()  # modules that are loaded for bots


class Program(NamedTuple):
    """A bot's file, and what is known of it: it is compiled once, and run only in the bots."""

    state: tuple[int, ...]  # of file and folder
    path: str
    folder: str
    hidden: Sequence[str]  # modules of ours: others lie beside it under their names
    code: CodeType | None  # None where Python refuses it, as it then does in the bot


class Bot(NamedTuple):
    """What a new bot is told: its program, its environment if it is not the server's, its pipes, all of its match."""

    program: Program
    environment: dict[str, str] | None
    ends: Sequence[int]
    pipes: Sequence[int]


def serve(line: socket.socket, bots: set[int]) -> Bot | None:
    """Returns in a new bot; or None once nobody asks any more."""
    while received := order_on(line):
        order, pipes = received
        if "wait" in order:
            bots.difference_update(order["wait"])
            send_line(line, {"ended": [end_of(pid) for pid in order["wait"]]})
        elif isinstance(answer := begun(order["bots"], pipes), Bot):
            return answer
        else:
            bots.update(answer.get("pids", ()))
            send_line(line, answer)
        for end in pipes:
            os.close(end)
    return None


def begun(asked: Sequence[dict[str, Any]], pipes: Sequence[int]) -> Bot | dict[str, Any]:
    """The bots of a match are started, or none is; returns in each of them, too."""
    pids = list[int]()
    try:
        for number, bot in enumerate(asked):
            os.chdir(bot["folder"])
            program = program_in(bot["file"])
            if not (pid := os.fork()):
                return Bot(program, bot["environment"], pipes[3 * number : 3 * number + 3], pipes)
            pids.append(pid)
    except OSError as error:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        return {"failed": [error.errno, error.strerror, error.filename]}
    return {"pids": pids}


def order_on(line: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    data, pipes, _, _ = socket.recv_fds(line, CHUNK, MOST_PIPES)
    while data and not data.endswith(b"\n"):
        more = line.recv(CHUNK)
        data = data + more if more else b""
    return (json.loads(data), pipes) if data else None


def send_line(line: socket.socket, what: dict[str, Any]) -> None:
    line.sendall(json.dumps(what).encode() + b"\n")


def end_of(pid: int) -> dict[str, Any]:
    _, status, used = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return {"code": code, "cpu_s": used.ru_utime + used.ru_stime, "max_rss_kb": used.ru_maxrss}


def set_up_process(line: socket.socket, bot: Bot) -> None:
    """Give the bot a session, pipes and an environment of its own. Its folder is where the server was at the fork."""
    os.setsid()
    line.close()
    for descriptor, end in enumerate(bot.ends):
        os.dup2(end, descriptor)
    for end in bot.pipes:
        os.close(end)
    if bot.environment is not None:
        os.environ.clear()
        os.environ.update(bot.environment)


def program_in(path: str) -> Program:
    seen = os.stat(path), os.stat(".")  # noqa: PTH116 - quicker than a `Path`, which is made at each start
    state = tuple(number for entry in seen for number in (entry.st_ino, entry.st_mtime_ns, entry.st_size))
    program = _programs.get(path)
    if not program or program.state != state:
        program = _programs[path] = loaded(path, state)
    return program


def loaded(path: str, state: tuple[int, ...]) -> Program:
    folder, code = Path(path).resolve().parent, None
    brought = {file.name.partition(".")[0] for file in folder.iterdir()}
    with suppress(Exception):
        code = compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
    hidden = [name for name in _offered if name.partition(".")[0] in brought]
    return Program(state, path, str(folder), hidden, code)


def run_program(program: Program) -> None:
    """The bot's file as the main program of an ordinary Python. Modules that it brings itself are not ours."""
    for name in program.hidden:
        del sys.modules[name]
    sys.argv[:], sys.path[0] = [program.path], program.folder
    main = sys.modules["__main__"] = ModuleType("__main__")
    main.__dict__.update(__file__=program.path, __builtins__=builtins)
    try:
        code = program.code or compile(Path(program.path).read_bytes(), program.path, "exec", dont_inherit=True)
        exec(code, main.__dict__)  # noqa: S102
    except Exception as error:  # noqa: BLE001 - whatever a bot raises, it is shown without our frame
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(1)


def end_process() -> NoReturn:
    """End without taking apart all that is loaded, which would first have to be copied. Threads are over by now."""
    sys.modules["__main__"].__dict__.clear()  # which writes what is in open files
    gc.collect()
    with suppress(Exception):  # the bot may have closed or replaced it
        sys.stdout.flush()
    os._exit(0)


def practise_match(game: AnyGame) -> None:
    """The beginning of a match, as the SDK and a bot that answers at random read and write it."""
    options = game.read_options({"players": game.players[0]})
    hello = Hello(game.name, game.version, 0, options.players, to_plain(options), Clock())
    from_plain(Hello, json.loads(encode(hello)))
    encode(Ready())
    match, lots = game.start(options, "practice"), Dice.of("practice")
    for _ in range(PRACTICE):
        events = match.hear()
        match.move({seat: practised(game, match, events, seat, lots) for seat in match.questions})
    from_plain(End, json.loads(encode(End([], []))))


def practised(game: AnyGame, match: Match[Any], events: list[Event], seat: int, lots: Dice) -> Record:
    asked = json.loads(encode(Asked(1, match.questions[seat], game.see(match.at, seat), events, 0)))
    list(map(game.read_event, asked["events"]))
    game.read_view(asked["view"])
    action: Record = game.read_question(asked["ask"]).draw(lots)
    encode({"action": action})
    return action


def main(descriptor: str, game: str, bare: set[str]) -> None:
    """`bare`: the modules that every Python has at its start."""
    line, bots = socket.socket(fileno=int(descriptor)), set[int]()
    for name in LOADED:
        importlib.import_module(name)
    with suppress(Exception):  # a game that cannot be played says so in its matches
        practise_match(importlib.import_module("engine.games").GAMES[game])
    _offered.update(set(sys.modules) - bare)
    gc.collect()
    gc.freeze()  # so that a bot's garbage collector does not copy our memory by touching it
    if bot := serve(line, bots):
        set_up_process(line, bot)
        atexit.register(end_process)  # the first, so the last to be called
        try:
            run_program(bot.program)
        except BaseException:
            atexit.unregister(end_process)  # for it ends with code 0
            raise
        return
    for pid in bots:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
