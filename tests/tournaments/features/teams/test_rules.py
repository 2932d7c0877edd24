"""Teams: nobody is in one against their will, and no bot is taken over or looked into by inviting anybody."""

from collections.abc import Callable

import pytest

from tests.factories import a_bot, a_user, a_version
from tournaments.core.accounts.permissions import may_run, may_see, run_by
from tournaments.core.errors import Refused
from tournaments.features.teams import rules as teams
from tournaments.features.teams.rules import (
    answer_team_invitation,
    create_team,
    give_bot,
    hand_on,
    invite_to_team,
    leave_team,
    remove_member,
)
from tournaments.ledger.competitors.uploads import upload
from tournaments.ledger.matchmaking.activation import activate
from tournaments.models import Bot, Membership, Notice, Team, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return a_user("ann")


@pytest.fixture
def bob() -> User:
    return a_user("bob")


@pytest.fixture
def crew(ann: User) -> Team:
    return create_team(name="The crew", by=ann)


def joined(team: Team, *people: User) -> None:
    captain = team.memberships.get(role=Membership.Role.CAPTAIN).user
    for person in people:
        invite_to_team(team=team, user=person, by=captain)
        answer_team_invitation(team=team, by=person, joins=True)


def roles(team: Team) -> dict[str, str]:
    return dict(team.memberships.values_list("user__username", "role"))


def refused(verb: Callable[[], object]) -> str:
    with pytest.raises(Refused) as problem:
        verb()
    return problem.value.code


def runners(bot: Bot) -> set[str]:
    bot.refresh_from_db()
    return {user.username for user in User.objects.all() if may_run(user, bot)}


def test_an_invitation_gives_nobody_anything_before_and_after_it_is_refused(ann: User, bob: User, crew: Team) -> None:
    of_ann, of_bob = a_bot(ann), a_bot(bob)
    give_bot(bot=of_ann, team=crew, by=ann)
    invite_to_team(team=crew, user=bob, by=ann)
    assert (runners(of_ann), runners(of_bob)) == ({"ann"}, {"bob"})
    assert not Bot.objects.filter(run_by(bob), pk=of_ann.pk).exists()
    assert Notice.objects.filter(user=bob, kind=Notice.Kind.TEAM).count() == 1
    answer_team_invitation(team=crew, by=bob, joins=False)
    assert (runners(of_ann), roles(crew)) == ({"ann"}, {"ann": "captain"})


def test_members_run_what_its_owner_gave_and_nothing_else(ann: User, bob: User, crew: Team) -> None:
    given, kept, of_bob = a_bot(ann), a_bot(ann), a_bot(bob)
    joined(crew, bob)
    give_bot(bot=given, team=crew, by=ann)
    assert (runners(given), runners(kept), runners(of_bob)) == ({"ann", "bob"}, {"ann"}, {"bob"})
    assert set(Bot.objects.filter(run_by(bob))) == {given, of_bob}
    give_bot(bot=given, team=None, by=ann)
    assert runners(given) == {"ann"}


def test_a_member_uploads_and_activates_as_the_owner_may(ann: User, bob: User, crew: Team) -> None:
    first, second = a_version(bot := a_bot(ann)), a_version(bot)
    assert refused(lambda: activate(version=first, by=bob)) == "not_yours"
    joined(crew, bob)
    give_bot(bot=bot, team=crew, by=ann)
    first.refresh_from_db()
    first.bot.refresh_from_db()
    activate(version=first, by=bob)
    second.refresh_from_db()
    assert second.status == "retired"
    bot.refresh_from_db()
    assert upload(bot=bot, by=bob, data=b"print()\n", filename="bot.py").number == 3


def test_only_the_owner_gives_a_bot_and_takes_it_back(ann: User, bob: User, crew: Team) -> None:
    joined(crew, bob)
    give_bot(bot=(bot := a_bot(ann)), team=crew, by=ann)
    other = create_team(name="Another", by=bob)
    assert refused(lambda: give_bot(bot=bot, team=other, by=bob)) == "not_yours"
    assert refused(lambda: give_bot(bot=bot, team=None, by=bob)) == "not_yours"
    assert refused(lambda: give_bot(bot=bot, team=other, by=ann)) == "not_member"
    bot.refresh_from_db()
    assert (bot.owner, bot.team) == (ann, crew)


@pytest.mark.parametrize("how", ["leaves", "is removed"])
def test_who_leaves_takes_their_bots_along_and_runs_the_others_no_more(
    how: str, ann: User, bob: User, crew: Team
) -> None:
    joined(crew, bob)
    of_ann, of_bob = a_bot(ann), a_bot(bob)
    give_bot(bot=of_ann, team=crew, by=ann)
    give_bot(bot=of_bob, team=crew, by=bob)
    if how == "leaves":
        leave_team(team=crew, by=bob)
    else:
        remove_member(team=crew, user=bob, by=ann)
    assert (runners(of_ann), runners(of_bob)) == ({"ann"}, {"bob"})


def test_only_the_captain_invites_removes_and_hands_on(ann: User, bob: User, crew: Team) -> None:
    joined(crew, bob)
    carl = a_user("carl")
    for verb in (invite_to_team, remove_member, hand_on):
        assert refused(lambda verb=verb: verb(team=crew, user=carl, by=bob)) == "not_captain"  # type: ignore[misc]
    assert refused(lambda: leave_team(team=crew, by=ann)) == "still_captain"
    assert refused(lambda: hand_on(team=crew, user=carl, by=ann)) == "not_member"
    hand_on(team=crew, user=bob, by=ann)
    assert roles(crew) == {"ann": "member", "bob": "captain"}
    leave_team(team=crew, by=ann)
    leave_team(team=crew, by=bob)
    assert not Team.objects.exists()


def test_nobody_joins_uninvited_or_is_made_captain_before_they_said_yes(ann: User, bob: User, crew: Team) -> None:
    assert refused(lambda: answer_team_invitation(team=crew, by=bob, joins=True)) == "not_invited"
    invite_to_team(team=crew, user=bob, by=ann)
    assert refused(lambda: invite_to_team(team=crew, user=bob, by=ann)) == "already_invited"
    assert refused(lambda: hand_on(team=crew, user=bob, by=ann)) == "not_member"
    assert roles(crew) == {"ann": "captain", "bob": "invited"}


def test_teams_and_places_are_bounded(ann: User, bob: User, crew: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teams, "MOST_TEAMS", 1)
    monkeypatch.setattr(teams, "MOST_PEOPLE", 2)
    assert refused(lambda: create_team(name="One more", by=ann)) == "too_many_teams"
    assert refused(lambda: create_team(name="the CREW", by=bob)) == "name_taken"
    assert refused(lambda: create_team(name="<b>", by=bob)) == "bad_name"
    invite_to_team(team=crew, user=bob, by=ann)
    assert refused(lambda: invite_to_team(team=crew, user=a_user(), by=ann)) == "team_full"
    create_team(name="Of bob", by=bob)
    assert refused(lambda: answer_team_invitation(team=crew, by=bob, joins=True)) == "too_many_teams"


def test_organisers_see_what_they_do_not_run(ann: User) -> None:
    staff, bot = a_user(staff=True), a_bot(ann)
    assert (may_see(staff, bot), may_run(staff, bot)) == (True, False)
