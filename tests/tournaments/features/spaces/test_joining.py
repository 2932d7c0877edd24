"""Spaces are opened, people come in by codes, addresses, requests and rosters, and leave; a space is closed."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from tests.factories import a_bot, a_ladder, a_user, a_version
from tests.holding import SWISS, a_running, an_event, fresh, open_sets, play_round
from tests.spaces import a_space
from tournaments.core.errors import Refused
from tournaments.features.events.lifecycle import advance_events
from tournaments.features.spaces import admission, members
from tournaments.features.spaces.actions import ChangeAccess, CloseSpace, OpenSpaceAgain, RemoveMember
from tournaments.features.spaces.join_codes import find_code, join_by, make_code, revoke_join_code
from tournaments.features.spaces.opening import describe_space, open_space
from tournaments.ledger.acts import CreateLadder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Act, Entrant, Entry, JoinCode, Ladder, MatchSet, Notice, Space, SpaceMember, User

pytestmark = pytest.mark.django_db
Role = SpaceMember.Role


def refusal(verb: object, *args: object, **named: object) -> str:
    with pytest.raises(Refused) as refused, transaction.atomic():
        verb(*args, **named)  # type: ignore[operator]
    return refused.value.code


def organiser_of(space: Space) -> User:
    return space.members.get(role=Role.ORGANISER).user


def a_member() -> tuple[Space, User]:
    return a_space(members=[user := a_user()]), user


# --- opening -------------------------------------------------------------------------------------------------------


def test_organisers_open_spaces_and_others_where_the_site_says_so(settings: object) -> None:
    staff, anna = a_user(staff=True), a_user()
    assert refusal(open_space, by=anna, slug="bio1", title="Bio") == "spaces_closed"
    settings.SPACES = "anybody"  # type: ignore[attr-defined]
    space = open_space(by=anna, slug="bio1", title="Bio")
    assert (space.access, organiser_of(space), Act.objects.get().space) == ("private", anna, space)
    assert refusal(open_space, by=staff, slug="bio1", title="Bio") == "slug_taken"
    for slug in ("bio-1", "Bio2", "ab", "1bio", "x" * 31, "bio1\n"):
        assert refusal(open_space, by=anna, slug=slug, title="Bio") == "bad_slug"
    for number in (2, 3):
        open_space(by=anna, slug=f"bio{number}", title="Bio")
    assert refusal(open_space, by=anna, slug="bio4", title="Bio") == "too_many_spaces"
    CloseSpace(space).do(by=anna, reason="over")
    assert open_space(by=anna, slug="bio4", title="Bio").pk


def test_its_organisers_alone_describe_it_and_make_ladders_within_its_addresses(settings: object) -> None:
    space, member = a_member()
    organiser = organiser_of(space)
    assert refusal(describe_space, space=space, by=member, title="Mine", about="") == "not_organiser"
    describe_space(space=space, by=organiser, title="Ours", about="*all*")
    made = CreateLadder(f"{space.slug}-main", "Main", "kaiju", space=space)
    assert refusal(made.do, by=member, reason="why not") == "not_organiser"
    assert refusal(CreateLadder("main", "Main", "kaiju").do, by=organiser, reason="x") == "not_organiser"
    assert refusal(CreateLadder("main", "Main", "kaiju", space=space).do, by=organiser, reason="x") == "bad_slug"
    assert made.do(by=organiser, reason="the term begins").space == space
    assert Ladder.objects.get(slug=f"{space.slug}-main").space == space
    settings.LADDERS_A_SPACE = 1  # type: ignore[attr-defined]
    another = CreateLadder(f"{space.slug}-two", "Two", "kaiju", space=space)
    assert refusal(another.do, by=organiser, reason="x") == "too_many_ladders"


# --- coming in -----------------------------------------------------------------------------------------------------


def test_a_code_has_an_end_and_a_number_of_uses_and_is_revoked() -> None:
    space = a_space()
    organiser, anna, ben = organiser_of(space), a_user(), a_user()
    assert refusal(make_code, space=space, by=anna, days=1, uses=1) == "not_organiser"
    for days, uses in ((0, 1), (367, 1), (1, 0), (1, 1001)):
        assert refusal(make_code, space=space, by=organiser, days=days, uses=uses) == "bad_code_terms"
    code = make_code(space=space, by=organiser, days=7, uses=1)
    assert (find_code(code.key), find_code(code.spelled.lower()), find_code(code.key.lower())) == (code, code, None)
    join_by(code=code, user=anna)
    assert refusal(join_by, code=code, user=anna) == "already_member"
    assert refusal(join_by, code=code, user=ben) == "code_over"  # who had the page open meanwhile
    assert find_code(code.key) is None
    late, taken = (make_code(space=space, by=organiser, days=7, uses=9) for _ in range(2))
    JoinCode.objects.filter(pk=late.pk).update(ends_at=timezone.now() - timedelta(seconds=1))
    revoke_join_code(space=space, number=taken.pk, by=organiser)
    assert (find_code(late.key), find_code(taken.code)) == (None, None)
    assert {refusal(join_by, code=over, user=ben) for over in (late, taken)} == {"code_over"}
    assert not space.members.filter(user=ben).exists()


def test_an_address_that_is_confirmed_opens_the_spaces_that_admit_it() -> None:
    space = a_space()
    by, anna = organiser_of(space), a_user()
    for wrong in ("example.org", "a b@example.org", "@localhost", f"{'x' * 65}@example.org"):
        assert refusal(admission.admit_addresses, space=space, by=by, lines=wrong) == "bad_address"
    for lines in (
        "@Example.org\rben@other.example",
        "Ben <BEN@other.example>; @example.org",
        " ben@other.example\u2028@example.org,\v",
        "\u00a0<mailto:ben@other.example>，@example.org ",
        "@Example.org\r\nben@other.example\n\n",
    ):
        space.admits.all().delete()
        admission.admit_addresses(space=space, by=by, lines=lines)
        assert sorted(space.admits.values_list("address", flat=True)) == ["@example.org", "ben@other.example"]
    for email, confirmed, opens in (
        ("anna@example.org", "", False),
        ("anna@example.org", "other@example.com", False),
        ("anna@evil-example.org", "anna@evil-example.org", False),
        ("anna@sub.example.org", "anna@sub.example.org", False),
        ("Anna@EXAMPLE.org", "anna@example.org", True),
    ):
        anna.email, anna.confirmed_email = email, confirmed
        assert admission.spaces_admitting(anna).exists() == opens
    admission.join_by_address(space=space, by=anna)
    assert refusal(admission.join_by_address, space=space, by=a_user()) == "not_admitted"


def test_who_asks_to_join_is_answered_by_its_organisers() -> None:
    space, member = a_space(access="link", members=[a_user()]), a_user()
    by, anna, ben = organiser_of(space), a_user(), a_user()
    assert refusal(admission.ask_to_join, space=a_space(), by=anna) == "not_admitted"  # it does not exist for her
    for person in (anna, ben):
        admission.ask_to_join(space=space, by=person)
    assert refusal(admission.ask_to_join, space=space, by=anna) == "already_asked"
    assert by.notices.filter(kind=Notice.Kind.SPACE).count() == 2
    assert refusal(admission.answer_request, space=space, user=anna, by=member, admits=True) == "not_organiser"
    admission.answer_request(space=space, user=anna, by=by, admits=True)
    admission.answer_request(space=space, user=ben, by=by, admits=False)
    assert refusal(admission.answer_request, space=space, user=ben, by=by, admits=True) == "not_asked"
    assert set(space.members.values_list("user", flat=True)) >= {anna.pk}
    assert (anna.notices.count(), ben.notices.count(), space.members.filter(user=ben).exists()) == (1, 1, False)


def test_a_space_has_room_for_so_many(settings: object) -> None:
    settings.MEMBERS_A_SPACE = 2  # type: ignore[attr-defined]
    space, _ = a_member()
    assert refusal(members.admit_member, space=space, user=a_user()) == "space_full"


# --- going ---------------------------------------------------------------------------------------------------------


def test_a_space_that_is_open_has_an_organiser_at_all_times() -> None:
    space, member = a_member()
    first = organiser_of(space)
    for verb in (members.leave_space, members.step_down):
        assert refusal(verb, space=space, by=first) == "last_organiser"
    assert refusal(RemoveMember(space, first).do, by=first, reason="myself") == "last_organiser"
    assert refusal(members.make_organiser, space=space, user=member, by=member) == "not_organiser"
    members.make_organiser(space=space, user=member, by=first)
    User.objects.filter(pk=member.pk).update(is_active=False)
    assert refusal(members.leave_space, space=space, by=first) == "last_organiser"  # a shut account runs nothing
    User.objects.filter(pk=member.pk).update(is_active=True)
    members.step_down(space=space, by=first)
    members.leave_space(space=space, by=first)
    assert organiser_of(space) == member


def test_whoever_leaves_takes_their_bots_out_and_finds_them_again() -> None:
    space, member = a_member()
    ladder, frozen, elsewhere = a_ladder(space=space), a_ladder(space=space, status="frozen"), a_ladder()
    bot, spare, outside = (a_version(a_bot(member)).bot for _ in range(3))
    member.bots.exclude(pk=outside.pk).update(space=space)
    for place, competitor in ((ladder, bot), (frozen, bot), (elsewhere, outside)):
        place.entries.create(bot=competitor)
    bot.refresh_from_db()
    spare.refresh_from_db()
    event = an_event([bot, spare], ladder=ladder)
    running = an_event([bot], ladder=ladder)
    type(running).objects.filter(pk=running.pk).update(status="running", started_at=timezone.now())
    members.leave_space(space=space, by=member)
    assert list(Entry.objects.order_by("pk").values_list("status", flat=True)) == ["withdrawn", "playing", "playing"]
    assert not event.entrants.exists()
    assert running.entrants.get().status == Entrant.Status.WITHDRAWN
    assert refusal(members.leave_space, space=space, by=member) == "not_member"
    members.admit_member(space=space, user=member)
    assert set(member.bots.filter(space=space)) == {bot, spare}


def test_to_remove_somebody_is_an_act_of_the_spaces_own_organisers() -> None:
    space, member = a_member()
    removing = RemoveMember(space, member)
    for person in (member, organiser_of(a_space())):
        assert refusal(removing.do, by=person, reason="x") == "not_organiser"
    assert refusal(removing.do, by=organiser_of(space), reason=" ") == "no_reason"
    act = removing.do(by=organiser_of(space), reason="left the school")
    assert (act.space, member.notices.get().text.endswith("left the school")) == (space, True)
    assert refusal(removing.do, by=organiser_of(space), reason="again") == "not_member"


def test_a_space_closed_with_matches_under_way_loses_nothing_and_is_opened_again() -> None:
    space, member = a_member()
    organiser, staff, ladder = organiser_of(space), a_user(staff=True), a_ladder(space=space)
    versions = [a_version().pk for _ in range(3)]
    playing = create_set(ladder=ladder, versions=versions)
    code = make_code(space=space, by=organiser, days=1, uses=5)
    CloseSpace(space).do(by=organiser, reason="the term is over")
    playing.refresh_from_db()
    ladder.refresh_from_db()
    assert (playing.status, ladder.status) == (MatchSet.Status.CANCELLED, Ladder.Status.CLOSED)
    assert (find_code(code.key), space.members.count()) == (None, 2)
    for again in (CloseSpace(space), ChangeAccess(space, "public"), OpenSpaceAgain(space)):
        assert refusal(again.do, by=organiser, reason="x") == "not_organiser"
    assert refusal(members.leave_space, space=space, by=member) == "space_closed"
    assert refusal(CloseSpace(space).do, by=staff, reason="x") == "wrong_status"
    OpenSpaceAgain(space).do(by=staff, reason="asked for")
    ChangeAccess(space, "link").do(by=organiser, reason="parents look")
    assert refusal(ChangeAccess(space, "secret").do, by=organiser, reason="x") == "bad_access"
    assert Space.objects.get(pk=space.pk).access == "link"


def test_events_of_a_closed_space_wait_until_it_is_opened_again() -> None:
    space, _ = a_member()
    running, staff = a_running(4, SWISS), a_user(staff=True)
    coming = an_event([a_version().bot for _ in range(4)], ladder=running.ladder, starts_at=timezone.now())
    Ladder.objects.filter(pk=running.ladder_id).update(space=space)
    assert "2 events that are not over" in " ".join(CloseSpace(space).preview().says)
    CloseSpace(space).do(by=organiser_of(space), reason="the term is over")
    play_round(running)
    assert (advance_events(), open_sets(running), fresh(coming).status) == (0, [], "registration")
    OpenSpaceAgain(space).do(by=staff, reason="asked for")
    assert advance_events() > 0
    assert (len(open_sets(running)), fresh(coming).status) == (2, "running")
