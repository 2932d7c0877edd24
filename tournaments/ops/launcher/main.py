"""Every `manage.py` command but `test`: completes the environment, starts the servers, and hands over to Django.

What is cheap to refuse is refused first, and the servers are started last.
"""

import argparse
import fcntl
import os
import runpy
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import IO

from engine.outside import BadGame
from tournaments.core.errors import Refused, SchemaError
from tournaments.ops.launcher import backup_file
from tournaments.ops.launcher.data_dir import Data, InUseError
from tournaments.ops.launcher.embedded_server import Server, ServerError
from tournaments.ops.launcher.first_processes import first_processes
from tournaments.ops.launcher.overview import no_command
from tournaments.ops.launcher.server_start import Progress, ServerWait, complain
from tournaments.ops.launcher.sites import MAKES_ONE, NoSiteError, named_database, site_of
from tournaments.ops.launcher.up_options import DEFAULT, folder
from workers.addresses import BadSetting
from workers.loading import loading

WITH_DATA = ("up", "doctor")  # they know the option --data themselves
WITHOUT_DATA = (  # `up` starts its servers itself
    *("up", "bench", "faults", "doctor", "help", "version", "--version"),
    *("check", "collectstatic", "diffsettings", "findstatic", "spectacular", "startapp", "startproject"),
    *("makemigrations", "makemessages", "compilemessages"),
)
UNNAMED = "dispatch"  # a process of the site, whose lines may be JSON
HELP = {"--help", "-h"}
FILE_CHECKS = {"backup": backup_file.check_target, MAKES_ONE: backup_file.check_ends}


def main(arguments: Sequence[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    try:
        named, remaining = data_option(arguments)
        with prepared(remaining, named):
            run_command(remaining, named)
    except (ServerError, SchemaError, InUseError, BadGame, BadSetting) as problem:
        print(problem, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception as problem:
        if not (sentence := import_module("tournaments.ops.launcher.command_failures").failure_sentence(problem)):
            raise
        print(sentence, file=sys.stderr)
        return 2
    return 0


def run_command(arguments: Sequence[str], named: Path | None) -> None:
    """Run one of Django's commands, unless the tables are of another release."""
    load_django()  # of `up`, which has started its first processes by now
    if takes_data(arguments):
        import_module("tournaments.ops.launcher.site_option").list_site_option()
    if arguments[:1] == ["migrate"] and needs_data(arguments):  # before there are tables on it
        database = {"DATABASE_URL": os.environ["DATABASE_URL"]}
        import_module("tournaments.ops.launcher.server_faults").refuse_servers(database)
    if needs_data(arguments) or starts_all(arguments):
        import_module("tournaments.core.schema_release").refuse_other_release(arguments[0], named)
    own_option = ("--data", str(named)) if named and arguments[:1] and arguments[0] in WITH_DATA else ()
    import_module("django.core.management").execute_from_command_line(["manage.py", *arguments, *own_option])


@cache
def load_django() -> None:
    with loading():
        import_module("django").setup()


def check_arguments(arguments: Sequence[str]) -> None:
    """End the process with a sentence where there is no such command, or it does not take these arguments."""
    load_django()
    import_module("tournaments.ops.launcher.site_option").list_site_option()
    management = import_module("django.core.management")
    command = management.ManagementUtility(["manage.py", *arguments]).fetch_command(arguments[0])
    command._called_from_command_line = True  # noqa: SLF001  as run_from_argv does: errors are written, not raised
    command.create_parser("manage.py", arguments[0]).parse_args(list(arguments[1:]))


def data_option(arguments: Sequence[str]) -> tuple[Path | None, list[str]]:
    """Return the folder that --data names, and the arguments without it."""
    parser = argparse.ArgumentParser(prog="manage.py", add_help=False, allow_abbrev=False)
    parser.add_argument("--data", type=folder)
    options, remaining = parser.parse_known_args(arguments)
    return options.data, remaining


def needs_data(arguments: Sequence[str]) -> bool:
    """Whether the command reads or writes what a site holds. Its help does not."""
    options = takewhile("--".__ne__, arguments)
    return bool(arguments) and arguments[0] not in WITHOUT_DATA and not HELP & set(options)


def takes_data(arguments: Sequence[str]) -> bool:
    """Whether this is a command on data, or the question for its help."""
    named = arguments[1:] if arguments[:1] == ["help"] else arguments
    return bool(named) and named[0] not in WITHOUT_DATA


def starts_all(arguments: Sequence[str]) -> bool:
    """Whether this is `up`, which starts its servers itself, and not the question for its help."""
    return arguments[:1] == ["up"] and not HELP & set(arguments)


@contextmanager
def prepared(arguments: Sequence[str], named: Path | None) -> Iterator[None]:
    command = arguments[0] if arguments else "help"
    if starts_all(arguments):
        with first_processes(arguments[1:], Data(named or DEFAULT)):
            yield
    elif needs_data(arguments):
        try:
            data = site_of(command, named, os.environ)
        except NoSiteError:
            if sentence := no_command(command, runpy.run_module("tournaments.settings")["INSTALLED_APPS"]):
                raise ServerError(sentence) from None
            raise
        refuse_second_database(arguments, data)
        refuse_file(arguments)
        with working_on(data, arguments):
            yield
    elif named and command not in WITH_DATA and not (HELP & set(arguments) or takes_data(arguments)):
        raise ServerError(f"`manage.py {command}` works on no site: leave out --data.")
    else:
        yield


def refuse_file(arguments: Sequence[str]) -> None:
    """Refuse a file that `backup` cannot write, or that is no backup to restore. Raises ServerError."""
    check = FILE_CHECKS.get(arguments[0])
    if check:
        try:
            check(file_options(arguments).file.absolute())
        except Refused as refused:
            raise ServerError(str(refused)) from None


def file_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what `backup` and `restore` are told, before Django is loaded."""
    parser = argparse.ArgumentParser(prog=f"manage.py {arguments[0]}", add_help=False)
    parser.add_argument("file", type=Path)
    parser.add_argument("--create", metavar="NAME")
    for option in (["-v", "--verbosity"], ["--settings"], ["--pythonpath"]):  # Django's own, which have a value
        parser.add_argument(*option, help=argparse.SUPPRESS)
    return parser.parse_known_args(arguments[1:])[0]


def refuse_second_database(arguments: Sequence[str], data: Data | None) -> None:
    """Refuse `restore --create` on the built-in server, where a site uses the one database. Raises ServerError."""
    if data is None or arguments[0] != MAKES_ONE:
        return
    if file_options(arguments).create and os.environ.get("DATABASE_URL", "") in ("", data.own_database()):
        raise ServerError(
            "--create is for a server that DATABASE_URL names: a site uses one database of the built-in PostgreSQL. "
            "Restore into a new data folder instead (--data DIR), and start the site there: up --data DIR."
        )


@contextmanager
def working_on(data: Data | None, arguments: Sequence[str]) -> Iterator[None]:
    """Complete the environment for the site in the folder, check the arguments, and have its servers run."""
    command = arguments[0]
    if data is None:
        print_database(data, command)
        check_arguments(arguments)
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # leaves as Ctrl-C does: with the servers stopped
    with nothing_half_made(data):
        data.complete(os.environ)
        if not os.environ.get("SITE_URL") and (address := data.memory().get("address")):
            os.environ["SITE_URL"] = address
        print_database(data, command)
        check_arguments(arguments)
        data.postgres.empty = command == MAKES_ONE  # which fills an empty one
        with running_servers(data, data.servers(os.environ), command):
            yield


@contextmanager
def nothing_half_made(data: Data) -> Iterator[None]:
    """Remove the folder if it is new and the command fails: a restore of a file that is no backup leaves no site."""
    is_new = not data.folder.exists()
    try:
        yield
    except BaseException:
        for path in (data.folder, data.postgres.folder) if is_new else ():
            shutil.rmtree(path, ignore_errors=True)
        raise


def print_database(data: Data | None, command: str) -> None:
    if command != UNNAMED:
        print(named_database(data, os.environ), file=sys.stderr, flush=True)


@contextmanager
def running_servers(data: Data, servers: Sequence[Server], command: str) -> Iterator[None]:
    """Use the servers of an `up` or another command that runs on this folder; start our own if there is none."""
    log = data.log("postgres")
    wait = ServerWait(f"{data.folder} is in use, and its servers do not answer", complain, log)
    progress = Progress(log)
    with ExitStack() as stack:
        guests = stack.enter_context((data.folder / "guests").open("a"))
        while not (_start(stack, guests, data, servers, command) or _share(guests, servers)):
            if not wait.goes_on(progress):
                busy = f"{data.folder} is in use by {data.user()}, and its servers do not answer yet"
                raise ServerError(
                    f"{busy}. If it is starting, try again in a minute; {log} says what the database does."
                )
        yield


def _start(stack: ExitStack, guests: IO[str], data: Data, servers: Sequence[Server], command: str) -> bool:
    try:
        stack.enter_context(data.held(f"manage.py {command}"))
    except InUseError:
        return False
    for server in servers:
        stack.callback(server.stop)
        server.start()
    stack.callback(_see_off, guests)
    return True


def _see_off(guests: IO[str]) -> None:
    """Wait for those who use our servers."""
    try:
        fcntl.flock(guests, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        complain("Done. Other commands use the servers that this one has started: it waits for their end.")
        fcntl.flock(guests, fcntl.LOCK_EX)


def _share(guests: IO[str], servers: Sequence[Server]) -> bool:
    """Keep the process that started the servers from stopping them while we use them."""
    fcntl.flock(guests, fcntl.LOCK_SH)
    if all(server.answers() for server in servers):
        return True
    fcntl.flock(guests, fcntl.LOCK_UN)
    return False
