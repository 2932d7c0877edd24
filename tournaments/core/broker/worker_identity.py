"""Tokens and signatures of match workers, and their rows, by the names proved by their keys."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from tournaments.core.errors import Refused
from tournaments.models import Space, Worker
from workers import identity

FRESH = timedelta(seconds=10)  # precision of `seen_at`; saves a write at every report


def worker_token(name: str) -> str:
    """The WORKER_TOKEN for a worker of that name. Raises ValueError with the reason."""
    return identity.derive(name, settings.WORKER_TOKEN).token


def worker_of_token(token: str) -> str | None:
    """The worker's name if the token is valid, else None."""
    return identity.proven(token, settings.WORKER_TOKEN)


def author(data: object, signature: object) -> str | None:
    """The worker whose signature of `data`, a report as received, is valid; None if it is not."""
    claimed = data.get("worker") if isinstance(data, dict) else None
    name = claimed.partition("/")[0] if isinstance(claimed, str) else ""
    return name if identity.is_signed_by(name, data, signature, settings.WORKER_TOKEN) else None


def plays_for(worker: str, space: str) -> bool:
    """Whether what it says of something of that space can be believed; of the site's, for "". A worker of the site
    plays for all."""
    return identity.space_of(worker) in ("", space)


def check_plays_for(worker: str, space: Space | None) -> None:
    """Raises Refused: other_space."""
    if not plays_for(worker, space.slug if space else ""):
        raise Refused("other_space", f"{worker} plays for the space {identity.space_of(worker)} alone")


def heard_of(name: str) -> Worker:
    """Note a signed message of the worker of that name, which may be new."""
    now = timezone.now()
    space = Space.objects.filter(slug=slug).first() if (slug := identity.space_of(name)) else None
    worker, _ = Worker.objects.get_or_create(name=name, defaults={"seen_at": now, "space": space})
    if worker.seen_at is None or worker.seen_at < now - FRESH:
        Worker.objects.filter(pk=worker.pk).update(seen_at=now)
    return worker


def blocked(name: str) -> bool:
    return Worker.objects.filter(name=name, status=Worker.Status.BLOCKED).exists()
