"""`manage.py doctor`: what works on this machine, and what to do about what does not."""

import os
import platform
import re
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import redis
from django.core.management.base import BaseCommand, CommandError

from bots.languages import LANGUAGES, Language, Missing
from tournaments.ops.launcher.data_dir import Data
from tournaments.ops.launcher.embedded_server import Server, ServerError
from tournaments.ops.launcher.postgres import Postgres
from tournaments.ops.launcher.server_faults import Fault, advice, broker_faults, postgres_faults
from tournaments.ops.launcher.server_versions import missing_fixes, not_tried, too_old
from tournaments.ops.launcher.up_options import DEFAULT, folder
from tournaments.ops.launcher.valkey import Valkey
from tournaments.ops.monitoring.findings import Finding
from tournaments.ops.monitoring.public_site import WATCHED, PublicSite
from workers import bot_runner
from workers.addresses import site_address
from workers.bot_runner import BotRunner
from workers.languages import prove_language
from workers.sandbox.arena import TIERS, Arena
from workers.sandbox.errors import SandboxError
from workers.sandbox.wasm import TIER as WASM
from workers.sandbox.wasm import pack

ROOM = 1 << 30  # bytes that a data folder should have
IN_PUBLIC = "In public, name one in {} that gets its updates from your system: docs/serve.md"
NEWER = "Perhaps a newer one can: docs/write-a-bot.md names those that cannot."
LONGEST = 300  # characters of what a trial said
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Command(BaseCommand):
    help = "Say what works on this machine, and what to do about what does not."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--data", type=folder, default=DEFAULT, help="the folder that `up` would use (.data)")
        parser.add_argument("--public", action="store_true", help="ask the running site through its proxy (SITE_URL)")

    def handle(self, *_: Any, **options: Any) -> None:
        sick, data, in_public = False, Data(options["data"]), options["public"]
        if in_public:
            self.stdout.write(f"This takes about {WATCHED:.0f} s: a stream is watched.")
        for finding in public_site(data).findings(os.environ) if in_public else doctor_findings(data.folder):
            sick |= finding.vital and not finding.works
            self.stdout.write(f"{'ok     ' if finding.works else 'missing'}  {finding.name:<18} {finding.detail}")
            if finding.remedy:
                self.stdout.write(f"{'':28}{finding.remedy}")
        if sick:
            done = "should not run in public" if in_public else "cannot run here"
            raise CommandError(f"Boardroom {done} until what is missing above is there.", returncode=1)
        self.stdout.write("Nothing vital is missing." if in_public else "Boardroom can run here: python3 manage.py up")


def public_site(data: Data) -> PublicSite:
    """Return the site of this environment or, where it lacks something, of the data folder."""
    address = os.environ.get("SITE_URL") or data.memory().get("address", "")
    kept = data.folder / "secrets" / "SECRET_KEY"
    key = os.environ.get("SECRET_KEY") or (kept.read_text().strip() if kept.is_file() else "")
    return PublicSite(site_address(address), key, os.environ.get("METRICS_TOKEN", ""))


def doctor_findings(data: Path) -> Iterator[Finding]:
    yield Finding("Python", works=True, detail=f"{platform.python_version()} in {sys.prefix}")
    yield room(data)
    yield server("PostgreSQL", "DATABASE_URL", Postgres, postgres_version)
    yield server("Valkey", "REDIS_URL", Valkey, valkey_version)
    yield from map(tier, TIERS)
    yield sandbox()
    yield from try_languages()
    yield browser()


def room(data: Path) -> Finding:
    try:
        Data(data).check()
    except ServerError as problem:
        return Finding("data folder", works=False, detail=str(problem))
    place = next(folder for folder in (data, *data.parents) if folder.exists())
    free, writable = shutil.disk_usage(place).free, os.access(place, os.W_OK)
    detail = f"{data}: {free / (1 << 30):.1f} GB free{'' if writable else ', and it cannot be written'}"
    works = writable and free >= ROOM
    return Finding("data folder", works, detail, "" if works else "Name a folder with 1 GB of room: --data DIR")


def server(name: str, variable: str, kind: type[Postgres | Valkey], ask: Callable[[str], str]) -> Finding:
    """The one that the environment names, or a trial of our own in a temporary folder."""
    try:
        if address := os.environ.get(variable):
            faults = broker_faults(address) if kind is Valkey else postgres_faults(address)
            return server_finding(name, f"{ask(address)}, as {variable} names it", *faults)
        return server_finding(name, f"{try_server(kind, ask)}, built in", advice(IN_PUBLIC.format(variable)))
    except (ServerError, OSError, psycopg.Error, redis.RedisError, ValueError) as problem:
        remedy = (
            f"Check {variable}, or unset it to use the built-in one."
            if os.environ.get(variable)
            else (f"Or set {variable} to the address of one that runs.")
        )
        return Finding(name, works=False, detail=" ".join(str(problem).split()), remedy=remedy)


def server_finding(name: str, detail: str, *faults: Fault) -> Finding:
    """Return the finding on a server that answers. `detail` begins with its kind and its version."""
    kind, version = re.split(r"[ ,]+", detail)[:2]
    if refusal := too_old(kind, version):
        return Finding(name, works=False, detail=detail, remedy=refusal)
    remedies = (missing_fixes(kind, version), not_tried(kind, version), *(fault.sentence for fault in faults))
    return Finding(name, not any(fault.vital for fault in faults), detail, " ".join(filter(None, remedies)))


def try_server(kind: type[Postgres | Valkey], ask: Callable[[str], str]) -> str:
    with tempfile.TemporaryDirectory(prefix="boardroom-doctor-") as folder:
        Path(folder).chmod(0o711)  # PostgreSQL may have to run as nobody
        tried: Server = kind(Path(folder) / "server", Path(folder) / "log", durable=False)
        try:
            tried.start()
            return ask(tried.url)
        finally:
            tried.stop()
            shutil.rmtree(tried.folder, ignore_errors=True)


def postgres_version(address: str) -> str:
    with psycopg.connect(address, connect_timeout=5) as connection:
        return f"PostgreSQL {connection.info.parameter_status('server_version')}"


def valkey_version(address: str) -> str:
    with redis.Redis.from_url(address, socket_connect_timeout=5) as connection:
        info = connection.info("server")
    version = info.get("valkey_version")
    return f"Valkey {version}" if version else f"Redis {info['redis_version']}"


def tier(name: str) -> Finding:
    """Whether this tier could hold bots, apart from the settings."""
    try:
        detail = f"holds{tried_tier(tier=name)[1]}" + (f", by {pack.find_pack().name}" if name == WASM else "")
        return Finding(f"tier {name}", works=True, detail=detail)
    except (SandboxError, OSError) as problem:
        return Finding(f"tier {name}", works=False, detail=str(problem), vital=False)


def sandbox() -> Finding:
    """Return the sandbox that a worker of this environment would take."""
    least, exactly = os.environ.get("MIN_SANDBOX") or bot_runner.LEAST, os.environ.get("SANDBOX", "")
    try:
        tier, extras = tried_tier(minimum=least, tier=exactly)
    except (SandboxError, OSError) as problem:
        return Finding(
            "sandbox", works=False, detail=str(problem), remedy="docs/security.md says what each tier needs."
        )
    asked = f"SANDBOX asks for {exactly}" if exactly else f"the least allowed is {least}"
    return Finding("sandbox", works=True, detail=f"{tier}{extras} ({asked})")


def tried_tier(*, minimum: str = "", tier: str = "") -> tuple[str, str]:
    """Return the tier that a worker gets, and what it has besides. Raises SandboxError or OSError."""
    with tempfile.TemporaryDirectory(prefix="boardroom-doctor-") as store:
        runner = bot_runner.find_runner(Path(store), minimum=minimum, tier=tier)
        runner.close()
    return runner.tier, f" with {' and '.join(runner.extras)}" if runner.extras else ""


def try_languages() -> Iterator[Finding]:
    """Try each language in the sandbox, as a worker does before it offers it."""
    least, exactly = os.environ.get("MIN_SANDBOX") or bot_runner.LEAST, os.environ.get("SANDBOX", "")
    with tempfile.TemporaryDirectory(prefix="boardroom-doctor-") as store, ExitStack() as at_the_end:
        try:
            runner = bot_runner.find_runner(Path(store), minimum=least, tier=exactly)
            at_the_end.callback(runner.close)
        except (SandboxError, OSError):
            runner = None  # which has a line of its own
        for language in LANGUAGES.values():
            if not language.home_only:
                yield bots_in(language, runner)


def bots_in(language: Language, runner: BotRunner | None) -> Finding:
    """Return whether this machine has the language, and whether it runs in the sandbox, if there is one."""
    name, vital, version = f"bots in {language.name}", language.name == "python", ""
    try:
        tool = language.detect()
        version = tool.version
        if isinstance(runner, Arena):
            prove_language(runner, language, tool)
        elif runner and language.offer() not in runner.tools:
            return Finding(name, works=False, detail=f"in the tier {runner.tier} there is Python alone", vital=False)
    except Missing as missing:
        remedy = "" if version else language.remedy
        return Finding(name, works=False, detail=str(missing), remedy=remedy, vital=vital)
    except (SandboxError, OSError) as problem:
        detail = f"{version} is here, but no site can play bots with it: {' '.join(str(problem).split())[:LONGEST]}"
        return Finding(name, works=False, detail=detail, remedy=NEWER, vital=vital)
    return Finding(name, works=True, detail=version)


def browser() -> Finding:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    remedy = "" if path else "Only the tests of the pages want it. Debian: apt-get install chromium"
    return Finding("browser", bool(path), path or "no Chromium", remedy, vital=False)
