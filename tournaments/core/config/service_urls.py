"""The addresses of servers: converts URLs to Django's settings."""

from typing import Any
from urllib.parse import parse_qsl, unquote

from bots.loopback import is_loopback
from workers.addresses import BadSetting, server_address


def database(url: str) -> dict[str, Any]:
    """Return Django's settings for a PostgreSQL address: postgresql://user:password@host:port/name?option=value.

    A folder as `?host=` names a unix socket. Raises BadSetting.
    """
    parts = server_address("DATABASE_URL", url, ("postgresql", "postgres"))
    options = dict(parse_qsl(parts.query))
    name = parts.path.removeprefix("/")
    if not name or "/" in name:
        raise BadSetting(
            "DATABASE_URL must end with the name of one database: postgresql://user:password@host:port/name"
        )
    if "%" in (parts.hostname or ""):
        raise BadSetting("DATABASE_URL names a folder as its host: write postgresql://user@/name?host=/the/folder")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(name),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", parts.hostname or ""),
        "PORT": str(parts.port or options.pop("port", "")),
        "OPTIONS": options,
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }


def mail_server(url: str) -> tuple[str, int, str, str, bool, bool]:
    """Return host, port, user, password, STARTTLS, TLS: smtp://user:password@host:587 upgrades to TLS (to localhost it
    does not), smtps://…:465 begins with it. Raises BadSetting.
    """
    parts = server_address("EMAIL_URL", url, ("smtp", "smtps"))
    if not parts.hostname:
        raise BadSetting("EMAIL_URL must be smtp://host or smtps://host; it names no host")
    tls = parts.scheme == "smtps"
    upgrade = not tls and not is_loopback(parts.hostname)
    port = parts.port or (465 if tls else 587 if upgrade else 25)
    return parts.hostname, port, unquote(parts.username or ""), unquote(parts.password or ""), upgrade, tls
