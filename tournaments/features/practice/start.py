"""New practices, from the start or from a moment of a match, by one person or for several."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction

from engine.game import AnyGame
from engine.games import GAMES
from engine.records import RecordError, to_plain
from engine.replay import ReplayError, read_replay
from tournaments.core.accounts.permissions import may_see
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.suspension import check_writes
from tournaments.core.accounts.visibility import seen_by
from tournaments.core.errors import Refused
from tournaments.features.practice.gathering import gather
from tournaments.features.practice.quota import check_quota
from tournaments.features.practice.seats import (
    INVITED,
    PERSON,
    Plain,
    Sample,
    SeatedPlayer,
    person_seat,
    stored_seat,
    versions_at_table,
)
from tournaments.features.practice.turns import PracticeState, proceed
from tournaments.models import Ladder, Match, MatchSet, Practice, User, Version


@transaction.atomic
def begin_practice(
    *,
    by: User,
    ladder: Ladder,
    seats: Sequence[SeatedPlayer],
    options: Mapping[str, Any] | None = None,
    seed: str = "",
    hours: int | None = None,
    minutes: int | None = None,
) -> Practice:
    """Begin a game under a ladder's settings, with these `seats`; `hours`, or `minutes`, are those for each answer of
    several people. Raises Refused: wrong_table, bad_options, other_rules, not_entered, not_yours, wrong_game,
    unknown_bot, one_person, bad_hours, bad_minutes, account_suspended, the bundle's own codes, and too_many_open,
    too_many_practices, too_much_thinking."""
    check_writes(by, ladder.space_id)
    game = GAMES[ladder.game]
    chosen = _options(game, ladder, len(seats), options or {})
    new = Practice(owner=by, ladder=ladder, rules=game.version, options=chosen, seed=seed or secrets.token_hex(32))
    return _start(new, seats, (), hours, minutes)


@transaction.atomic
def fork_practice(*, by: User, match: Match, moment: int, seats: Sequence[SeatedPlayer]) -> Practice:
    """Begin a game that goes on from a match after `moment` of its answers, or the last whole step before them. Earlier
    faults do not count. Raises Refused as `begin_practice` does, no_replay, and deal_known."""
    if INVITED in seats:
        raise Refused("deal_known", "its deal is known from the match, so nobody can be invited: begin a new game")
    replay, ladder = replay_of_match(match, by), ladder_to_continue(match)
    if len(seats) != len(replay.players):
        raise Refused(
            "wrong_table",
            "the number of filled seats is %(seats)s; match %(pk)s has %(players)s",
            seats=len(seats),
            pk=match.pk,
            players=len(replay.players),
        )
    lines: list[Any] = replay.answers
    new = Practice(
        owner=by,
        ladder=ladder,
        rules=replay.rules,
        options=replay.options,
        seed=replay.seed,
        match=match,
        moment=moment,
        script=[line[:3] for line in lines[:moment]],
    )
    _cut_to_whole_steps(new)
    return _start(new, seats, set(match.seats.values_list("version", flat=True)))


def _cut_to_whole_steps(new: Practice) -> None:
    new.seats = [{"person": True}] * new.options["players"]  # nobody sits there yet
    try:
        run = PracticeState.of(new).run
    except ReplayError as error:
        raise Refused("no_replay", error.detail) from None
    if run.match.over:
        raise Refused("over", "the match is over at that moment; choose an earlier one to go on from")
    new.script, new.moment = new.script[: run.step], run.step


def replay_of_match(match: Match, by: User) -> Any:
    """Return the replay of a match whose set is over and that the person may see. Raises Refused: no_replay."""
    visible = Match.objects.filter(seen_by(by), pk=match.pk).exclude(set__status=MatchSet.Status.OPEN)
    checks = match.set.checks
    allowed = checks is None or may_see(by, checks.bot)
    if not (allowed and visible.exists() and hasattr(match, "result") and match.result.replay):
        raise Refused("no_replay", "match %(pk)s has no replay to go on from, or not yet", pk=match.pk)
    try:
        return read_replay(bytes(match.result.replay))
    except ReplayError as error:
        raise Refused("no_replay", error.detail) from None


def ladder_to_continue(match: Match) -> Ladder:
    """Return the ladder whose clock and limits apply when it goes on. Raises Refused: no_ladder."""
    mine, event = match.set.ladder, match.set.event
    ladder = mine if mine is not None or event is None else event.ladder
    if (
        ladder is None
        and (ladder := Ladder.objects.filter(game=match.set.game, space=match.set.space_id).first()) is None
    ):
        raise Refused("no_ladder", "there is no ladder of %(title)s to play under", title=GAMES[match.set.game].title)
    return ladder


def _options(game: AnyGame, ladder: Ladder, players: int, changes: Mapping[str, Any]) -> dict[str, Any]:
    if players not in game.players:
        low, high = game.players[0], game.players[-1]
        raise Refused(
            "wrong_table",
            "the number of filled seats is %(players)s; %(title)s has %(low)s to %(high)s",
            players=players,
            title=game.title,
            low=low,
            high=high,
        )
    try:
        return dict(to_plain(game.read_options({**ladder.options, **changes, "players": players})))
    except RecordError as error:
        raise Refused("bad_options", error.reason) from None


def _start(
    new: Practice,
    seats: Sequence[SeatedPlayer],
    played: Collection[int],
    hours: int | None = None,
    minutes: int | None = None,
) -> Practice:
    game = GAMES[new.ladder.game]
    if new.rules != game.version:
        raise Refused(
            "other_rules",
            "it was played under version %(rules)s of the rules; this site plays version %(version)s",
            rules=new.rules,
            version=game.version,
        )
    if sum(seat == PERSON for seat in seats) > 1:
        raise Refused("one_person", "you can sit at one seat only: at two you would know the secrets of both")
    counted_alone(new.owner)
    check_quota(new.owner)
    new.seats = [stored_seat(seat, new.owner, new.ladder, played) for seat in seats]
    if INVITED in seats:
        return gather(new, hours, minutes)
    new.save()
    proceed(new)
    return new


def play_again(*, practice: Practice, by: User) -> Practice:
    """Begin it with another deal and everyone one seat on; other people are invited again. Raises Refused:
    draft_played, and as `begin_practice` does."""
    if any("draft" in seat for seat in practice.seats):
        raise Refused("draft_played", "a draft played there and may have changed since: choose again who sits where")
    versions, own_seat = versions_at_table(practice), person_seat(practice, by)
    players = [
        PERSON if number == own_seat else _player_again(seat, versions) for number, seat in enumerate(practice.seats)
    ]
    return begin_practice(
        by=by,
        ladder=practice.ladder,
        seats=[players[-1], *players[:-1]],
        options=practice.options,
        hours=practice.hours,
        minutes=practice.minutes,
    )


def _player_again(seat: Plain, versions: Mapping[int, Version]) -> SeatedPlayer:
    if "version" in seat:
        return versions[seat["version"]]
    return Sample(str(seat["name"]).removeprefix("sample ")) if "sample" in seat else INVITED
