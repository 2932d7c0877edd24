"""The user's own bots at a glance, for the front page: two prepared statements for any number of bots."""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.core.accounts.permissions import RUN_BY, runner
from tournaments.models import User
from tournaments.models.prepared_statements import run_prepared

SEEN = """(bot.space_id IS NULL OR EXISTS (
    SELECT 1 FROM tournaments_space place WHERE place.id = bot.space_id AND place.closed_at IS NULL AND (
        place.access <> 'private' OR EXISTS (
            SELECT 1 FROM tournaments_spacemember mine WHERE mine.space_id = place.id AND mine.user_id = %s
        )
    )
))"""  # as `accounts.spaces.open_to` has it
BOTS = f"""
SELECT bot.id, bot.name, newest.number, newest.status FROM tournaments_bot bot LEFT JOIN LATERAL (
    SELECT number, status FROM tournaments_version WHERE bot_id = bot.id ORDER BY number DESC LIMIT 1
) newest ON TRUE WHERE {RUN_BY} AND {SEEN} ORDER BY bot.name, bot.id
"""  # noqa: S608 - words of ours
ENTRIES = f"""
SELECT bot.id, ladder.title, entry.status FROM tournaments_bot bot JOIN tournaments_entry entry ON entry.bot_id = bot.id
JOIN tournaments_ladder ladder ON ladder.id = entry.ladder_id WHERE {RUN_BY} AND {SEEN}
ORDER BY entry.id
"""  # noqa: S608 - likewise


class OwnVersion(NamedTuple):
    number: int
    status: str


class OwnEntry(NamedTuple):
    ladder: str
    status: str


@dataclass(frozen=True, slots=True)
class OwnBot:
    pk: int
    name: str
    newest: OwnVersion | None  # None before the first upload
    entries: list[OwnEntry]


def own_bots_of(user: User) -> list[OwnBot]:
    """Return the bots that the person runs, by name."""
    asker = [*runner(user), user.pk]
    bots, entries = run_prepared(BOTS, asker), defaultdict(list)
    for number, ladder, status in run_prepared(ENTRIES, asker) if bots else ():
        entries[number].append(OwnEntry(ladder, status))
    return [
        OwnBot(number, name, OwnVersion(newest, status) if newest else None, entries[number])
        for number, name, newest, status in bots
    ]
