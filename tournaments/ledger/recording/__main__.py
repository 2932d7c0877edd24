"""`python3 -m tournaments.ledger.recording`: one recorder. Celery's own command also loads a shell."""

import socket
import sys
import warnings
from importlib import import_module

from workers.loading import loading


def main() -> int:
    # Celery warns of root because of pickled messages, and this app reads JSON alone.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")
    with loading():
        app = import_module("tournaments.core.broker.celery_app").app
        worker = app.Worker(
            hostname=f"recorder@{socket.gethostname()}",
            quiet=True,
            without_gossip=True,  # nobody listens to it
            without_mingle=True,
            without_heartbeat=True,
        )
    worker.start()
    return int(worker.exitcode or 0)


if __name__ == "__main__":
    sys.exit(main())
