"""A set on paper: one secret deal, from the ladder's chain, and a match for each rotation of some versions."""

from collections.abc import Sequence

from django.db import transaction

from engine.dice import Dice, commitment
from engine.seeds import seed_of
from tournaments.ladders.table_options import options_at
from tournaments.matchmaking.pairing import rotations
from tournaments.matchmaking.seed_chains import beacon, next_link
from tournaments.models import Ladder, Match, MatchSet, Seat, Version


@transaction.atomic
def deal(*, ladder: Ladder, versions: Sequence[int], lot: str, **belonging: object) -> MatchSet:
    """A set under the ladder's settings. `lot` decides who sits first; `belonging` says what the set is of."""
    link = next_link(ladder)
    signal = beacon(link.chain)
    bundle = dict(Version.objects.filter(pk__in=versions).values_list("pk", "bundle"))
    seed = seed_of(link.value, signal, [bundle[version] for version in versions])
    made = MatchSet.objects.create(
        ladder=ladder,
        game=ladder.game,
        rules=ladder.rules,
        options=options_at(ladder, len(versions)),
        seed=seed,
        chain=link.chain,
        link=link.number,
        beacon=signal,
        commitment=commitment(seed),
        **belonging,
    )
    order = list(versions)
    Dice.of(lot).shuffle(order)
    tables = rotations(order)
    matches = Match.objects.bulk_create(Match(set=made, turn=turn) for turn in range(len(tables)))
    Seat.objects.bulk_create(
        Seat(match=match, number=seat, version_id=version)
        for match, table in zip(matches, tables, strict=True)
        for seat, version in enumerate(table)
    )
    return made
