"""A set is made here and nowhere else, with its matches and their seats: none is ever without them.

It is among the models because competitors (the check of an upload) and matchmaking both make sets, and it needs
nothing but the tables.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction

from engine.dice import commitment
from tournaments.models.matches import Match, MatchSet, Seat


@transaction.atomic
def create_match_set(*, seed: str, tables: Mapping[int, Sequence[int]], **fields: object) -> MatchSet:
    """`tables`: by the turn of each match, the versions in the order of their seats. `fields`: of the set itself."""
    made = MatchSet.objects.create(seed=seed, commitment=commitment(seed), **fields)
    matches = Match.objects.bulk_create(Match(set=made, turn=turn) for turn in tables)
    Seat.objects.bulk_create(
        Seat(match=match, number=number, version_id=version)
        for match in matches
        for number, version in enumerate(tables[match.turn])
    )
    return made
