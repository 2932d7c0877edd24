"""The recorder's task: a report came in on a turn of a practice."""

from tournaments.core.broker.celery_app import app
from tournaments.core.config.tracing import span
from tournaments.features.practice.reports import receive_practice_report
from tournaments.ledger.recording.tasks import process
from workers.practice_orders import PRACTISED


@app.task(name=PRACTISED)
def practised(report: object, *_: object) -> str:
    with span(PRACTISED):
        return process("practice", report, receive_practice_report)
