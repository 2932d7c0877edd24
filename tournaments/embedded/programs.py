"""The processes of the platform on one machine: how each is started, and what each may know."""

import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from tournaments.embedded.process import ROOT, Program

PYTHON = Path(sys.executable)
# A match worker plays strangers' code: it is told how to find the broker and the site, and no secret of theirs.
FOR_ANY = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "LOG_LEVEL")
FOR_WORKERS = (*FOR_ANY, "REDIS_URL", "SITE_URL", "WORKER_TOKEN", "WORKER_CACHE", "MIN_SANDBOX")
QUIETLY = ("--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat")
WEB = ("--interface", "wsgi", "--no-ws", "--workers-kill-timeout", "2", "--log-level", "warning")
DRAIN_SECONDS = 20.0  # for the match in hand


def site_programs(environment: Mapping[str, str], logs: Path, port: int) -> list[Program]:
    """Web, dispatcher and recorder: they know the database."""
    manage = ROOT / "manage.py"
    web = (PYTHON, "-m", "granian", *WEB, "--host", "127.0.0.1", "--port", str(port), "tournaments.wsgi:application")
    celery = (PYTHON, "-m", "celery", "-A", "tournaments.celery", "worker", "-Q", "reports", "--pool", "solo")
    return [
        # It is the master that must tell its own child to go, so it is asked, not killed.
        Program("web", web, environment, logs / "web.log", orphan_signal=signal.SIGTERM, leaves=2),
        Program("recorder", (*celery, "-n", "recorder@%h", *QUIETLY), environment, logs / "recorder.log", leaves=1),
        Program("dispatcher", (PYTHON, manage, "dispatch"), environment, logs / "dispatcher.log"),
    ]


def worker_programs(environment: Mapping[str, str], logs: Path, count: int) -> list[Program]:
    """Match workers: one process each, one match at a time."""
    allowed = {name: environment[name] for name in FOR_WORKERS if name in environment}
    celery = (PYTHON, "-m", "celery", "-A", "workers.app", "worker", "-Q", "matches", "--pool", "solo")
    return [
        Program(
            f"worker-{number}",
            (*celery, "-n", f"worker-{number}@%h", *QUIETLY),
            allowed,
            logs / f"worker-{number}.log",
            patience=DRAIN_SECONDS,
        )
        for number in range(1, count + 1)
    ]
