"""Time zones by their IANA names: days are counted and deadlines shown by the clock of a place."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from tournaments.core.errors import Refused
from workers.addresses import BadSetting

CLOCK_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?", re.ASCII)
NO_PLACES = {"localtime", "Factory"}  # which some systems list beside the names


def read_clock_time(text: str) -> datetime | None:
    """Return the time of such a text as 2026-05-31 14:00, with or without an offset; None for any other.

    ISO 8601 allows more, such as 23.59 for a fraction of an hour, which people do not mean.
    """
    try:
        return datetime.fromisoformat(text) if CLOCK_TIME.fullmatch(text) else None
    except ValueError:
        return None


def clock_time(moment: datetime, zone: ZoneInfo) -> str:
    """Return such as 2026-10-24 23:59, by the clock there; with its offset where the clock shows that time twice."""
    local = moment.astimezone(zone)
    is_twice = local.utcoffset() != local.replace(fold=1 - local.fold).utcoffset()
    return local.isoformat(" ", "minutes") if is_twice else f"{local:%Y-%m-%d %H:%M}"


@cache
def _names() -> dict[str, str]:
    return {name.casefold(): name for name in available_timezones() - NO_PLACES}


@cache
def zone_names() -> list[str]:
    """Return the names of places, to choose from; what is no place has a short name, as UTC."""
    return sorted(name for name in _names().values() if "/" in name and not name.startswith("Etc/"))


def zone_name(text: str) -> str | None:
    """Return the IANA name in its usual spelling, or None if there is no such time zone."""
    return _names().get(text.strip().casefold())


def similar_name(text: str) -> str:
    """Return the name that was probably meant; never Etc/GMT+1, which is an hour west of GMT+1 as people write it."""
    meant = text.strip().casefold().replace(" ", "_")
    names = sorted(name for name in _names() if not name.startswith("etc/"))
    parts = [name for name in names if meant and meant in name.split("/")]
    near = parts or get_close_matches(meant[:60], [name for name in names if "/" in name], 1)
    return _names()[near[0]] if near else "Europe/Berlin"


def checked_zone(text: str) -> str:
    """Return the name as it is usually spelled; of nothing, nothing. Raises Refused(bad_time_zone)."""
    if not text.strip():
        return ""
    if name := zone_name(text):
        return name
    raise Refused(
        "bad_time_zone",
        "%(name)s is not a time zone; use a name such as %(such)s",
        name=f"{text.strip():.60}",
        such=similar_name(text),
    )


def time_zone(environment: Mapping[str, str], name: str) -> str:
    """Return the zone that a setting names, UTC by default. Raises BadSetting with the name probably meant."""
    text = environment.get(name) or "UTC"
    if zone := zone_name(text):
        return zone
    raise BadSetting(f"{name} must be an IANA name such as {similar_name(text)}, not {text!r:.40}")


def from_clock(moment: datetime, zone: ZoneInfo) -> datetime | None:
    """Return the moment in UTC; without an offset it is read from the clock of the zone.

    Of a time that comes twice, as clocks go back, the second is returned; None is of one that never comes, or not in
    the years 1 to 9999 of UTC.
    """
    try:
        if moment.tzinfo:
            return moment.astimezone(UTC)
        second = moment.replace(tzinfo=zone, fold=1).astimezone(UTC)
        return second if second.astimezone(zone).replace(tzinfo=None) == moment else None
    except OverflowError:
        return None


def days_after(moment: datetime, days: int, zone: ZoneInfo) -> datetime:
    """Return the same time of day so many calendar days later; the later moment where a change of clocks leaves two."""
    wall = moment.astimezone(zone) + timedelta(days=days)
    return max(wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1)) if days else moment


def moment_in_zone(moment: datetime, zone: ZoneInfo) -> str:
    """Return such as 2026-10-24 23:59 CEST (UTC+02:00); seconds too, which deadlines of before could have."""
    local = moment.astimezone(zone)
    digits = f"{local:%z}"
    offset = f"UTC{digits[:3]}:{digits[3:5]}" if local.utcoffset() else "UTC"
    letters = local.tzname() or ""
    name = f"{letters} ({offset})" if letters.isalpha() and letters != offset else offset
    return f"{local:%Y-%m-%d %H:%M:%S}".removesuffix(":00") + f" {name}"
