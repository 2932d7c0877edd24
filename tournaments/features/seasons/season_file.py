"""A past season as one file, from which anyone can compute its table again without the site (`engine.season_file`).

It is made while it is sent, and the same for all who may see the ladder. The last member names all others by hash.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from engine.season_file import FORMAT, HEAD
from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.features.events.plan import plan_of
from tournaments.features.seasons import rows
from tournaments.ledger.dumps.licences import LICENCES
from tournaments.ledger.dumps.streamed_zip import Files
from tournaments.ledger.ladders.rating_ledger import ledger_lines
from tournaments.models import Event, Ladder, MatchSet
from tournaments.ratings.event_season import stages_of

README = """%(title)s: a past season, as one file.

In a checkout of Boardroom, with Python 3.11 or later and nothing else, without a network:

    python3 -m tournaments.ratings %(slug)s-season.zip    the final table, made again of the results
    python3 -m engine.verify %(slug)s-season.zip          every deal and its proof; every replay that is in here

Each says what is wrong where, if anything is.

season.json     what this is, its settings, and the SHA-256 of every other file; of a ladder, final_after: sets with
                higher numbers make the final table
table.json      the standings as the site showed them last
ledger.jsonl    of a ladder: what its ratings are made of, with their parameters in the first line
entries.jsonl   of a ladder: who took part; of an event that is entrants.jsonl, with seeds and places
versions.jsonl  the versions that played, with the SHA-256 of their bundles
sets/           every deal with its seed, commitment and proof, and the results of its matches
log.jsonl       the public log's entries that announced the seed chains; compare them with the log of the site
replays/        the matches, answer by answer, if they were asked for; their digests are in sets/ in any case

A file can be made whole by whoever has the rules. That this one is the site's you know by comparing it with another
copy (both commands print what identifies the season) and its log entries with the public log.

Licence: %(licence)s
"""


def ladder_season(ladder: Ladder, *, replays: bool = False) -> Files:
    """Raises Refused: season_open."""
    check_ladder_season(ladder)
    return _files(ladder, None, replays=replays)


def check_ladder_season(ladder: Ladder) -> None:
    """Raises Refused: season_open."""
    if ladder.status != Ladder.Status.CLOSED:
        raise Refused(
            "season_open",
            "%(ladder)s is %(status)s; a season is a file once its ladder is closed",
            ladder=ladder,
            status=Sentence(ladder.status),
        )
    if waiting := _unsettled(ladder):
        raise Refused(
            "season_open",
            "%(ladder)s is closed, and %(waiting)s of its sets are still played or rated",
            ladder=ladder,
            waiting=waiting,
        )


def _unsettled(ladder: Ladder) -> int:
    late = ladder.sets.filter(status=MatchSet.Status.COMPLETE, rated=False, counts=True, number__isnull=False)
    return ladder.sets.filter(status=MatchSet.Status.OPEN, number__isnull=False).count() + late.count()


def event_season(event: Event, *, replays: bool = False) -> Files:
    """Raises Refused: season_open."""
    check_event_season(event)
    return _files(event.ladder, event, replays=replays)


def check_event_season(event: Event) -> None:
    """Raises Refused: season_open."""
    if event.status != Event.Status.FINISHED or event.is_held_back:
        raise Refused(
            "season_open", "%(event)s is a file once it has ended and all its results are public", event=event
        )


def _files(ladder: Ladder, event: Event | None, *, replays: bool) -> Files:
    head, links = head_of(ladder, event), defaultdict[int, set[int]](set)
    members: dict[str, dict[str, Any]] = {}
    for name, content in _members(ladder, event, head, links, replays=replays):
        members[name] = {"bytes": len(content), "sha256": sha256(content).hexdigest()}
        yield name, content
    whole = {**head, "other_links": {} if event else rows.other_links(links), "members": dict(sorted(members.items()))}
    yield HEAD, json.dumps(whole, indent=1, ensure_ascii=False).encode() + b"\n"


def head_of(ladder: Ladder, event: Event | None) -> dict[str, Any]:
    about = event or ladder
    settings = {name: getattr(ladder, name) for name in ("options", "division", "margin", "prior_sd", "strikes")}
    clock = {name: getattr(ladder, name) for name in ("answer_ms", "bank_ms", "increment_ms", "start_ms", "memory_mb")}
    head = {"boardroom_season": FORMAT, "kind": "event" if event else "ladder", "slug": about.slug}
    named = {"title": about.title, "ladder": ladder.slug, "game": ladder.game, "rules": ladder.rules}
    licence = LICENCES[Ladder.DataLicence(ladder.data_licence)]
    found = {**head, **named, "licence": licence, "settings": {**settings, **clock}}
    if event:
        return {**found, "event": {"format": event.spec, "lot": event.lot}}
    return found if ladder.final_after is None else {**found, "final_after": ladder.final_after}


def _members(
    ladder: Ladder, event: Event | None, head: dict[str, Any], links: rows.Links, *, replays: bool
) -> Iterator[tuple[str, bytes]]:
    sets = rows.released_sets(ladder, event)
    yield "README.txt", (README % head).encode()
    yield from _of_event(event) if event else _of_ladder(ladder)
    yield "versions.jsonl", rows.as_lines(rows.version_rows(sets))
    for number, part in enumerate(rows.season_parts(sets, links)):
        yield f"sets/{number:06}.jsonl", rows.as_lines(part)
    yield "log.jsonl", "".join(rows.log_of(ladder)).encode()
    if replays:
        for match, replay in rows.replays_of(sets):
            yield f"replays/{match}.json.gz", replay


def _of_ladder(ladder: Ladder) -> Files:
    yield "table.json", _plain(rows.standings_rows(ladder))
    yield "ledger.jsonl", "".join(ledger_lines(ladder)).encode()
    yield "entries.jsonl", rows.as_lines(rows.entry_rows(ladder))


def _of_event(event: Event) -> Files:
    yield "table.json", _plain(stages_of(plan_of(event)))
    yield "entrants.jsonl", rows.as_lines(rows.entrant_rows(event))


def _plain(value: object) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"
