"""Courses: marks by a panel, late days, and the freeze with final marks. Places are entered, not played."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db.models import F
from django.utils import timezone

from tests.factories import a_bot, a_ladder, a_user, an_upload
from tests.seasons import end_set, open_sets, seated
from tests.spaces import a_space
from tournaments.core.errors import Refused
from tournaments.features.courses.actions import ExtendDeadline, SetDeadline, SetMarking, StartFinalMarks
from tournaments.features.courses.deadlines import ends_at, late_days_left, late_days_used
from tournaments.features.courses.marks import Record
from tournaments.features.courses.panel import bots_marked, course_of, records_of, versions_marked
from tournaments.features.courses.panel_tables import LOOKS, panel_tables, wanted_of
from tournaments.features.courses.steps import freeze_ended_courses
from tournaments.features.spaces.settings_actions import SetTimeZone
from tournaments.ledger import acts
from tournaments.ledger.acts.base import Action
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.matchmaking.activation import activate
from tournaments.ledger.matchmaking.ladder_sets import create_set, pair
from tournaments.models import Act, Course, Entry, Extension, Ladder, MatchSet, Space, User, Version

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def do(action: Action) -> Act:
    LOOKS.clear()
    organiser = User.objects.filter(username="olga").first() or a_user("olga", staff=True)
    return action.do(by=organiser, reason="the course begins")


def refusal(action: Action) -> str:
    with pytest.raises(Refused) as refused:
        do(action)
    return refused.value.code


def an_entry(ladder: Ladder, owner: User | None = None, name: str = "") -> Version:
    version = an_upload(a_bot(owner, name))
    Version.objects.filter(pk=version.pk).update(status=Version.Status.ACTIVE)
    enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return Version.objects.select_related("bot__owner").get(pk=version.pk)


def a_course(players: int = 2, students: int = 2) -> tuple[Ladder, Version, list[Version]]:
    """Gus is the panel's; within 25 percentage points a chance is known by 20 sets at most."""
    olga, ladder = a_user("olga", staff=True), a_ladder(players=players)
    gus = an_entry(ladder, olga, "Greedy Gus")
    return ladder, gus, [an_entry(ladder) for _ in range(students)]


def the_course() -> Course:
    LOOKS.clear()
    return Course.objects.select_related("ladder").get()


def play(ladder: Ladder, versions: Sequence[Version]) -> None:
    end_set(
        create_set(ladder=ladder, versions=[version.pk for version in versions]), [version.pk for version in versions]
    )


def mark_by_gus(ladder: Ladder) -> Course:
    do(SetMarking(ladder, "10 = 60% greedy gus", 25))
    return the_course()


def shift(course: Course, by: timedelta) -> None:
    """Time passes."""
    Course.objects.filter(pk=course.pk).update(deadline=F("deadline") - by)
    Version.objects.update(created_at=F("created_at") - by)
    Entry.objects.update(entered_at=F("entered_at") - by)


def test_marks_count_own_sets_against_the_panel_and_nothing_else() -> None:
    ladder, gus, (ada, bob) = a_course()
    course = mark_by_gus(ladder)
    play(ladder, [ada, gus])
    play(ladder, [gus, ada])
    play(ladder, [ada, gus])
    play(ladder, [ada, bob])
    assert records_of(course, [ada.pk, bob.pk]) == {ada.pk: {gus.pk: Record(2.0, 3)}}
    MatchSet.objects.filter(ladder=ladder, number=2).update(status="void")
    assert records_of(course, [ada.pk]) == {ada.pk: {gus.pk: Record(2.0, 2)}}


def test_at_larger_tables_only_sets_without_classmates_count() -> None:
    ladder, gus, (ada, bob) = a_course(players=3)
    assert refusal(SetMarking(ladder, "10 = 60% Greedy Gus")) == "small_panel"
    other = an_entry(ladder, gus.bot.owner, "Slow Sue")
    do(SetMarking(ladder, "10 = 60% Greedy Gus\n5 = 50% Slow Sue", 25))
    play(ladder, [ada, gus, bob])
    play(ladder, [gus, ada, other])
    assert records_of(the_course(), [ada.pk, bob.pk]) == {ada.pk: {gus.pk: Record(0.0, 1), other.pk: Record(1.0, 1)}}
    tables = panel_tables(ladder, 4, {gus.pk, other.pk, ada.pk, bob.pk})
    assert [sorted(table) for table in tables] == [
        sorted([student.pk, gus.pk, other.pk]) for student in (bob, ada, bob, ada)
    ]


def test_everybody_meets_the_panel_until_chances_are_known() -> None:
    ladder, gus, students = a_course()
    Ladder.objects.filter(pk=ladder.pk).update(sets_wanted=0, pace_seconds=10**6)
    mark_by_gus(ladder)
    for _ in range(40):
        LOOKS.clear()
        if not pair():
            break
        for made in open_sets(ladder):
            end_set(made, sorted(seated(made)))
    met = {
        student.pk: record[gus.pk].sets
        for student in students
        for record in [records_of(the_course(), [student.pk])[student.pk]]
    }
    assert set(met.values()) == {20}
    assert not any(lacks.total() for lacks in wanted_of(the_course()).values())
    newer = an_upload(students[0].bot)
    Version.objects.filter(pk=students[0].pk).update(status="retired")
    Version.objects.filter(pk=newer.pk).update(status="active")
    LOOKS.clear()
    assert pair()
    assert all(newer.pk in seated(made) for made in open_sets(ladder))


def test_one_bot_of_each_student_is_marked_and_none_of_staff() -> None:
    ladder, _, (ada, bob) = a_course()
    second = an_entry(ladder, ada.bot.owner)
    course = mark_by_gus(ladder)
    assert {entry.bot_id for entry in bots_marked(course).values()} == {ada.bot_id, bob.bot_id}
    withdraw_bot(entry=Entry.objects.get(bot=ada.bot_id), by=ada.bot.owner)
    assert versions_marked(course) == {second.bot_id: second.pk, bob.bot_id: bob.pk}


def test_who_is_in_the_panel_stays_with_its_version() -> None:
    ladder, gus, (ada, _) = a_course()
    for text, code in (("x", "bad_scheme"), ("1 = 50% Nobody", "bad_scheme"), (f"1 = 50% {ada.bot}", "bad_scheme")):
        assert refusal(SetMarking(ladder, text)) == code
    assert refusal(SetMarking(ladder, "1 = 50% Greedy Gus", 26)) == "bad_within"
    mark_by_gus(ladder)
    with pytest.raises(Refused, match="is in the panel of"):
        an_upload(gus.bot)
    with pytest.raises(Refused, match="is in the panel of"):
        withdraw_bot(entry=Entry.objects.get(bot=gus.bot_id), by=gus.bot.owner)


def this_minute() -> datetime:
    return timezone.now().replace(second=0, microsecond=0)


def with_deadline(ladder: Ladder, late_days: int = 0, penalty: int = 0) -> Course:
    do(SetDeadline(ladder, this_minute() + DAY, late_days, penalty))
    return the_course()


def test_after_the_deadline_an_upload_uses_late_days_or_is_refused() -> None:
    ladder, _, (ada, bob) = a_course()
    course = with_deadline(ladder, late_days=2)
    an_upload(bob.bot)
    shift(course, DAY + timedelta(seconds=5))
    owner = ada.bot.owner
    an_upload(ada.bot)
    assert late_days_used(the_course(), [owner.pk, bob.bot.owner_id]) == {owner.pk: 1}
    Version.objects.filter(bot=ada.bot_id, status="checking").update(status="rejected")
    assert owner.pk not in late_days_used(the_course(), [owner.pk])
    shift(the_course(), 2 * DAY)
    Version.objects.filter(bot=ada.bot_id).update(status="retired")
    with pytest.raises(Refused, match="would use 3 late days, and 2 late days are left") as refused:
        an_upload(ada.bot)
    assert refused.value.code == "deadline_over"
    with pytest.raises(Refused, match="would use 3 late days"):
        an_entry(ladder)
    with pytest.raises(Refused, match="the last version before it counts"):
        activate(version=Version.objects.get(bot=ada.bot_id, number=2), by=owner)


def test_a_later_deadline_of_one_student_is_theirs_alone_and_gives_late_days_back() -> None:
    ladder, _, (ada, bob) = a_course()
    assert refusal(ExtendDeadline(ladder, ada.bot.owner, this_minute())) == "no_deadline"
    course = with_deadline(ladder)
    shift(course, DAY + timedelta(seconds=5))
    assert refusal(ExtendDeadline(ladder, a_user(), this_minute() + DAY)) == "not_student"
    assert refusal(ExtendDeadline(ladder, ada.bot.owner, this_minute() - DAY)) == "bad_until"
    act = do(ExtendDeadline(ladder, ada.bot.owner, this_minute() + DAY))
    assert ada.bot.owner.username not in f"{act.subject} {act.detail}"
    until = the_course().shown(this_minute() + DAY)
    again = ExtendDeadline(ladder, ada.bot.owner, this_minute() + 2 * DAY)
    assert f"not {until}" in str(again.preview().says[0])
    an_upload(ada.bot)
    assert late_days_used(the_course(), [ada.bot.owner_id]) == {}
    with pytest.raises(Refused, match="this would use 1 late day, and 0 late days"):
        an_upload(bob.bot)


def test_late_days_are_those_of_all_ladders_of_a_space() -> None:
    olga = a_user("olga", staff=True)
    space = a_space(organiser=olga)
    first, second = (a_ladder(players=2, space=space) for _ in range(2))
    ada = a_user()
    for ladder in (first, second):
        do(SetDeadline(ladder, this_minute() + DAY, 3))
        bot = a_bot(ada)
        type(bot).objects.filter(pk=bot.pk).update(space=space)
        version = an_upload(bot)
        Version.objects.filter(pk=version.pk).update(status="active", created_at=timezone.now() + 2.5 * DAY)
        Entry.objects.create(ladder=ladder, bot=bot)
    courses = list(Course.objects.select_related("ladder"))
    assert [late_days_left(course, ada) for course in courses] == [1, 1]


def test_at_the_end_it_freezes_with_what_was_in_check_and_plays_final_marks() -> None:
    ladder, gus, (ada, bob) = a_course()
    mark_by_gus(ladder)
    play(ladder, [ada, gus])
    course = with_deadline(ladder)
    assert freeze_ended_courses() == 0
    newer = an_upload(ada.bot)
    shift(course, DAY + timedelta(seconds=5))
    assert freeze_ended_courses() == 0
    Version.objects.filter(pk=ada.pk).update(status="retired")
    Version.objects.filter(pk=newer.pk).update(status="active")
    assert freeze_ended_courses() == 1
    ladder.refresh_from_db()
    assert (ladder.status, Act.objects.order_by("-number")[0].by) == ("frozen", "the platform")
    course = the_course()
    assert course.final_field == {str(ada.bot_id): newer.pk, str(bob.bot_id): bob.pk}
    assert records_of(course, [newer.pk, ada.pk]) == {}
    for _ in range(60):
        LOOKS.clear()
        if freeze_ended_courses():
            break
        pair()
        for made in open_sets(ladder):
            end_set(made, sorted(seated(made), reverse=True))
    course = the_course()
    assert course.final_until is not None
    before = records_of(course, [newer.pk, bob.pk])
    assert before[newer.pk][gus.pk].won == before[newer.pk][gus.pk].sets >= 20
    play(ladder, [gus, newer])
    assert records_of(the_course(), [newer.pk, bob.pk]) == before
    assert refusal(StartFinalMarks(ladder)) == "marks_final"
    assert refusal(SetMarking(ladder, "9 = 60% Greedy Gus")) == "marks_final"
    do(acts.Thaw(ladder))
    assert (the_course().final_after, freeze_ended_courses(), Ladder.objects.get(pk=ladder.pk).status) == (
        None,
        0,
        "open",
    )


def test_nobody_who_enters_again_or_with_another_bot_gets_around_a_deadline() -> None:
    ladder, _, (ada, _) = a_course()
    course = with_deadline(ladder)
    spare = an_upload(a_bot(ada.bot.owner))
    Version.objects.filter(pk=spare.pk).update(status=Version.Status.ACTIVE)
    shift(course, DAY + timedelta(seconds=5))
    entry = Entry.objects.get(bot=ada.bot_id)
    withdraw_bot(entry=entry, by=ada.bot.owner)
    for bot in (ada.bot, spare.bot):
        with pytest.raises(Refused) as refused:
            enter_in_ladder(ladder=ladder, bot=bot, by=ada.bot.owner)
        assert refused.value.code == "deadline_over"
    an_upload(spare.bot)
    assert bots_marked(the_course()).keys().isdisjoint({ada.bot.owner_id})


def test_what_cannot_be_set() -> None:
    ladder, _, _ = a_course()
    assert refusal(StartFinalMarks(ladder)) == "no_scheme"
    assert refusal(SetDeadline(ladder, this_minute() - DAY)) == "bad_deadline"
    assert refusal(SetDeadline(ladder, this_minute() + DAY, 61)) == "bad_late_days"
    assert refusal(SetDeadline(ladder, this_minute() + DAY, 0, 1001)) == "bad_penalty"
    assert refusal(SetDeadline(ladder)) == "nothing_changes"
    with pytest.raises(Refused, match="only organisers") as refused:
        SetDeadline(ladder, this_minute() + DAY).do(by=a_user(), reason="mine")
    assert refused.value.code == "not_organiser"
    assert not Course.objects.exists()
    assert not Extension.objects.exists()
    assert course_of(ladder) is None


@pytest.mark.parametrize("seconds", [timedelta(seconds=59), timedelta(microseconds=1)])
def test_a_deadline_is_a_whole_minute_for_pages_show_no_seconds(seconds: timedelta) -> None:
    ladder, _, (ada, _) = a_course()
    tomorrow = this_minute() + DAY
    assert refusal(SetDeadline(ladder, tomorrow + seconds)) == "bad_deadline"
    do(SetDeadline(ladder, tomorrow))
    assert refusal(ExtendDeadline(ladder, ada.bot.owner, tomorrow + seconds)) == "bad_until"
    Course.objects.update(deadline=datetime(2999, 7, 1, 23, 59, 30, tzinfo=UTC))  # of an earlier release
    assert the_course().deadline_text == "2999-07-01 23:59:30 UTC"
    assert refusal(ExtendDeadline(ladder, ada.bot.owner, datetime(2999, 7, 1, 23, 59, tzinfo=UTC))) == "bad_until"
    do(ExtendDeadline(ladder, ada.bot.owner, datetime(2999, 7, 2, tzinfo=UTC)))


def a_class_in(zone: str) -> tuple[Ladder, list[User]]:
    """Two students in a space of that time zone."""
    olga = a_user("olga", staff=True)
    students = [a_user(), a_user()]
    space = a_space(organiser=olga, members=students)
    do(SetTimeZone(space, zone))
    return a_ladder(players=2, space=space), students


def test_a_deadline_without_an_offset_is_by_the_clock_of_the_ladder_or_else_of_its_space() -> None:
    ladder, _ = a_class_in("europe/berlin")
    act = do(SetDeadline(ladder, datetime.fromisoformat("2999-07-01 23:59"), 2))
    assert the_course().deadline == datetime(2999, 7, 1, 21, 59, tzinfo=UTC)
    assert "2999-07-01 23:59 CEST (UTC+02:00)" in str(act.detail)
    assert ends_at(the_course()) == datetime(2999, 7, 3, 21, 59, tzinfo=UTC)
    do(SetDeadline(ladder, datetime.fromisoformat("2999-07-01 23:59"), time_zone="Asia/Tokyo"))
    assert (the_course().deadline, the_course().zone.key) == (datetime(2999, 7, 1, 14, 59, tzinfo=UTC), "Asia/Tokyo")
    do(SetDeadline(ladder, datetime(2999, 7, 1, 23, 59, tzinfo=UTC)))
    assert the_course().deadline_text == "2999-07-02 08:59 JST (UTC+09:00)"


def test_a_deadline_that_never_comes_or_is_beyond_all_calendars_is_refused() -> None:
    ladder, (ada, _) = a_class_in("Europe/Berlin")
    spring = datetime.fromisoformat("2999-03-31 02:30")
    with pytest.raises(Refused, match="2999-03-31 02:30 never comes in Europe/Berlin, as clocks go forward then"):
        do(SetDeadline(ladder, spring))
    for far in (datetime.max.replace(tzinfo=UTC), datetime.fromisoformat("9000-01-01 00:00")):
        assert refusal(SetDeadline(ladder, far)) == "bad_deadline"
    with pytest.raises(Refused, match="Berlin is not a time zone; use a name such as Europe/Berlin") as refused:
        do(SetDeadline(ladder, datetime.fromisoformat("2999-07-01 00:00"), time_zone="Berlin"))
    assert refused.value.code == "bad_time_zone"
    with pytest.raises(Refused, match="the year 1 is over"):
        do(SetDeadline(ladder, datetime.fromisoformat("0001-01-01 00:00")))
    do(SetDeadline(ladder, datetime.fromisoformat("2999-03-01 00:00")))
    assert [refusal(ExtendDeadline(ladder, ada, wrong)) for wrong in (spring, datetime.max.replace(tzinfo=UTC))] == [
        "bad_until"
    ] * 2


def test_late_days_and_the_end_are_counted_by_the_clock_of_the_space() -> None:
    ladder, (ada, _) = a_class_in("Europe/Berlin")
    clock, space = ZoneInfo("Europe/Berlin"), Space.objects.get()
    bot = a_bot(ada)
    type(bot).objects.filter(pk=bot.pk).update(space=space)
    version = an_upload(bot)
    Entry.objects.create(ladder=ladder, bot=bot)
    Entry.objects.update(entered_at=datetime(2026, 10, 1, tzinfo=UTC))
    Course.objects.create(ladder=ladder, deadline=datetime(2026, 10, 24, 23, 59, tzinfo=clock), late_days=3)
    late = datetime(2026, 10, 25, 23, 30, tzinfo=clock)
    Version.objects.filter(pk=version.pk).update(status="active", created_at=late)
    assert (late_days_used(the_course(), [ada.pk]), ends_at(the_course())) == (
        {ada.pk: 1},
        datetime(2026, 10, 27, 23, 59, tzinfo=clock),
    )
    do(SetTimeZone(space))
    assert (late_days_used(the_course(), [ada.pk]), the_course().zone.key) == ({ada.pk: 2}, "UTC")
    assert refusal(SetTimeZone(space)) == "nothing_changes"
    assert refusal(SetTimeZone(space, "Mars/Olympus")) == "bad_time_zone"


def status_of(ladder: Ladder) -> str:
    return Ladder.objects.get(pk=ladder.pk).status


@pytest.mark.parametrize("marked", [False, True])
def test_an_extension_after_the_freeze_is_refused_and_counts_once_the_ladder_is_thawed(marked: bool) -> None:
    ladder, _, (ada, bob) = a_course()
    if marked:
        mark_by_gus(ladder)
    shift(with_deadline(ladder), DAY + timedelta(seconds=5))
    assert (freeze_ended_courses(), status_of(ladder)) == (1, "frozen")
    later = ExtendDeadline(ladder, ada.bot.owner, this_minute() + DAY)
    for action in (later, SetDeadline(ladder, this_minute() + DAY)):
        with pytest.raises(Refused, match="is frozen: no upload counts there; thaw it first") as refused:
            do(action)
        assert refused.value.code == "wrong_status"
    do(acts.Thaw(ladder))
    assert (freeze_ended_courses(), status_of(ladder)) == (0, "open")
    do(later)
    assert (freeze_ended_courses(), status_of(ladder)) == (0, "open")
    newer = an_upload(ada.bot)
    with pytest.raises(Refused, match="this would use 1 late day"):
        an_upload(bob.bot)
    Version.objects.filter(pk=ada.pk).update(status="retired")
    Version.objects.filter(pk=newer.pk).update(status="active")
    Extension.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert (freeze_ended_courses(), status_of(ladder)) == (1, "frozen")
    assert Entry.objects.get(bot=ada.bot).pinned_id == newer.pk


@pytest.mark.parametrize("late_days", [0, 3])
def test_nobody_uploads_late_while_a_ladder_is_frozen_and_loses_points_when_it_is_thawed(late_days: int) -> None:
    ladder, _, (ada, bob) = a_course()
    shift(with_deadline(ladder, late_days=late_days), DAY + timedelta(seconds=5))
    do(acts.Freeze(ladder))
    for bot in (ada.bot, bob.bot):
        with pytest.raises(Refused, match="and it is frozen: no upload counts until it is thawed"):
            an_upload(bot)
    do(acts.Thaw(ladder))
    assert late_days_used(Course.objects.get(), [ada.bot.owner_id, bob.bot.owner_id]) == {}


def test_what_was_thawed_after_its_end_stays_open_until_somebody_is_given_more_time() -> None:
    ladder, _, (ada, _) = a_course()
    shift(with_deadline(ladder, late_days=1), 3 * DAY)
    assert freeze_ended_courses() == 1
    do(acts.Thaw(ladder))
    assert freeze_ended_courses() == 0
    do(ExtendDeadline(ladder, ada.bot.owner, this_minute() - DAY - timedelta(minutes=1)))
    assert (freeze_ended_courses(), status_of(ladder)) == (1, "frozen")


@pytest.mark.parametrize("marked", [False, True])
def test_of_two_later_deadlines_the_last_one_freezes_the_ladder(marked: bool) -> None:
    ladder, _, (ada, bob) = a_course()
    if marked:
        mark_by_gus(ladder)
    shift(with_deadline(ladder), DAY + timedelta(seconds=5))
    assert freeze_ended_courses() == 1
    do(acts.Thaw(ladder))
    do(acts.Pause(ladder))
    for student, days in ((ada, 1), (bob, 2)):
        do(ExtendDeadline(ladder, student.bot.owner, this_minute() + days * DAY))
    Extension.objects.filter(user=ada.bot.owner).update(until=timezone.now() - timedelta(seconds=1))
    assert (freeze_ended_courses(), status_of(ladder)) == (0, "paused")
    an_upload(bob.bot)
    with pytest.raises(Refused, match="this would use 1 late day"):
        an_upload(ada.bot)
    Version.objects.filter(status="checking").update(status="rejected")
    Extension.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert (freeze_ended_courses(), status_of(ladder)) == (1, "frozen")


def test_what_was_frozen_and_thawed_before_its_end_freezes_at_its_end() -> None:
    ladder, _, _ = a_course()
    mark_by_gus(ladder)
    course = with_deadline(ladder)
    do(StartFinalMarks(ladder))
    do(acts.Thaw(ladder))
    shift(course, DAY + timedelta(seconds=5))
    Course.objects.update(thawed_at=F("thawed_at") - DAY)
    assert (freeze_ended_courses(), status_of(ladder)) == (1, "frozen")


def test_a_closed_ladder_is_opened_again_before_anybody_gets_more_time() -> None:
    ladder, _, (ada, _) = a_course()
    with_deadline(ladder)
    do(acts.Close(ladder))
    with pytest.raises(Refused, match="is closed: no upload counts there; open it again first"):
        do(ExtendDeadline(ladder, ada.bot.owner, this_minute() + 2 * DAY))
