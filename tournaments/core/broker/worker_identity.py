"""Who a match worker is: its key where it fetches bundles, the name in its reports, and its row."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from tournaments.models import Space, Worker
from workers import identity

FRESH = timedelta(seconds=10)  # precision of `seen_at`; saves a write at every report


def worker_of_token(token: str) -> str | None:
    """The worker's name if the token is valid, else None."""
    return identity.proven(token, settings.WORKER_TOKEN)


def author(data: object) -> str | None:
    """Return the worker whose report it is, as received; None if it names none."""
    claimed = data.get("worker") if isinstance(data, dict) else None
    name = claimed.partition("/")[0] if isinstance(claimed, str) else ""
    return name if identity.NAME.fullmatch(name) else None


def heard_of(name: str) -> Worker:
    """Note a message of the worker of that name, which may be new."""
    now = timezone.now()
    space = Space.objects.filter(slug=slug).first() if (slug := identity.space_of(name)) else None
    worker, _ = Worker.objects.get_or_create(name=name, defaults={"seen_at": now, "space": space})
    if worker.seen_at is None or worker.seen_at < now - FRESH:
        Worker.objects.filter(pk=worker.pk).update(seen_at=now)
    return worker


def blocked(name: str) -> bool:
    return Worker.objects.filter(name=name, status=Worker.Status.BLOCKED).exists()
