"""What members, captains and invited people do with a team, by name: pages and API offer the same."""

from collections.abc import Callable

from tournaments.accounts.names import plain
from tournaments.competitors import teams
from tournaments.errors import Refused
from tournaments.models import Team, User


def named(name: str) -> User:
    """Raises Refused: unknown_user."""
    found = User.objects.filter(username=plain(name), is_active=True).first()
    if found is None:
        raise Refused("unknown_user", "there is nobody called “%(name)s”; names are case-sensitive", name=f"{name:.60}")
    return found


TeamAction = Callable[[Team, str, User], object]

# With the name of the person whom it is about, which some take, and who does it.
TEAM_ACTIONS: dict[str, TeamAction] = {
    "invite": lambda team, name, by: teams.invite(team=team, user=named(name), by=by),
    "join": lambda team, _, by: teams.answer(team=team, by=by, joins=True),
    "refuse": lambda team, _, by: teams.answer(team=team, by=by, joins=False),
    "leave": lambda team, _, by: teams.leave(team=team, by=by),
    "remove": lambda team, name, by: teams.remove(team=team, user=named(name), by=by),
    "captain": lambda team, name, by: teams.hand_on(team=team, user=named(name), by=by),
}
NAME_SOMEBODY = ("invite", "remove", "captain")
