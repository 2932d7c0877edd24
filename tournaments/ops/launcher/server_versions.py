"""Which PostgreSQL and which broker a site may stand on: from the oldest that the tests were run with."""

import re

# What the tests were run with. To PostgreSQL 16 and older no backup can be restored, and they lack the built-in locale.
TRIED = {
    "PostgreSQL": ("17.10", "18.6"),
    "Redis": ("7.0.15", "7.2.6", "8.2.3"),
    "Valkey": ("7.2.7", "8.0.1", "9.1.2"),
}
KNOWN = {17: 11, 18: 6}  # the newest minor version of each PostgreSQL when this release was made


def version_numbers(version: str) -> tuple[int, ...]:
    """Such as (18, 4); what a system's package adds does not count."""
    return tuple(map(int, re.findall(r"\d+", version.partition(" ")[0])))


def too_old(name: str, version: str) -> str:
    """Return a sentence if this server is older than those that are supported, else nothing."""
    oldest = release_line(name, TRIED[name][0])
    if version_numbers(version) >= oldest:
        return ""
    return f"{name} {version} is too old: Boardroom needs {'.'.join(map(str, oldest))} or newer."


def not_tried(name: str, version: str) -> str:
    """Return a sentence if this server is newer than those that the tests were run with, else nothing."""
    newest = version_numbers(TRIED[name][-1])[0]
    if version_numbers(version)[0] <= newest:
        return ""
    return f"{name} {newest} is the newest that this release was tried with."


def release_line(name: str, version: str) -> tuple[int, ...]:
    """Return the numbers of the line that gets fixes under one name: 18 of PostgreSQL, 7.2 of a broker."""
    return version_numbers(version)[: 1 if name == "PostgreSQL" else 2]


def missing_fixes(name: str, version: str) -> str:
    """Return a sentence if fixes for this server had been published when this release was made, else nothing."""
    major, minor, *_ = (*version_numbers(version), 0)
    if name != "PostgreSQL" or minor >= KNOWN.get(major, 0):
        return ""
    return f"{major}.{KNOWN[major]} is out, with fixes: install it."
