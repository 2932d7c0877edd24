"""Teams: people who run bots together. People join only with their own consent, and bots with their owner's.

An invitation grants no access: neither the team to the bots of the invited person, nor that person to the team's. A bot
that is in a team goes back to its owner alone when the owner takes it out, or leaves.
"""

from collections.abc import Callable

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from engine.sentences import Sentence
from tournaments.core.accounts.names import alike, check_name, normalized_name, taken
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.core.notices import triggers
from tournaments.models import Bot, Membership, Team, User

Role = Membership.Role
MOST_PEOPLE = 20  # in a team, those who have not answered included
MOST_TEAMS = 10  # of a person
FOUNDED = declare(
    Budget(
        "teams that are founded",
        resource="Actions and notices",
        most=30,
        unit="teams",
        holder="person",
        where="tournaments.features.teams.rules.create_team",
        sentence=Sentence("one person founds at most %(most)s teams a day; go on tomorrow"),
        seconds=86_400,
    )
)
INVITATIONS = declare(
    Budget(
        "invitations to teams",
        resource="Actions and notices",
        most=100,
        unit="invitations",
        holder="person",
        where="tournaments.features.teams.rules.invite_to_team",
        sentence=Sentence("one person sends at most %(most)s invitations to teams a day; go on tomorrow"),
        seconds=86_400,
    )
)


def teams_with(user: User) -> QuerySet[Membership]:
    """Return the person's places in teams, invitations first."""
    return user.memberships.select_related("team").order_by("role", "team__name")


@transaction.atomic
def create_team(*, name: str, by: User) -> Team:
    """Create a team with its founder as captain.
    Raises Refused: bad_name, mixed_scripts, name_taken, too_many_teams, over_budget."""
    name = normalized_name(name)
    check_name("team", name)
    if other := alike(Team.objects.all(), "name", name):
        raise Refused("name_taken", taken(Sentence("a team"), other, name))
    _room_for(by)
    spend_budget(FOUNDED, by.pk)
    try:
        with transaction.atomic():
            team = Team.objects.create(name=name)
    except IntegrityError:
        raise Refused("name_taken", taken(Sentence("a team"), name, name)) from None
    team.memberships.create(user=by, role=Role.CAPTAIN)
    return team


def _room_for(user: User) -> None:
    counted_alone(user)
    if user.memberships.exclude(role=Role.INVITED).count() >= MOST_TEAMS:
        raise Refused(
            "too_many_teams",
            "you are in %(most_teams)s teams, which is as many as one person may be in",
            most_teams=MOST_TEAMS,
        )


@transaction.atomic
def invite_to_team(*, team: Team, user: User, by: User) -> Membership:
    """Raises Refused: not_captain, already_invited, team_full, over_budget."""
    _locked(team)
    _led(team, by)
    if team.memberships.filter(user=user).exists():
        raise Refused(
            "already_invited", "%(user)s is in %(team)s already, or has not answered yet", user=user, team=team
        )
    if team.memberships.count() >= MOST_PEOPLE:
        raise Refused(
            "team_full", "%(team)s has %(most_people)s places, and all are taken", team=team, most_people=MOST_PEOPLE
        )
    spend_budget(INVITATIONS, by.pk)
    place = team.memberships.create(user=user)
    triggers.notify_of_team_invitation(place, by, f"/teams/{team.pk}/")
    return place


@transaction.atomic
def answer_team_invitation(*, team: Team, by: User, joins: bool) -> None:
    """Accept the invitation that waits for an answer, or decline it. Raises Refused: not_invited, too_many_teams."""
    _locked(team)
    place = team.memberships.filter(user=by, role=Role.INVITED).first()
    if place is None:
        raise Refused("not_invited", "you have no invitation to %(team)s that waits for an answer", team=team)
    if not joins:
        place.delete()
        return
    _room_for(by)
    place.role = Role.MEMBER
    place.save(update_fields=["role"])


@transaction.atomic
def leave_team(*, team: Team, by: User) -> None:
    """Leave the team with one's bots; the last to go closes it. Raises Refused: not_member, still_captain."""
    _locked(team)
    place = _place(team, by)
    if place.role != Role.CAPTAIN:
        _part(place)
    elif team.memberships.exclude(pk=place.pk).exclude(role=Role.INVITED).exists():
        raise Refused(
            "still_captain", "you are the captain of %(team)s; make somebody else captain before you leave", team=team
        )
    else:
        team.delete()


@transaction.atomic
def remove_member(*, team: Team, user: User, by: User) -> None:
    """Remove a member, or take an invitation back. Raises Refused: not_captain, not_member, still_captain."""
    _locked(team)
    _led(team, by)
    place = team.memberships.filter(user=user).first()
    if place is None:
        raise Refused("not_member", "%(user)s is not in %(team)s", user=user, team=team)
    if place.role == Role.CAPTAIN:
        raise Refused(
            "still_captain",
            "%(user)s is the captain of %(team)s; make somebody else captain first",
            user=user,
            team=team,
        )
    _part(place)


@transaction.atomic
def hand_on(*, team: Team, user: User, by: User) -> None:
    """Another member is the captain from now on. Raises Refused: not_captain, not_member."""
    _locked(team)
    _led(team, by)
    _place(team, user)
    team.memberships.filter(user=by).update(role=Role.MEMBER)
    team.memberships.filter(user=user).update(role=Role.CAPTAIN)


@transaction.atomic
def give_bot(*, bot: Bot, team: Team | None, by: User) -> None:
    """Give the bot to a team that its owner is in; None: to the owner alone. Raises Refused: not_yours, not_member."""
    if bot.owner_id != by.pk:
        raise Refused("not_yours", "%(bot)s belongs to somebody else; only its owner says which team runs it", bot=bot)
    if team is not None:
        _locked(team)
        _place(team, by)
    Bot.objects.filter(pk=bot.pk, owner=by).update(team=team)


def _locked(team: Team) -> None:
    """One change to a team at a time."""
    if not Team.objects.select_for_update().filter(pk=team.pk).exists():
        raise Refused("unknown_team", "team %(team)s no longer exists", team=team)


def _place(team: Team, user: User) -> Membership:
    place = team.memberships.filter(user=user).exclude(role=Role.INVITED).first()
    if place is None:
        raise Refused("not_member", "%(user)s is not a member of %(team)s", user=user, team=team)
    return place


def _led(team: Team, by: User) -> None:
    if not team.memberships.filter(user=by, role=Role.CAPTAIN).exists():
        raise Refused("not_captain", "only the captain of %(team)s may do that", team=team)


def _part(place: Membership) -> None:
    Bot.objects.filter(owner=place.user_id, team=place.team_id).update(team=None)
    place.delete()


def user_to_invite(name: str) -> User:
    """Raises Refused: unknown_user."""
    found = User.objects.filter(username=normalized_name(name), is_active=True, guest_until=None).first()
    if found is None:
        raise Refused("unknown_user", "there is nobody called “%(name)s”; names are case-sensitive", name=f"{name:.60}")
    return found


TeamAction = Callable[[Team, str, User], object]

# With the name of the person whom it is about, which some take, and who does it.
TEAM_ACTIONS: dict[str, TeamAction] = {
    "invite": lambda team, name, by: invite_to_team(team=team, user=user_to_invite(name), by=by),
    "join": lambda team, _, by: answer_team_invitation(team=team, by=by, joins=True),
    "refuse": lambda team, _, by: answer_team_invitation(team=team, by=by, joins=False),
    "leave": lambda team, _, by: leave_team(team=team, by=by),
    "remove": lambda team, name, by: remove_member(team=team, user=user_to_invite(name), by=by),
    "captain": lambda team, name, by: hand_on(team=team, user=user_to_invite(name), by=by),
}
NAME_SOMEBODY = ("invite", "remove", "captain")
