"""The database's address, from one URL to what Django wants."""

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
