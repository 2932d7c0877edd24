"""The match workers as the site knows them: by the names that their keys prove."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from tournaments.models import Worker
from workers import identity

FRESH = timedelta(seconds=10)  # how exactly the last word is known; spares a write at every report


def token_of(name: str) -> str:
    """What to give a worker of that name as its WORKER_TOKEN. Raises ValueError with the reason."""
    return identity.derive(name, settings.WORKER_TOKEN).token


def name_of(token: str) -> str | None:
    """Whose token it is, or None if it is nobody's."""
    return identity.proven(token, settings.WORKER_TOKEN)


def author(data: object, signature: object) -> str | None:
    """Who proves to have said `data`, a report as it came over the wire; None if nobody does."""
    said = data.get("worker") if isinstance(data, dict) else None
    name = said.partition("/")[0] if isinstance(said, str) else ""
    return name if identity.signed(name, data, signature, settings.WORKER_TOKEN) else None


def heard_of(name: str) -> Worker:
    """Note a proven word of the worker of that name, who may be new."""
    now = timezone.now()
    worker, _ = Worker.objects.get_or_create(name=name, defaults={"seen_at": now})
    if worker.seen_at is None or worker.seen_at < now - FRESH:
        Worker.objects.filter(pk=worker.pk).update(seen_at=now)
    return worker


def blocked(name: str) -> bool:
    return Worker.objects.filter(name=name, status=Worker.Status.BLOCKED).exists()
