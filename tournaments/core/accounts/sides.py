"""Sides: people who count as one, because their bots must not help each other.

People in one team are on one side, whoever owns the bots and whether or not the team runs them; so are those who share
another team with one of them. An invitation that is not accepted does not count.
"""

from collections import defaultdict

from tournaments.models import Membership, User


class Sides:
    """As they are now, by one query. A side is known by the lowest id of its people."""

    def __init__(self) -> None:
        teams: defaultdict[int, list[int]] = defaultdict(list)
        for team, user in Membership.objects.filter(role__in=Membership.INSIDE).values_list("team", "user"):
            teams[team].append(user)
        self.leaders: dict[int, int] = {}
        for people in teams.values():
            self._join(people)

    def of(self, person: int) -> int:
        while (leader := self.leaders.get(person, person)) != person:
            person = leader
        return person

    def _join(self, people: list[int]) -> None:
        leaders = {self.of(person) for person in people}
        self.leaders |= dict.fromkeys(leaders, min(leaders))


def people_with(person: User) -> set[int]:
    """Return everybody on the person's side, the person among them."""
    sides = Sides()
    side = sides.of(person.pk)
    return {person.pk} | {other for other in sides.leaders if sides.of(other) == side}
