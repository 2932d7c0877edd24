"""The addresses of servers: converts URLs to Django's settings."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


def database(url: str) -> dict[str, Any]:
    """Django's settings for a PostgreSQL address: postgresql://user:password@host:port/name?option=value.

    A folder as `?host=` names a unix socket. Raises ValueError with the reason.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("postgresql", "postgres"):
        raise ValueError(f"DATABASE_URL must begin with postgresql://, not {parts.scheme or 'nothing'}://")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", parts.hostname or ""),
        "PORT": str(parts.port or options.pop("port", "")),
        "OPTIONS": options,
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


def mail(url: str) -> tuple[str, int, str, str, bool, bool]:
    """Host, port, user, password, STARTTLS, TLS: smtp://user:password@host:587 upgrades to TLS (to localhost it does
    not), smtps://…:465 begins with it. Raises ValueError with the reason.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ValueError(f"EMAIL_URL must be smtp://host or smtps://host, not {parts.scheme or 'nothing'}://")
    tls = parts.scheme == "smtps"
    upgrade = not tls and parts.hostname not in ("localhost", "127.0.0.1")
    port = parts.port or (465 if tls else 587 if upgrade else 25)
    return parts.hostname, port, unquote(parts.username or ""), unquote(parts.password or ""), upgrade, tls
