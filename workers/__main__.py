"""`python3 -m workers`: one match worker. Its settings come from the environment; see docs/reference.md."""

import os
import sys
import warnings
from importlib import import_module

from workers import logs
from workers.loading import loading


def main() -> int:
    try:
        logs.configuration(os.environ)
    except ValueError as error:
        sys.exit(f"This match worker cannot start: {error}")
    # Celery warns of root because of pickled messages, and this app reads JSON alone; bots get users of their own.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")
    with loading():
        app = import_module("workers.app").app
        # Nobody listens to the gossip of workers, and it would wake them in the middle of a match.
        worker = app.Worker(quiet=True, without_gossip=True, without_mingle=True, without_heartbeat=True)
    worker.start()
    return int(worker.exitcode or 0)


if __name__ == "__main__":
    sys.exit(main())
