"""Creating a set: one secret deal from the ladder's seed chain, and a match for each rotation of the seats."""

from collections.abc import Sequence

from django.db import transaction

from engine.dice import Dice
from engine.seeds import seed_of
from tournaments.ladders.table_options import options_at
from tournaments.matchmaking.pairing import rotations
from tournaments.matchmaking.seed_chains import beacon, next_link
from tournaments.models import Ladder, MatchSet, Version
from tournaments.models.set_creation import create_match_set


@transaction.atomic
def deal(*, ladder: Ladder, versions: Sequence[int], lot: str, **belonging: object) -> MatchSet:
    """A set under the ladder's settings. `lot` decides who sits first; `belonging` is what the set belongs to."""
    link = next_link(ladder)
    signal = beacon(link.chain)
    bundle = dict(Version.objects.filter(pk__in=versions).values_list("pk", "bundle"))
    seed = seed_of(link.value, signal, [bundle[version] for version in versions])
    order = list(versions)
    Dice.of(lot).shuffle(order)
    return create_match_set(
        ladder=ladder,
        game=ladder.game,
        rules=ladder.rules,
        options=options_at(ladder, len(versions)),
        seed=seed,
        chain=link.chain,
        link=link.number,
        beacon=signal,
        tables=dict(enumerate(rotations(order))),
        **belonging,
    )
