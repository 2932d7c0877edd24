"""What people write about themselves, their bots and their teams; public."""

from tournaments.core.accounts.permissions import check_runs
from tournaments.core.accounts.suspension import check_writes
from tournaments.core.errors import Refused
from tournaments.models import Bot, Membership, Team, User

LONGEST = 500  # characters
LONGEST_MOTTO = 60  # of a bot, in a line


def describe_oneself(*, user: User, about: str) -> None:
    User.objects.filter(pk=user.pk).update(about=about)


def describe_bot(*, bot: Bot, about: str, by: User) -> None:
    """Set a bot's description, which those who run it may. Raises Refused: not_yours, account_suspended."""
    check_runs(bot, by, "only its owner, or the owner's team, writes about it")
    check_writes(by, bot.space_id)
    Bot.objects.filter(pk=bot.pk).update(about=about)


def check_describes(team: Team, by: User) -> None:
    """Raises Refused: not_captain."""
    if not team.memberships.filter(user=by.pk, role=Membership.Role.CAPTAIN).exists():
        raise Refused("not_captain", "only the captain of %(team)s writes about it", team=team)


def describe_team(*, team: Team, about: str, by: User) -> None:
    """The captain may. Raises Refused: not_captain."""
    check_describes(team, by)
    Team.objects.filter(pk=team.pk).update(about=about)
