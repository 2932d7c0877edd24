"""Days by the clock of a place, across changes of clocks in both directions."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import thorough
from tournaments.core.config.time_zones import (
    clock_time,
    days_after,
    from_clock,
    moment_in_zone,
    read_clock_time,
    similar_name,
    time_zone,
    zone_name,
)
from tournaments.features.courses.deadlines import days_late

BERLIN, APIA, LORD_HOWE = ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Apia"), ZoneInfo("Australia/Lord_Howe")
ZONES = sorted(available_timezones() - {"localtime", "Factory"})
MANY = settings(max_examples=thorough.budget(200, full=5000), deadline=None)


def clock(text: str, zone: ZoneInfo = BERLIN, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).astimezone(UTC)


@MANY
@given(st.integers(0, 20_000_000), st.sampled_from(ZONES))
def test_a_moment_as_a_form_shows_it_is_read_as_the_same(minutes: int, name: str) -> None:
    moment = datetime(2000, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    shown = read_clock_time(clock_time(moment, ZoneInfo(name)))
    assert shown is not None
    assert from_clock(shown, ZoneInfo(name)) == moment


def test_the_offset_is_shown_where_a_clock_shows_a_time_twice() -> None:
    first, second = clock("2027-10-31 02:30"), clock("2027-10-31 02:30", fold=1)
    shown = [clock_time(moment, BERLIN) for moment in (first, second)]
    assert shown == ["2027-10-31 02:30+02:00", "2027-10-31 02:30+01:00"]
    assert clock_time(clock("2027-03-28 03:00"), BERLIN) == "2027-03-28 03:00"


@pytest.mark.parametrize(
    ("deadline", "upload", "late"),
    [
        ("2026-10-24 23:59", "2026-10-24 23:59", 0),  # clocks go back on the 25th: the day has 25 hours
        ("2026-10-24 23:59", "2026-10-25 00:00", 1),
        ("2026-10-24 23:59", "2026-10-25 22:58", 1),
        ("2026-10-24 23:59", "2026-10-25 23:30", 1),
        ("2026-10-24 23:59", "2026-10-25 23:59", 1),
        ("2026-10-24 23:59", "2026-10-26 00:00", 2),
        ("2026-03-28 23:59", "2026-03-29 23:30", 1),  # and forward: it has 23
        ("2026-03-28 23:59", "2026-03-30 00:30", 2),
        ("2026-03-28 02:30", "2026-03-29 03:30", 1),  # 02:30 never comes
        ("2026-03-28 02:30", "2026-03-29 03:31", 2),
        ("2026-10-20 12:00", "2026-10-27 12:00", 7),
        ("2026-10-20 12:00", "2026-10-27 12:01", 8),
    ],
)
def test_a_late_day_ends_at_the_time_of_day_of_the_deadline(deadline: str, upload: str, late: int) -> None:
    assert days_late(clock(upload), clock(deadline), BERLIN) == late


def test_a_time_that_comes_twice_ends_a_late_day_the_second_time() -> None:
    deadline = clock("2026-10-24 02:30")
    assert days_late(clock("2026-10-25 02:30", fold=1), deadline, BERLIN) == 1
    assert days_late(clock("2026-10-25 02:31", fold=1), deadline, BERLIN) == 2
    assert days_late(clock("2026-10-25 02:30", fold=1), clock("2026-10-25 02:30"), BERLIN) == 1


def test_clocks_that_change_by_half_an_hour_or_skip_a_day() -> None:
    assert days_late(clock("2026-04-05 23:45", LORD_HOWE), clock("2026-04-04 23:45", LORD_HOWE), LORD_HOWE) == 1
    assert days_late(clock("2011-12-31 11:00", APIA), clock("2011-12-29 12:00", APIA), APIA) == 1


def test_the_zone_of_the_site_counts_where_none_is_named(settings: object) -> None:
    upload, deadline = clock("2026-10-25 23:30"), clock("2026-10-24 23:59")
    assert days_late(upload, deadline) == 2
    settings.SITE_TIME_ZONE = "Europe/Berlin"  # type: ignore[attr-defined]
    assert days_late(upload, deadline) == 1


@MANY
@given(
    st.datetimes(
        datetime.fromisoformat("1975-01-01 00:00"), datetime.fromisoformat("2100-01-01 00:00"), timezones=st.just(UTC)
    ),
    st.sampled_from(ZONES),
    st.integers(0, 60),
    st.integers(0, 90 * 24 * 60),
)
def test_late_days_never_fall_and_each_ends_where_the_next_begins(
    deadline: datetime, zone: str, days: int, minutes: int
) -> None:
    clock, upload = ZoneInfo(zone), deadline + timedelta(minutes=minutes)
    end = days_after(deadline, days, clock)
    assert end >= days_after(deadline, max(0, days - 1), clock)
    assert days_late(end, deadline, clock) <= days
    assert (days_late(upload, deadline, clock) <= days) == (upload <= end)
    if end.astimezone(clock).time() != deadline.astimezone(clock).time():
        assert from_clock(deadline.astimezone(clock).replace(tzinfo=None) + timedelta(days=days), clock) is None


def test_a_time_without_an_offset_is_by_the_clock_and_one_with_it_is_not() -> None:
    assert from_clock(datetime.fromisoformat("2026-07-01 12:00"), BERLIN) == datetime(2026, 7, 1, 10, tzinfo=UTC)
    assert from_clock(datetime(2026, 7, 1, 12, tzinfo=UTC), BERLIN) == datetime(2026, 7, 1, 12, tzinfo=UTC)
    assert from_clock(datetime.fromisoformat("2026-10-25 02:30"), BERLIN) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    assert from_clock(datetime.fromisoformat("2026-03-29 02:30"), BERLIN) is None


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("Europe/Berlin", "2026-07-01 12:00 CEST (UTC+02:00)"),
        ("UTC", "2026-07-01 10:00 UTC"),
        ("Etc/UTC", "2026-07-01 10:00 UTC"),
        ("Europe/London", "2026-07-01 11:00 BST (UTC+01:00)"),
        ("America/Sao_Paulo", "2026-07-01 07:00 UTC-03:00"),
        ("Asia/Kathmandu", "2026-07-01 15:45 UTC+05:45"),
        ("Africa/Abidjan", "2026-07-01 10:00 GMT (UTC)"),
    ],
)
def test_a_moment_is_shown_with_its_zone_and_offset(zone: str, text: str) -> None:
    assert moment_in_zone(datetime(2026, 7, 1, 10, tzinfo=UTC), ZoneInfo(zone)) == text


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "UTC"])
@pytest.mark.parametrize("text", ["0001-01-01 00:00", "9999-12-31 23:59"])
def test_the_first_and_the_last_moment_of_all_are_read_or_never_come(text: str, zone: str) -> None:
    moment = datetime.fromisoformat(text)
    for typed in (moment, moment.replace(tzinfo=ZoneInfo(zone))):
        read = from_clock(typed, ZoneInfo(zone))
        assert read is None or read.tzinfo is UTC


def test_names_are_those_of_iana_in_any_case() -> None:
    assert zone_name(" europe/BERLIN ") == "Europe/Berlin"
    for wrong in ("", "Berlin", "../../etc/passwd", "/etc/localtime", "localtime", "Factory", "CEST", "+02:00", "\0"):
        assert zone_name(wrong) is None
    assert [similar_name(text) for text in ("Berlin", "Europe/Belrin", "new york", "", "x" * 9999, "CEST")] == [
        *("Europe/Berlin", "Europe/Berlin", "America/New_York", "Europe/Berlin", "Europe/Berlin", "Europe/Berlin")
    ]
    assert not any(similar_name(text).startswith("Etc/") for text in ("GMT+1", "gmt-5", "UTC+1", "Etc/GMT+99"))


def test_the_setting_is_refused_at_start_with_the_name_probably_meant() -> None:
    assert [time_zone({"SITE_TIME_ZONE": text}, "SITE_TIME_ZONE") for text in ("", "asia/tokyo")] == [
        "UTC",
        "Asia/Tokyo",
    ]
    with pytest.raises(ValueError, match="SITE_TIME_ZONE must be an IANA name such as Asia/Tokyo, not 'Tokyo'"):
        time_zone({"SITE_TIME_ZONE": "Tokyo"}, "SITE_TIME_ZONE")
