"""Every `manage.py` command but `test`: completes the environment, starts the servers, and hands over to Django."""

import argparse
import fcntl
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO

from engine.outside import BadGame
from tournaments.launcher.data_dir import Data, InUseError
from tournaments.launcher.embedded_server import Server, ServerError
from tournaments.launcher.first_processes import first_processes
from tournaments.launcher.server_start import Progress, ServerWait, complain
from tournaments.launcher.subprocess_group import ROOT
from workers.loading import loading

WITH_DATA = ("up", "doctor")  # they know the option --data themselves
WITHOUT_SERVERS = ("up", "bench", "faults", "doctor", "help", "version", "--version")  # `up` starts them itself
HELP = {"help", "--help", "-h"}


def main(arguments: Sequence[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    command = arguments[0] if arguments else "help"
    folder, rest = data_folder(arguments)
    try:
        with prepared("help" if HELP & set(arguments) else command, Data(folder), arguments[1:]):
            run_command(arguments if command in WITH_DATA else rest)
    except (ServerError, InUseError, BadGame) as problem:
        print(problem, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def run_command(arguments: Sequence[str]) -> None:
    """Django is loaded here, and not before: `up` has started its first processes by now."""
    with loading():
        import_module("django").setup()
    import_module("django.core.management").execute_from_command_line(["manage.py", *arguments])


def data_folder(arguments: Sequence[str]) -> tuple[Path, list[str]]:
    """The folder that --data names, and the arguments without it."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data", type=Path, default=ROOT / ".data")
    known, rest = parser.parse_known_args(arguments)
    return known.data.absolute(), rest


@contextmanager
def prepared(command: str, data: Data, options: Sequence[str]) -> Iterator[None]:
    if command == "up":
        data.complete(os.environ)
        with first_processes(options, data):
            yield
        return
    if command not in WITHOUT_SERVERS and not {"DATABASE_URL", "REDIS_URL"} <= os.environ.keys():
        data.complete(os.environ)
        data.postgres.empty = command == "restore"  # which fills an empty one
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # leaves as Ctrl-C does: with the servers stopped
        with running(data, data.servers(os.environ), command):
            yield
        return
    yield


@contextmanager
def running(data: Data, servers: Sequence[Server], command: str) -> Iterator[None]:
    """Use the servers of an `up` or another command that runs on this folder; start our own if there is none."""
    log = data.log("postgres")
    wait = ServerWait(f"{data.folder} is in use, and its servers do not answer", complain, log)
    progress = Progress(log)
    with ExitStack() as stack:
        guests = stack.enter_context((data.folder / "guests").open("a"))
        while not (_start(stack, guests, data, servers, command) or _share(guests, servers)):
            if not wait.goes_on(progress):
                raise ServerError(f"{data.folder} is in use, but its servers do not answer. See {log}.")
        yield


def _start(stack: ExitStack, guests: IO[str], data: Data, servers: Sequence[Server], command: str) -> bool:
    try:
        stack.enter_context(data.held(f"manage.py {command}"))
    except InUseError:
        return False
    for server in servers:
        stack.callback(server.stop)
        server.start()
    stack.callback(fcntl.flock, guests, fcntl.LOCK_EX)  # at the end: wait for those who use our servers
    return True


def _share(guests: IO[str], servers: Sequence[Server]) -> bool:
    """Keep the process that started the servers from stopping them while we use them."""
    fcntl.flock(guests, fcntl.LOCK_SH)
    if all(server.answers() for server in servers):
        return True
    fcntl.flock(guests, fcntl.LOCK_UN)
    return False
