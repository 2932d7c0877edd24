"""A set is made here and nowhere else, with its matches and their seats: none is ever without them.

It is among the models because competitors (the check of an upload) and matchmaking both make sets, and it needs
nothing but the tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from engine.dice import commitment
from tournaments.models.bots import Version
from tournaments.models.ladders import Ladder
from tournaments.models.matches import Match, MatchSet

# Their other columns begin empty. As objects of Django's, twenty to a set, they would take half of a deal's time.
MATCHES = """
INSERT INTO tournaments_match (set_id, turn, status, lease, forgiven, created_at)
SELECT of_set, turn, 'waiting', 0, 0, statement_timestamp()
FROM unnest(%s::bigint[], %s::smallint[]) AS made (of_set, turn)
"""
SEATS = """
INSERT INTO tournaments_seat (match_id, number, version_id, verdict, forfeited, stderr, withdrawn)
SELECT match.id, made.number, version, '', false, '', false
FROM unnest(%s::bigint[], %s::smallint[], %s::smallint[], %s::bigint[]) AS made (of_set, turn, number, version)
JOIN tournaments_match AS match ON match.set_id = made.of_set AND match.turn = made.turn ORDER BY match.id, made.number
"""


@dataclass(frozen=True, slots=True)
class Deal:
    """A set to be made. `tables`: by the turn of each match, the versions in the order of their seats. `fields`: of the
    set itself."""

    seed: str
    tables: Mapping[int, Sequence[int]]
    fields: Mapping[str, object]


def create_match_set(*, seed: str, tables: Mapping[int, Sequence[int]], **fields: object) -> MatchSet:
    return create_match_sets([Deal(seed, tables, fields)])[0]


@transaction.atomic(savepoint=False)
def create_match_sets(deals: Sequence[Deal]) -> list[MatchSet]:
    """Many cost as many statements as one."""
    sets = MatchSet.objects.bulk_create(
        MatchSet(seed=deal.seed, commitment=commitment(deal.seed), space_id=space_of_deal(deal), **deal.fields)
        for deal in deals
    )
    made = [(pk, turn, table) for pk, deal in _by_set(sets, deals) for turn, table in deal.tables.items()]
    seats = [(pk, turn, number, version) for pk, turn, table in made for number, version in enumerate(table)]
    with connection.cursor() as cursor:
        cursor.execute(MATCHES, [[pk for pk, _, _ in made], [turn for _, turn, _ in made]])
        cursor.execute(SEATS, [[seat[column] for seat in seats] for column in range(4)])
    return sets


def space_of_deal(deal: Deal) -> int | None:
    """That of the ladder under whose settings it is played, or of the bot that is checked."""
    match deal.fields:
        case {"checks": Version(bot=bot)}:
            return bot.space_id
        case {"rechecks": Match(set=again)}:
            return again.space_id
        case {"ladder": Ladder() as ladder}:
            return ladder.space_id
    raise TypeError(f"a set belongs to a ladder or to a version: {deal.fields}")


def _by_set(sets: Sequence[MatchSet], deals: Sequence[Deal]) -> Iterator[tuple[int, Deal]]:
    return ((made.pk, deal) for made, deal in zip(sets, deals, strict=True))
