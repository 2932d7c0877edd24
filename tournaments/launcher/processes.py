"""The processes of the platform on one machine: how each is started, and what each may know."""

import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from engine.outside import VARIABLE
from tournaments.launcher.subprocess_group import ROOT, Program
from workers.identity import derive

PYTHON = Path(sys.executable)
# A match worker plays strangers' code: it is told how to find the broker and the site, and no secret of theirs.
LOGS = ("LOG_LEVEL", "LOG_FORMAT")
FOR_ANY = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SSL_CERT_FILE", *LOGS)
FOR_WORKERS = (
    *FOR_ANY,
    VARIABLE,
    "PYTHONPATH",  # where games from outside may lie
    "REDIS_URL",
    "SITE_URL",
    "WORKER_CACHE",
    "WORKER_CACHE_MB",
    "MIN_SANDBOX",
    "SANDBOX",
    "ARENA_SOCKET",
    "ARENA_UNSAFE",
)
QUIETLY = ("--without-gossip", "--without-mingle", "--without-heartbeat")
# A stream is a request that does not end: many may be open, and they must not keep the server from leaving.
STREAMS = ("--backpressure", "5000", "--workers-kill-timeout", "2")
# What arrives of one connection before we take it, in bytes: of thousands that wait, it is all in memory.
FRUGAL = ("--http", "1", "--http1-buffer-size", "65536")
WEB = ("--interface", "asginl", "--no-ws", "--log-level", "warning", *FRUGAL, *STREAMS)
DRAIN_SECONDS = 20.0  # for the match in hand


def site_programs(environment: Mapping[str, str], data: Path, port: int) -> list[Program]:
    """Web, dispatcher and recorder: they know the database."""
    manage, logs = ROOT / "manage.py", data / "logs"
    web = (PYTHON, "-m", "granian", *WEB, "--host", "127.0.0.1", "--port", str(port), "tournaments.asgi:application")
    celery = (PYTHON, "-m", "celery", "-A", "tournaments.broker.celery_app", "worker", "--pool", "solo")
    return [
        # It is the master that must tell its own child to go, so it is asked, not killed.
        Program("web", web, environment, logs / "web.log", orphan_signal=signal.SIGTERM, leaves=2),
        Program("recorder", (*celery, "-n", "recorder@%h", *QUIETLY), environment, logs / "recorder.log", leaves=1),
        Program("dispatcher", (PYTHON, manage, "dispatch"), environment, logs / "dispatcher.log"),
    ]


def worker_programs(environment: Mapping[str, str], data: Path, count: int) -> list[Program]:
    """Match workers: one process each, one match at a time, each keeping to one core. And one for practices, which
    keeps to none: people wait for it."""
    matches = [_worker(f"worker-{number + 1}", environment, data, WORKER_CORE=str(number)) for number in range(count)]
    return [*matches, _worker("practices", environment, data, WORKER_PRACTICES="1")]


def _worker(name: str, environment: Mapping[str, str], data: Path, **own: str) -> Program:
    allowed = {name: environment[name] for name in FOR_WORKERS if name in environment}
    allowed.setdefault("WORKER_CACHE", str(data / "bundles"))
    told = {**allowed, **_token(name, environment), **own}
    return Program(name, (PYTHON, "-m", "workers"), told, data / "logs" / f"{name}.log", patience=DRAIN_SECONDS)


def _token(name: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The worker's own key, and not what all keys are made from."""
    return {"WORKER_TOKEN": derive(name, environment["WORKER_TOKEN"]).token}
