"""Which PostgreSQL and which broker a site may stand on: those that the tests were run with, and newer ones."""

import re

import psycopg

OLDEST = {"PostgreSQL": (15,), "Redis": (7, 0), "Valkey": (7, 2)}
KNOWN = {15: 20, 16: 15, 17: 11, 18: 6}  # the newest minor version of each PostgreSQL when this release was made
POOLED = (
    "This address leads to a pooler in transaction mode, which takes away the lock of the dispatcher that leads: use "
    "session mode, or PostgreSQL's own address."
)


def version_numbers(version: str) -> tuple[int, ...]:
    """Such as (18, 4); what a system's package adds does not count."""
    return tuple(map(int, re.findall(r"\d+", version.partition(" ")[0])))


def too_old(name: str, version: str) -> str:
    """Return a sentence if this server is older than those that are supported, else nothing."""
    oldest = OLDEST[name]
    if version_numbers(version) >= oldest:
        return ""
    return f"{name} {version} is too old: Boardroom needs {'.'.join(map(str, oldest))} or newer."


def missing_fixes(name: str, version: str) -> str:
    """Return a sentence if fixes for this server had been published when this release was made, else nothing."""
    major, minor, *_ = (*version_numbers(version), 0)
    if name != "PostgreSQL" or minor >= KNOWN.get(major, 0):
        return ""
    return f"{major}.{KNOWN[major]} is out, with fixes: install it."


def is_pooled(address: str) -> bool:
    """Whether two connections share a session, as behind a pooler in transaction mode: then locks mean nothing."""
    with (
        psycopg.connect(address, connect_timeout=5, autocommit=True, prepare_threshold=None) as one,
        psycopg.connect(address, connect_timeout=5, autocommit=True, prepare_threshold=None) as other,
    ):
        sessions = [its.execute("SELECT pg_backend_pid()").fetchone() for its in (one, other)]
    return sessions[0] == sessions[1]
