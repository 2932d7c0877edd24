"""The one task of the site: a report came in."""

from tournaments.celery import app
from tournaments.patience import patiently
from tournaments.recording import receive
from workers.orders import RECORD


@app.task(name=RECORD)
def record(report: object, signature: object = None) -> str:
    return patiently(lambda: receive(report, signature))
