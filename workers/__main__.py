"""`python -m workers`: one match worker. All that it is told comes from the environment; see docs/operations.md."""

import os
import sys
import warnings

from workers.app import app

LEVEL = os.environ.get("LOG_LEVEL", "INFO")

if __name__ == "__main__":
    # Celery warns of root because of pickled messages, and this app reads JSON alone; bots get users of their own.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")
    # Nobody listens to what workers tell each other, and it would wake them in the middle of a match.
    worker = app.Worker(quiet=True, loglevel=LEVEL, without_gossip=True, without_mingle=True, without_heartbeat=True)
    worker.start()
    sys.exit(worker.exitcode)
