"""The rows of a season's file: only what everyone who sees the ladder or the event may see."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet

from engine.records import to_plain
from engine.season import Deal, PlayedMatch, PlayedSeat
from engine.seeds import Proof, earlier_link
from tournaments.audit.chain import moment_text
from tournaments.audit.lines import write_entry
from tournaments.audit.log import entry_of
from tournaments.core.accounts.visibility import released_to
from tournaments.ledger.ladders.standings import Standing, standings
from tournaments.models import Act, Entrant, Event, Ladder, Match, MatchSet, Result, Seat, SeedChain, Version

PART = 1000  # sets of a part
Links = defaultdict[int, set[int]]  # by chain


def released_sets(ladder: Ladder, event: Event | None) -> QuerySet[MatchSet]:
    """Return the sets that are over and released, in the order in which they were dealt."""
    sets = MatchSet.objects.filter(released_to(None, ""), ladder=ladder, checks=None)
    of_event = sets.filter(event=event) if event else sets
    return of_event.exclude(status=MatchSet.Status.OPEN).order_by("pk")


def season_parts(sets: QuerySet[MatchSet], links: Links) -> Iterator[list[dict[str, Any]]]:
    """The deals, part by part; `links` takes in the links that are in them."""
    at = 0
    while rows := list(sets.filter(pk__gt=at).select_related("chain")[:PART]):
        at = rows[-1].pk
        yield [to_plain(deal) for deal in _deals(rows, links, _proofs(rows))]


def deal_rows(sets: QuerySet[MatchSet]) -> Iterator[dict[str, Any]]:
    """The deals without their proofs, which take long to work out."""
    at = 0
    while rows := list(sets.filter(pk__gt=at)[:PART]):
        at = rows[-1].pk
        yield from (to_plain(deal) for deal in _deals(rows, Links(set), {}))


def _deals(rows: list[MatchSet], links: Links, proofs: Mapping[int, Proof]) -> Iterator[Deal]:
    matches = _matches(rows)
    bundles = dict(Version.objects.filter(seats__match__set__in=rows).values_list("pk", "bundle_id").distinct())
    for row in rows:
        seats = matches[row.pk][0].seats if matches[row.pk] else []
        if row.chain_id and row.link:
            links[row.chain_id].add(row.link)
        yield Deal(
            **{name: getattr(row, name) for name in ("number", "round", "pairing", "game", "rules", "options")},
            **{name: getattr(row, name) for name in ("status", "rated", "seed", "commitment")},
            set=row.pk,
            kind="event" if row.event_id else "trial" if row.trial_id else "friendly" if row.asked_by_id else "ladder",
            bundles=sorted(bundles[seat.version] for seat in seats),
            proof=proofs.get(row.pk),
            matches=matches[row.pk],
        )


def _matches(rows: list[MatchSet]) -> defaultdict[int, list[PlayedMatch]]:
    columns = ("match__set", "match", "match__status", "version", "score", "place", "forfeited")
    seats = Seat.objects.filter(match__set__in=rows).order_by("match__set", "match", "number").values_list(*columns)
    digests = _digests(rows)
    found: defaultdict[int, list[PlayedMatch]] = defaultdict(list)
    for (of_set, match, status), sat in groupby(seats, itemgetter(0, 1, 2)):
        played = [PlayedSeat(*seat[3:]) for seat in sat]
        found[of_set].append(PlayedMatch(match, status, digests.get(match, ""), played))
    return found


def _digests(rows: Iterable[MatchSet]) -> dict[int, str]:
    """Return by match the digests of the replays as they are now, without the names of erased accounts."""
    known = Result.objects.filter(match__set__in=rows, match__status=Match.Status.DONE)
    return {match: now or then for match, now, then in known.values_list("match", "rewritten", "digest")}


def _proofs(rows: list[MatchSet]) -> dict[int, Proof]:
    """Return by set the proofs of the links before the first of which the deal is still played.
    Each link is hashed on from the one after it, for from the root it is a long way."""
    dealt = sorted(((row.chain, row.link or 0, row) for row in rows if row.chain), key=lambda one: -one[1])
    first_open = {chain.pk: _first_open(chain) for chain in {one[0].pk: one[0] for one in dealt}.values()}
    found, known = dict[int, Proof](), dict[int, tuple[int, str]]()
    for chain, link, row in dealt:
        if first_open[chain.pk] <= link:
            continue
        above, value = known.get(chain.pk, (chain.length, chain.root))
        known[chain.pk] = link, earlier_link(value, above - link)
        found[row.pk] = Proof(chain.anchor, chain.length, link, known[chain.pk][1], row.beacon)
    return found


def _first_open(chain: SeedChain) -> int:
    """The first link of which the deal is still played: it tells those before it, and no later one may be shown."""
    played = chain.sets.filter(status=MatchSet.Status.OPEN).order_by("link").values_list("link", flat=True)
    return played.first() or chain.length + 1


def other_links(links: Links) -> dict[str, list[int]]:
    """Return by anchor links of deals not in the file: of matches that those who see the ladder do not see."""
    anchors = dict(SeedChain.objects.filter(pk__in=links).values_list("pk", "anchor"))
    return {anchors[chain]: sorted({*range(1, max(used) + 1)} - used) for chain, used in links.items()}


def replays_of(sets: QuerySet[MatchSet]) -> Iterator[tuple[int, bytes]]:
    played = Match.objects.filter(set__in=sets, status=Match.Status.DONE).exclude(result__replay=b"").order_by("pk")
    for match, replay in played.values_list("pk", "result__replay").iterator(100):
        yield match, bytes(replay)


def version_rows(sets: QuerySet[MatchSet]) -> Iterator[dict[str, Any]]:
    names = ("version", "number", "bot", "name", "owner", "bundle")
    columns = ("pk", "number", "bot_id", "bot__name", "bot__owner__username", "bundle_id", "bot__owner__is_active")
    sat = Version.objects.filter(pk__in=Seat.objects.filter(match__set__in=sets).values("version")).order_by("pk")
    for *plain, active in sat.values_list(*columns).iterator(PART):
        row = dict(zip(names, plain, strict=True))
        yield row if active else {**row, "owner": None}


def entry_rows(ladder: Ladder) -> Iterator[dict[str, Any]]:
    for entry in ladder.entries.select_related("bot__owner").order_by("pk").iterator(PART):
        owner = entry.bot.owner
        who = {"bot": entry.bot_id, "name": entry.bot.name, "owner": owner.username if owner.is_active else None}
        yield {**who, "status": entry.status, "entered_at": moment_text(entry.entered_at)}


def entrant_rows(event: Event) -> Iterator[dict[str, Any]]:
    """Yield those who were there at the start, each with all that the format asks of them."""
    there = event.entrants.exclude(version=None).select_related("bot__owner", "version").order_by("pk")
    for one in there:
        owner = one.bot.owner
        yield {
            "bot": one.bot_id,
            "name": one.bot.name,
            "by": owner.username if owner.is_active else None,
            "version": one.version_id,
            "number": one.version.number if one.version else None,
            "rating": one.seed,
            "sd": one.sd,
            "owner": one.side or one.bot.owner_id,
            "last_round": one.left_at,
            "disqualified": one.status == Entrant.Status.DISQUALIFIED,
            "status": one.status,
            "place": one.place,
        }


def log_of(ladder: Ladder) -> Iterator[str]:
    """The announcements of its chains, as the public log has them."""
    acts = Act.objects.filter(Q(detail__ladder=ladder.slug), kind="seed_chain").order_by("number")
    return (write_entry(entry_of(act), act.digest) for act in acts)


def standings_rows(ladder: Ladder) -> list[dict[str, Any]]:
    """The standings, with as many digits as the pages have."""
    return [_line(line) for line in standings(ladder)]


def _line(it: Standing) -> dict[str, Any]:
    names = ("rank", "rank_lo", "rank_hi", "all_lo", "all_hi", "bot_id", "bot", "version_id", "version", "elo", "ci95")
    more = ("anchor", "los_next", "provisional", "comparable", "matches_to_decide", "sets", "games", "elo_classic")
    rounded = {"win_pct": round(it.win_pct, 1), "crash_pct": round(it.crash_pct, 1), "delta": it.delta}
    mean = round(it.place_mean, 2) if it.games else None
    return {**{name: getattr(it, name) for name in (*names, *more)}, **rounded, "place_mean": mean}


def as_lines(rows: Iterable[object]) -> bytes:
    plain = (json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in rows)
    return "".join(plain).encode()
