"""What people do with a space, by name: pages and API offer the same. What needs a reason is in `tournaments.acts`."""

from collections.abc import Callable

from tournaments.accounts.names import plain
from tournaments.errors import Refused
from tournaments.features.spaces import admission, members
from tournaments.models import Space, User

SpaceVerb = Callable[[Space, str, User], object]


def named(space: Space, name: str) -> User:
    """One of its members, or of those who ask to be. Raises Refused: unknown_user."""
    for places in (space.members, space.requests):
        if place := places.filter(user__username=plain(name)).select_related("user").first():
            return place.user
    raise Refused(
        "unknown_user", "nobody called “%(name)s” is in %(space)s or asks to be", name=f"{name:.60}", space=space
    )


# With the name of the person whom it is about, which some take, and who does it.
SPACE_ACTIONS: dict[str, SpaceVerb] = {
    "join": lambda space, _, by: admission.join_by_address(space=space, by=by),
    "ask": lambda space, _, by: admission.ask_to_join(space=space, by=by),
    "take-back": lambda space, _, by: admission.take_back(space=space, by=by),
    "approve": lambda space, name, by: admission.answer(space=space, user=named(space, name), by=by, admits=True),
    "refuse": lambda space, name, by: admission.answer(space=space, user=named(space, name), by=by, admits=False),
    "leave": lambda space, _, by: members.leave(space=space, by=by),
    "organiser": lambda space, name, by: members.make_organiser(space=space, user=named(space, name), by=by),
    "step-down": lambda space, _, by: members.step_down(space=space, by=by),
}
NAME_SOMEBODY = ("approve", "refuse", "organiser")
