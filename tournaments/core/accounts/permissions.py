"""Who may manage a bot: the owner, and the members of the team that the owner gave it to.

The rules about one owner's bots (how many, how often uploaded, `owners_apart`, the disqualification of an owner) apply
to the owner, not to the team. Only the owner gives a bot to a team, and takes it back
(`tournaments.features.teams.rules`). An invited person who has not accepted is not a member.
"""

from collections.abc import Collection, Iterable

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from engine.sentences import Sentence
from tournaments.core.accounts.spaces import runs
from tournaments.core.errors import Refused
from tournaments.models import Bot, Match, MatchSet, Membership, Seat, User


def team_ids_of(user: User | AnonymousUser) -> frozenset[int]:
    """The teams they are members of."""
    if not isinstance(user, User):
        return frozenset()
    return frozenset(user.memberships.filter(role__in=Membership.INSIDE).values_list("team", flat=True))


def may_run(user: User | AnonymousUser, bot: Bot, teams: Collection[int] | None = None) -> bool:
    """`teams`: the result of `team_ids_of`, to check many bots with one query."""
    if bot.owner_id == user.pk:
        return True
    return bot.team_id is not None and bot.team_id in (team_ids_of(user) if teams is None else teams)


def may_see(user: User | AnonymousUser, bot: Bot, teams: Collection[int] | None = None) -> bool:
    """Whether they see evidence, reports and sources: those who run the bot, and organisers."""
    return runs(user, bot.space_id) or may_run(user, bot, teams)


def evidence_seen(
    user: User | AnonymousUser, match: Match, seats: Iterable[Seat], teams: Collection[int] | None = None
) -> list[Seat]:
    """Return the seats of whose bots the user sees what is the owner's alone: faults, stderr and notes.

    None before the whole set is over: a question may tell of a deal that is still played.
    """
    if match.set.status == MatchSet.Status.OPEN:
        return []
    viewer_teams = team_ids_of(user) if teams is None else teams
    return [seat for seat in seats if may_see(user, seat.version.bot, viewer_teams)]


def run_by(user: User, to_bot: str = "") -> Q:
    """Return a condition on rows that lead to a bot by `to_bot`, such as `version__bot__`: they may run that bot."""
    teams = user.memberships.filter(role__in=Membership.INSIDE).values("team")
    return Q(**{f"{to_bot}owner": user}) | Q(**{f"{to_bot}team__in": teams})


def check_runs(bot: Bot, by: User, instead: str = "only its owner, or the owner's team, may do that") -> None:
    """Raises Refused: not_yours."""
    if not may_run(by, bot):
        raise Refused("not_yours", "%(bot)s belongs to somebody else; %(instead)s", bot=bot, instead=Sentence(instead))
