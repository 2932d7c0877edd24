"""Creating sets: each one secret deal from the ladder's seed chain, and a match for each rotation of the seats."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import transaction

from engine.dice import Dice
from engine.seeds import seed_of
from tournaments.ledger.ladders.table_options import options_at
from tournaments.ledger.matchmaking.pairing import seat_rotations
from tournaments.ledger.matchmaking.seed_chains import Link, beacon, next_links
from tournaments.models import Ladder, MatchSet, Version
from tournaments.models.set_creation import Deal, create_match_sets


class Table(NamedTuple):
    """To be dealt. `lot` decides who sits first; `belonging` is what the set belongs to."""

    versions: Sequence[int]
    lot: str
    belonging: Mapping[str, object]


def deal_set(*, ladder: Ladder, versions: Sequence[int], lot: str, **belonging: object) -> MatchSet:
    """A set under the ladder's settings."""
    return deal_sealed_sets(ladder, [Table(versions, lot, belonging)])[0]


@transaction.atomic
def deal_sealed_sets(ladder: Ladder, tables: Sequence[Table]) -> list[MatchSet]:
    """The sets of these tables, in their order."""
    links = next_links(ladder, len(tables))
    signals = {link.chain.pk: beacon(link.chain) for link in {link.chain.pk: link for link in links}.values()}
    sitting = {version for table in tables for version in table.versions}
    bundles = dict(Version.objects.filter(pk__in=sitting).values_list("pk", "bundle"))
    options = {size: options_at(ladder, size) for size in {len(table.versions) for table in tables}}
    return create_match_sets(
        [
            _deal(ladder, table, link, signals[link.chain.pk], bundles, options[len(table.versions)])
            for table, link in zip(tables, links, strict=True)
        ]
    )


def _deal(
    ladder: Ladder, table: Table, link: Link, signal: str, bundles: Mapping[int, str], options: dict[str, object]
) -> Deal:
    order = list(table.versions)
    Dice.of(table.lot).shuffle(order)
    seed = seed_of(link.value, signal, [bundles[version] for version in table.versions])
    fields = {
        "ladder": ladder,
        "game": ladder.game,
        "rules": ladder.rules,
        "options": options,
        "chain": link.chain,
        "link": link.number,
        "beacon": signal,
        **table.belonging,
    }
    return Deal(seed, dict(enumerate(seat_rotations(order))), fields)
