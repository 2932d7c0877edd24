"""The recorder's task: a report came in on a turn of an examination."""

from tournaments.core.broker.celery_app import app
from tournaments.core.config.tracing import span
from tournaments.features.examinations.reports import receive_examination_report
from tournaments.ledger.recording.tasks import process
from workers.examination_orders import EXAMINED


@app.task(name=EXAMINED)
def examined(report: object, *_: object) -> str:
    with span(EXAMINED):
        return process("examination", report, receive_examination_report)
