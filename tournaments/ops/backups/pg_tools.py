"""PostgreSQL's own programs, run on our database."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any

from django.db import connection
from psycopg.conninfo import make_conninfo

from tournaments.core.errors import Refused
from tournaments.ops.launcher.postgres_binaries import wheel_binaries
from tournaments.ops.launcher.subprocess_group import die_with

NOT_LIBPQS = {"isolation_level", "pool", "server_side_binding", "assume_role"}  # options that are Django's own
VERSION = re.compile(r"\(PostgreSQL\) (\d+)")


def pg_program(program: str, server: int) -> Path:
    """Return the program, of the server's major version or a newer one. Raises Refused(no_program)."""
    programs = {place: program_major(place) for place in _places(program)}
    for place, version in programs.items():
        if version >= server:
            return place
    present = f"here is that of {max(programs.values())}" if programs else "there is none here"
    needed = f"PostgreSQL's {program} of version {server} or newer is needed for this server, and {present}."
    raise Refused("no_program", f"{needed} Install the client programs of PostgreSQL {server}.")


def _places(program: str) -> list[Path]:
    bundled, on_path = wheel_binaries(), shutil.which(program)
    debian = sorted(Path("/usr/lib/postgresql").glob(f"[0-9]*/bin/{program}"), reverse=True)
    places = [bundled / program] if bundled else []
    return [place for place in (*places, *([Path(on_path)] if on_path else []), *debian) if place.exists()]


def program_major(program: Path) -> int:
    output = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    matched = VERSION.search(output)
    return int(matched[1]) if matched else 0


def start_pg(command: Sequence[str | Path], out: IO[bytes] | int, **environment: str) -> subprocess.Popen[bytes]:
    """Start it; it ends with this process, and its transaction is rolled back."""
    return subprocess.Popen(
        [str(part) for part in command],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.PIPE,
        preexec_fn=partial(die_with, os.getpid(), signal.SIGKILL),  # noqa: PLW1509
    )


def finish_pg(process: subprocess.Popen[bytes], code: str, what: str) -> None:
    """Wait for its end. Raises Refused(code) with its error output if it failed."""
    with process:
        stderr = process.stderr.read().decode(errors="replace") if process.stderr else ""
    if process.returncode:
        reason = " ".join(stderr.split())[-500:] or f"it ended with {process.returncode}"
        raise Refused(code, f"{what}: {reason}")


def connection_string() -> tuple[str, Mapping[str, str]]:
    """Return the database's connection string for libpq; the password apart, because others can read arguments."""
    driver_options: dict[str, Any] = dict(connection.settings_dict["OPTIONS"])
    options = {name: value for name, value in driver_options.items() if name not in NOT_LIBPQS}
    names = {"dbname": "NAME", "user": "USER", "host": "HOST", "port": "PORT"}
    options |= {name: connection.settings_dict[key] for name, key in names.items() if connection.settings_dict[key]}
    return make_conninfo(**options), {"PGPASSWORD": connection.settings_dict["PASSWORD"]}


def server_major() -> int:
    connection.ensure_connection()
    return int(connection.connection.info.server_version // 10000)
